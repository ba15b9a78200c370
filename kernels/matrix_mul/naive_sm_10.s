// C = A B, row by column from device memory, as the first version of Ryoo et al., PPoPP 2008, does it: 8 instructions
// per term, one of them the multiply-add and two of them loads. A has wA columns, of which the first `terms` count; B
// and C have wB columns.
.target sm_10

.entry naive_sm_10
.param u64 C
.param u64 A
.param u64 B
.param u32 wA
.param u32 wB
.param u32 terms

    // $r1 = tid.x, $r2 = tid.y, $r3 = column, $r4 = row
    cvt u32 $r1 u16 $r0l
    cvt u32 $r2 u16 $r0h
    cvt u32 $r3 u16 u16 s[%ctaid.x]
    cvt u32 $r4 u16 u16 s[%ctaid.y]
    shl b32 $r3 $r3 0x4
    shl b32 $r4 $r4 0x4
    add b32 $r3 $r3 $r1
    add b32 $r4 $r4 $r2
    // $r5 = &A[row][0], $r6 = &B[0][column], $r7 = &C[row][column]
    add $r5 (mul u16 u16 s[wA] $r4l) $r124
    add $r7 (mul u16 u16 s[wB] $r4l) $r3
    shl b32 $r5 $r5 0x2
    shl b32 $r6 $r3 0x2
    shl b32 $r7 $r7 0x2
    add b32 $r5 b32 s[A] $r5
    add b32 $r6 b32 s[B] $r6
    add b32 $r7 b32 s[C] $r7
    mov b32 $r8 b32 s[wB]
    shl b32 $r8 $r8 0x2
    mov b32 $r9 b32 s[terms]
    mov b32 $r0 0x0
term:
    ld b32 $r1 g14[$r5]
    ld b32 $r2 g14[$r6]
    add b32 $r5 $r5 0x4
    add b32 $r6 $r6 $r8
    sub b32 $r9 $r9 0x1
    set $c0 # lg u32 $r9 $r124
    add f32 $r0 (mul $r1 $r2) $r0
    (lg $c0) bra term
    exit st b32 g14[$r7] $r0
.end
