// y[i] = a x[i] + y[i] in double precision, rounded once.
.target sm_13
.const a f64 0

.entry daxpy
.param u64 x
.param u64 y
.param s32 N

    mov b16 $r0h u16 s[%ntid.x]
    cvt u32 $r1 u16 $r0l
    add $r0 (mul u16 u16 s[%ctaid.x] $r0h) $r1
    set $c0 # le s32 b32 s[N] $r0
    (lg $c0) ret

    shl b32 $r0 $r0 0x3
    add b32 $r1 b32 s[x] $r0
    ld b64 $r2d g14[$r1]
    add b32 $r0 b32 s[y] $r0
    ld b64 $r4d g14[$r0]
    ld $r6 b32 c0[a]
    ld $r7 b32 c0[a+4]
    fma rn f64 $r4d $r6d $r2d $r4d
    exit st b64 g14[$r0] $r4d
.end
