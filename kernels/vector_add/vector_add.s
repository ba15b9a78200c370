// C[i] = A[i] + B[i] for i < N, one element per thread.
.target sm_10

.entry VecAdd
.param u64 A
.param u64 B
.param u64 C
.param s32 N

    // i = ctaid.x * ntid.x + tid.x; $r0l holds tid.x, the product of two 16-bit numbers is one instruction
    mov b16 $r0h u16 s[%ntid.x]
    cvt u32 $r1 u16 $r0l
    add $r0 (mul u16 u16 s[%ctaid.x] $r0h) $r1
    set $c0 # le s32 b32 s[N] $r0
    (lg $c0) ret

    shl b32 $r0 $r0 0x2
    short add b32 $r1 b32 s[A] $r0
    short add b32 $r2 b32 s[B] $r0
    ld b32 $r1 g14[$r1]
    ld b32 $r2 g14[$r2]
    short add b32 $r0 b32 s[C] $r0
    short add f32 $r1 $r1 $r2
    exit st b32 g14[$r0] $r1
.end
