// Arithmetic only: eight independent chains x <- a * x + b, started at t, t + a, ..., t + 7 a with t = tid.x,
// unrolled four times. out[i] = sum of the chains.
.target sm_10

.entry madloop
.param u64 out
.param f32 a
.param f32 b
.param s32 iterations

    // $r0 = i, $r1 .. $r8 = chains, $r9 = loop counter, $r10 = a, $r11 = b
    mov b16 $r0h u16 s[%ntid.x]
    cvt u32 $r1 u16 $r0l
    add $r0 (mul u16 u16 s[%ctaid.x] $r0h) $r1
    short mov b32 $r10 b32 s[a]
    short mov b32 $r11 b32 s[b]
    cvt rn f32 $r1 u32 $r1
    short add f32 $r2 $r1 $r10
    short add f32 $r3 $r2 $r10
    short add f32 $r4 $r3 $r10
    short add f32 $r5 $r4 $r10
    short add f32 $r6 $r5 $r10
    short add f32 $r7 $r6 $r10
    short add f32 $r8 $r7 $r10
    mov b32 $r9 0x0
loop:
    add f32 $r1 (mul $r1 $r10) $r11
    add f32 $r2 (mul $r2 $r10) $r11
    add f32 $r3 (mul $r3 $r10) $r11
    add f32 $r4 (mul $r4 $r10) $r11
    add f32 $r5 (mul $r5 $r10) $r11
    add f32 $r6 (mul $r6 $r10) $r11
    add f32 $r7 (mul $r7 $r10) $r11
    add f32 $r8 (mul $r8 $r10) $r11
    add f32 $r1 (mul $r1 $r10) $r11
    add f32 $r2 (mul $r2 $r10) $r11
    add f32 $r3 (mul $r3 $r10) $r11
    add f32 $r4 (mul $r4 $r10) $r11
    add f32 $r5 (mul $r5 $r10) $r11
    add f32 $r6 (mul $r6 $r10) $r11
    add f32 $r7 (mul $r7 $r10) $r11
    add f32 $r8 (mul $r8 $r10) $r11
    add f32 $r1 (mul $r1 $r10) $r11
    add f32 $r2 (mul $r2 $r10) $r11
    add f32 $r3 (mul $r3 $r10) $r11
    add f32 $r4 (mul $r4 $r10) $r11
    add f32 $r5 (mul $r5 $r10) $r11
    add f32 $r6 (mul $r6 $r10) $r11
    add f32 $r7 (mul $r7 $r10) $r11
    add f32 $r8 (mul $r8 $r10) $r11
    add f32 $r1 (mul $r1 $r10) $r11
    add f32 $r2 (mul $r2 $r10) $r11
    add f32 $r3 (mul $r3 $r10) $r11
    add f32 $r4 (mul $r4 $r10) $r11
    add f32 $r5 (mul $r5 $r10) $r11
    add f32 $r6 (mul $r6 $r10) $r11
    add f32 $r7 (mul $r7 $r10) $r11
    add f32 $r8 (mul $r8 $r10) $r11
    add b32 $r9 $r9 0x1
    set $c0 # g s32 b32 s[iterations] $r9
    (lg $c0) bra loop

    shl b32 $r0 $r0 0x2
    short add f32 $r1 $r1 $r2
    short add f32 $r1 $r1 $r3
    short add f32 $r1 $r1 $r4
    short add f32 $r1 $r1 $r5
    short add f32 $r1 $r1 $r6
    short add f32 $r1 $r1 $r7
    short add f32 $r1 $r1 $r8
    short add b32 $r0 b32 s[out] $r0
    exit st b32 g14[$r0] $r1
.end
