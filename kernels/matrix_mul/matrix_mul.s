// C = A * B by tiles of 16 x 16 elements, one element of C per thread. A has wA columns, B and C have wB; both are
// multiples of 16, below 65536.
.target sm_13

.entry matrixMul_bs16_32bit
.param u64 C
.param u64 A
.param u64 B
.param s32 wA
.param s32 wB
.shared a_tile 1024
.shared b_tile 1024

    // $r1 = tid.x, $r2 = tid.y, $r3 = row and $r4 = column of the element
    cvt u32 $r1 u16 $r0l
    cvt u32 $r2 u16 $r0h
    cvt u32 $r3 u16 u16 s[%ctaid.y]
    cvt u32 $r4 u16 u16 s[%ctaid.x]
    shl b32 $r3 $r3 0x4
    shl b32 $r4 $r4 0x4
    add b32 $r3 $r3 $r2
    add b32 $r4 $r4 $r1

    // $r5 = &A[row][tid.x], $r6 = &B[tid.y][column], $r7 = &C[row][column]
    add $r5 (mul u16 u16 s[wA] $r3l) $r1
    add $r6 (mul u16 u16 s[wB] $r2l) $r4
    add $r7 (mul u16 u16 s[wB] $r3l) $r4
    shl b32 $r5 $r5 0x2
    shl b32 $r6 $r6 0x2
    shl b32 $r7 $r7 0x2
    short add b32 $r5 b32 s[A] $r5
    short add b32 $r6 b32 s[B] $r6
    add b32 $r7 b32 s[C] $r7

    // $a1 = row of a_tile, $a2 = column of b_tile, $a3 = the thread's element of both
    shl $a1 $r2 0x6
    shl $a2 $r1 0x2
    shl b32 $r2 $r2 0x4
    add b32 $r2 $r2 $r1
    shl $a3 $r2 0x2

    // $r9 = end of the row of A, $r10 = bytes from tile to tile of B
    short mov b32 $r9 b32 s[wA]
    short mov b32 $r10 b32 s[wB]
    shl b32 $r9 $r9 0x2
    shl b32 $r10 $r10 0x6
    add b32 $r9 $r9 $r5
    mov b32 $r0 0x0
tile:
    ld b32 $r11 g14[$r5]
    ld b32 $r12 g14[$r6]
    st b32 s[$a3+a_tile] $r11
    st b32 s[$a3+b_tile] $r12
    bar inc wait 0x0 0xfff
    ld $r11 b32 s[$a2+b_tile+0]
    add f32 $r0 (mul b32 s[$a1+a_tile+0] $r11) $r0
    ld $r12 b32 s[$a2+b_tile+64]
    add f32 $r0 (mul b32 s[$a1+a_tile+4] $r12) $r0
    ld $r11 b32 s[$a2+b_tile+128]
    add f32 $r0 (mul b32 s[$a1+a_tile+8] $r11) $r0
    ld $r12 b32 s[$a2+b_tile+192]
    add f32 $r0 (mul b32 s[$a1+a_tile+12] $r12) $r0
    ld $r11 b32 s[$a2+b_tile+256]
    add f32 $r0 (mul b32 s[$a1+a_tile+16] $r11) $r0
    ld $r12 b32 s[$a2+b_tile+320]
    add f32 $r0 (mul b32 s[$a1+a_tile+20] $r12) $r0
    ld $r11 b32 s[$a2+b_tile+384]
    add f32 $r0 (mul b32 s[$a1+a_tile+24] $r11) $r0
    ld $r12 b32 s[$a2+b_tile+448]
    add f32 $r0 (mul b32 s[$a1+a_tile+28] $r12) $r0
    ld $r11 b32 s[$a2+b_tile+512]
    add f32 $r0 (mul b32 s[$a1+a_tile+32] $r11) $r0
    ld $r12 b32 s[$a2+b_tile+576]
    add f32 $r0 (mul b32 s[$a1+a_tile+36] $r12) $r0
    ld $r11 b32 s[$a2+b_tile+640]
    add f32 $r0 (mul b32 s[$a1+a_tile+40] $r11) $r0
    ld $r12 b32 s[$a2+b_tile+704]
    add f32 $r0 (mul b32 s[$a1+a_tile+44] $r12) $r0
    ld $r11 b32 s[$a2+b_tile+768]
    add f32 $r0 (mul b32 s[$a1+a_tile+48] $r11) $r0
    ld $r12 b32 s[$a2+b_tile+832]
    add f32 $r0 (mul b32 s[$a1+a_tile+52] $r12) $r0
    ld $r11 b32 s[$a2+b_tile+896]
    add f32 $r0 (mul b32 s[$a1+a_tile+56] $r11) $r0
    ld $r12 b32 s[$a2+b_tile+960]
    add f32 $r0 (mul b32 s[$a1+a_tile+60] $r12) $r0
    bar inc wait 0x0 0xfff
    add b32 $r5 $r5 0x40
    add b32 $r6 $r6 $r10
    set $c0 # l u32 $r5 $r9
    (lg $c0) bra tile

    exit st b32 g14[$r7] $r0
.end
