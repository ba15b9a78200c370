// C = A * B as Volkov and Demmel 2008 organise it: a block of 64 threads computes 64 x 16 elements, each thread a row of
// 16 in registers; 16 x 16 elements of B pass through shared memory, those of A go to registers. Column by column (BLAS).
// The number of rows is a multiple of 64, those of columns and of inner elements are multiples of 16.
.target sm_10

.entry sgemm
.param u64 c
.param u64 a
.param u64 b
.param u32 m
.param u32 k
.shared tile 1088

    // $r1 = t % 16, $r2 = t / 16, $r0 = t, $r25 = bytes of a column of A and C, $r28 = bytes of a column of B
    cvt u32 $r0 u16 $r0l
    shr u32 $r2 $r0 0x4
    and b32 $r1 $r0 0xf
    mov b32 $r25 b32 s[m]
    shl b32 $r25 $r25 0x2
    mov b32 $r28 b32 s[k]
    shl b32 $r28 $r28 0x2
    // $r24 = &A[row], $r31 = &C[row][column of the block]
    cvt u32 $r3 u16 u16 s[%ctaid.x]
    shl b32 $r3 $r3 0x6
    add b32 $r3 $r3 $r0
    shl b32 $r3 $r3 0x2
    add b32 $r24 b32 s[a] $r3
    cvt u32 $r4 u16 u16 s[%ctaid.y]
    shl b32 $r4 $r4 0x4
    mul $r5 u16 $r4l u16 $r25h
    add $r5 (mul u16 $r4h $r25l) $r5
    shl b32 $r5 $r5 0x10
    add $r5 (mul u16 $r4l $r25l) $r5
    add b32 $r5 $r5 $r3
    add b32 $r31 b32 s[c] $r5
    // $r26 = &B[t % 16][column of the block + t / 16], $r30 = its end, $r27 = bytes of four columns of B
    add b32 $r4 $r4 $r2
    mul $r5 u16 $r4l u16 $r28h
    add $r5 (mul u16 $r4h $r28l) $r5
    shl b32 $r5 $r5 0x10
    add $r5 (mul u16 $r4l $r28l) $r5
    shl b32 $r6 $r1 0x2
    add b32 $r5 $r5 $r6
    add b32 $r26 b32 s[b] $r5
    add b32 $r30 $r26 $r28
    shl b32 $r27 $r28 0x2
    // $a1 = &tile[t % 16][t / 16], rows of 17 words
    shl b32 $r5 $r1 0x4
    add b32 $r5 $r5 $r1
    add b32 $r5 $r5 $r2
    shl $a1 $r5 0x2
    mov b32 $r0 $r124
    mov b32 $r1 $r124
    mov b32 $r2 $r124
    mov b32 $r3 $r124
    mov b32 $r4 $r124
    mov b32 $r5 $r124
    mov b32 $r6 $r124
    mov b32 $r7 $r124
    mov b32 $r8 $r124
    mov b32 $r9 $r124
    mov b32 $r10 $r124
    mov b32 $r11 $r124
    mov b32 $r12 $r124
    mov b32 $r13 $r124
    mov b32 $r14 $r124
    mov b32 $r15 $r124
sixteen:
    ld b32 $r20 g14[$r26]
    add b32 $r29 $r26 $r27
    ld b32 $r21 g14[$r29]
    add b32 $r29 $r29 $r27
    ld b32 $r22 g14[$r29]
    add b32 $r29 $r29 $r27
    ld b32 $r23 g14[$r29]
    add b32 $r26 $r26 0x40
    ld b32 $r16 g14[$r24]
    add b32 $r24 $r24 $r25
    ld b32 $r17 g14[$r24]
    add b32 $r24 $r24 $r25
    ld b32 $r18 g14[$r24]
    add b32 $r24 $r24 $r25
    ld b32 $r19 g14[$r24]
    add b32 $r24 $r24 $r25
    st b32 s[$a1+tile] $r20
    st b32 s[$a1+tile+16] $r21
    st b32 s[$a1+tile+32] $r22
    st b32 s[$a1+tile+48] $r23
    bar inc wait 0x0 0xfff
    shl $a2 $r124 0x0
    ld b32 $r20 g14[$r24]
    add b32 $r24 $r24 $r25
    ld b32 $r21 g14[$r24]
    add b32 $r24 $r24 $r25
    ld b32 $r22 g14[$r24]
    add b32 $r24 $r24 $r25
    ld b32 $r23 g14[$r24]
    add b32 $r24 $r24 $r25
    add f32 $r0 (mul b32 s[$a2+tile+0] $r16) $r0
    add f32 $r1 (mul b32 s[$a2+tile+4] $r16) $r1
    add f32 $r2 (mul b32 s[$a2+tile+8] $r16) $r2
    add f32 $r3 (mul b32 s[$a2+tile+12] $r16) $r3
    add f32 $r4 (mul b32 s[$a2+tile+16] $r16) $r4
    add f32 $r5 (mul b32 s[$a2+tile+20] $r16) $r5
    add f32 $r6 (mul b32 s[$a2+tile+24] $r16) $r6
    add f32 $r7 (mul b32 s[$a2+tile+28] $r16) $r7
    add f32 $r8 (mul b32 s[$a2+tile+32] $r16) $r8
    add f32 $r9 (mul b32 s[$a2+tile+36] $r16) $r9
    add f32 $r10 (mul b32 s[$a2+tile+40] $r16) $r10
    add f32 $r11 (mul b32 s[$a2+tile+44] $r16) $r11
    add f32 $r12 (mul b32 s[$a2+tile+48] $r16) $r12
    add f32 $r13 (mul b32 s[$a2+tile+52] $r16) $r13
    add f32 $r14 (mul b32 s[$a2+tile+56] $r16) $r14
    add f32 $r15 (mul b32 s[$a2+tile+60] $r16) $r15
    add $a2 $a2 0x44
    add f32 $r0 (mul b32 s[$a2+tile+0] $r17) $r0
    add f32 $r1 (mul b32 s[$a2+tile+4] $r17) $r1
    add f32 $r2 (mul b32 s[$a2+tile+8] $r17) $r2
    add f32 $r3 (mul b32 s[$a2+tile+12] $r17) $r3
    add f32 $r4 (mul b32 s[$a2+tile+16] $r17) $r4
    add f32 $r5 (mul b32 s[$a2+tile+20] $r17) $r5
    add f32 $r6 (mul b32 s[$a2+tile+24] $r17) $r6
    add f32 $r7 (mul b32 s[$a2+tile+28] $r17) $r7
    add f32 $r8 (mul b32 s[$a2+tile+32] $r17) $r8
    add f32 $r9 (mul b32 s[$a2+tile+36] $r17) $r9
    add f32 $r10 (mul b32 s[$a2+tile+40] $r17) $r10
    add f32 $r11 (mul b32 s[$a2+tile+44] $r17) $r11
    add f32 $r12 (mul b32 s[$a2+tile+48] $r17) $r12
    add f32 $r13 (mul b32 s[$a2+tile+52] $r17) $r13
    add f32 $r14 (mul b32 s[$a2+tile+56] $r17) $r14
    add f32 $r15 (mul b32 s[$a2+tile+60] $r17) $r15
    add $a2 $a2 0x44
    add f32 $r0 (mul b32 s[$a2+tile+0] $r18) $r0
    add f32 $r1 (mul b32 s[$a2+tile+4] $r18) $r1
    add f32 $r2 (mul b32 s[$a2+tile+8] $r18) $r2
    add f32 $r3 (mul b32 s[$a2+tile+12] $r18) $r3
    add f32 $r4 (mul b32 s[$a2+tile+16] $r18) $r4
    add f32 $r5 (mul b32 s[$a2+tile+20] $r18) $r5
    add f32 $r6 (mul b32 s[$a2+tile+24] $r18) $r6
    add f32 $r7 (mul b32 s[$a2+tile+28] $r18) $r7
    add f32 $r8 (mul b32 s[$a2+tile+32] $r18) $r8
    add f32 $r9 (mul b32 s[$a2+tile+36] $r18) $r9
    add f32 $r10 (mul b32 s[$a2+tile+40] $r18) $r10
    add f32 $r11 (mul b32 s[$a2+tile+44] $r18) $r11
    add f32 $r12 (mul b32 s[$a2+tile+48] $r18) $r12
    add f32 $r13 (mul b32 s[$a2+tile+52] $r18) $r13
    add f32 $r14 (mul b32 s[$a2+tile+56] $r18) $r14
    add f32 $r15 (mul b32 s[$a2+tile+60] $r18) $r15
    add $a2 $a2 0x44
    add f32 $r0 (mul b32 s[$a2+tile+0] $r19) $r0
    add f32 $r1 (mul b32 s[$a2+tile+4] $r19) $r1
    add f32 $r2 (mul b32 s[$a2+tile+8] $r19) $r2
    add f32 $r3 (mul b32 s[$a2+tile+12] $r19) $r3
    add f32 $r4 (mul b32 s[$a2+tile+16] $r19) $r4
    add f32 $r5 (mul b32 s[$a2+tile+20] $r19) $r5
    add f32 $r6 (mul b32 s[$a2+tile+24] $r19) $r6
    add f32 $r7 (mul b32 s[$a2+tile+28] $r19) $r7
    add f32 $r8 (mul b32 s[$a2+tile+32] $r19) $r8
    add f32 $r9 (mul b32 s[$a2+tile+36] $r19) $r9
    add f32 $r10 (mul b32 s[$a2+tile+40] $r19) $r10
    add f32 $r11 (mul b32 s[$a2+tile+44] $r19) $r11
    add f32 $r12 (mul b32 s[$a2+tile+48] $r19) $r12
    add f32 $r13 (mul b32 s[$a2+tile+52] $r19) $r13
    add f32 $r14 (mul b32 s[$a2+tile+56] $r19) $r14
    add f32 $r15 (mul b32 s[$a2+tile+60] $r19) $r15
    add $a2 $a2 0x44
    ld b32 $r16 g14[$r24]
    add b32 $r24 $r24 $r25
    ld b32 $r17 g14[$r24]
    add b32 $r24 $r24 $r25
    ld b32 $r18 g14[$r24]
    add b32 $r24 $r24 $r25
    ld b32 $r19 g14[$r24]
    add b32 $r24 $r24 $r25
    add f32 $r0 (mul b32 s[$a2+tile+0] $r20) $r0
    add f32 $r1 (mul b32 s[$a2+tile+4] $r20) $r1
    add f32 $r2 (mul b32 s[$a2+tile+8] $r20) $r2
    add f32 $r3 (mul b32 s[$a2+tile+12] $r20) $r3
    add f32 $r4 (mul b32 s[$a2+tile+16] $r20) $r4
    add f32 $r5 (mul b32 s[$a2+tile+20] $r20) $r5
    add f32 $r6 (mul b32 s[$a2+tile+24] $r20) $r6
    add f32 $r7 (mul b32 s[$a2+tile+28] $r20) $r7
    add f32 $r8 (mul b32 s[$a2+tile+32] $r20) $r8
    add f32 $r9 (mul b32 s[$a2+tile+36] $r20) $r9
    add f32 $r10 (mul b32 s[$a2+tile+40] $r20) $r10
    add f32 $r11 (mul b32 s[$a2+tile+44] $r20) $r11
    add f32 $r12 (mul b32 s[$a2+tile+48] $r20) $r12
    add f32 $r13 (mul b32 s[$a2+tile+52] $r20) $r13
    add f32 $r14 (mul b32 s[$a2+tile+56] $r20) $r14
    add f32 $r15 (mul b32 s[$a2+tile+60] $r20) $r15
    add $a2 $a2 0x44
    add f32 $r0 (mul b32 s[$a2+tile+0] $r21) $r0
    add f32 $r1 (mul b32 s[$a2+tile+4] $r21) $r1
    add f32 $r2 (mul b32 s[$a2+tile+8] $r21) $r2
    add f32 $r3 (mul b32 s[$a2+tile+12] $r21) $r3
    add f32 $r4 (mul b32 s[$a2+tile+16] $r21) $r4
    add f32 $r5 (mul b32 s[$a2+tile+20] $r21) $r5
    add f32 $r6 (mul b32 s[$a2+tile+24] $r21) $r6
    add f32 $r7 (mul b32 s[$a2+tile+28] $r21) $r7
    add f32 $r8 (mul b32 s[$a2+tile+32] $r21) $r8
    add f32 $r9 (mul b32 s[$a2+tile+36] $r21) $r9
    add f32 $r10 (mul b32 s[$a2+tile+40] $r21) $r10
    add f32 $r11 (mul b32 s[$a2+tile+44] $r21) $r11
    add f32 $r12 (mul b32 s[$a2+tile+48] $r21) $r12
    add f32 $r13 (mul b32 s[$a2+tile+52] $r21) $r13
    add f32 $r14 (mul b32 s[$a2+tile+56] $r21) $r14
    add f32 $r15 (mul b32 s[$a2+tile+60] $r21) $r15
    add $a2 $a2 0x44
    add f32 $r0 (mul b32 s[$a2+tile+0] $r22) $r0
    add f32 $r1 (mul b32 s[$a2+tile+4] $r22) $r1
    add f32 $r2 (mul b32 s[$a2+tile+8] $r22) $r2
    add f32 $r3 (mul b32 s[$a2+tile+12] $r22) $r3
    add f32 $r4 (mul b32 s[$a2+tile+16] $r22) $r4
    add f32 $r5 (mul b32 s[$a2+tile+20] $r22) $r5
    add f32 $r6 (mul b32 s[$a2+tile+24] $r22) $r6
    add f32 $r7 (mul b32 s[$a2+tile+28] $r22) $r7
    add f32 $r8 (mul b32 s[$a2+tile+32] $r22) $r8
    add f32 $r9 (mul b32 s[$a2+tile+36] $r22) $r9
    add f32 $r10 (mul b32 s[$a2+tile+40] $r22) $r10
    add f32 $r11 (mul b32 s[$a2+tile+44] $r22) $r11
    add f32 $r12 (mul b32 s[$a2+tile+48] $r22) $r12
    add f32 $r13 (mul b32 s[$a2+tile+52] $r22) $r13
    add f32 $r14 (mul b32 s[$a2+tile+56] $r22) $r14
    add f32 $r15 (mul b32 s[$a2+tile+60] $r22) $r15
    add $a2 $a2 0x44
    add f32 $r0 (mul b32 s[$a2+tile+0] $r23) $r0
    add f32 $r1 (mul b32 s[$a2+tile+4] $r23) $r1
    add f32 $r2 (mul b32 s[$a2+tile+8] $r23) $r2
    add f32 $r3 (mul b32 s[$a2+tile+12] $r23) $r3
    add f32 $r4 (mul b32 s[$a2+tile+16] $r23) $r4
    add f32 $r5 (mul b32 s[$a2+tile+20] $r23) $r5
    add f32 $r6 (mul b32 s[$a2+tile+24] $r23) $r6
    add f32 $r7 (mul b32 s[$a2+tile+28] $r23) $r7
    add f32 $r8 (mul b32 s[$a2+tile+32] $r23) $r8
    add f32 $r9 (mul b32 s[$a2+tile+36] $r23) $r9
    add f32 $r10 (mul b32 s[$a2+tile+40] $r23) $r10
    add f32 $r11 (mul b32 s[$a2+tile+44] $r23) $r11
    add f32 $r12 (mul b32 s[$a2+tile+48] $r23) $r12
    add f32 $r13 (mul b32 s[$a2+tile+52] $r23) $r13
    add f32 $r14 (mul b32 s[$a2+tile+56] $r23) $r14
    add f32 $r15 (mul b32 s[$a2+tile+60] $r23) $r15
    add $a2 $a2 0x44
    ld b32 $r20 g14[$r24]
    add b32 $r24 $r24 $r25
    ld b32 $r21 g14[$r24]
    add b32 $r24 $r24 $r25
    ld b32 $r22 g14[$r24]
    add b32 $r24 $r24 $r25
    ld b32 $r23 g14[$r24]
    add b32 $r24 $r24 $r25
    add f32 $r0 (mul b32 s[$a2+tile+0] $r16) $r0
    add f32 $r1 (mul b32 s[$a2+tile+4] $r16) $r1
    add f32 $r2 (mul b32 s[$a2+tile+8] $r16) $r2
    add f32 $r3 (mul b32 s[$a2+tile+12] $r16) $r3
    add f32 $r4 (mul b32 s[$a2+tile+16] $r16) $r4
    add f32 $r5 (mul b32 s[$a2+tile+20] $r16) $r5
    add f32 $r6 (mul b32 s[$a2+tile+24] $r16) $r6
    add f32 $r7 (mul b32 s[$a2+tile+28] $r16) $r7
    add f32 $r8 (mul b32 s[$a2+tile+32] $r16) $r8
    add f32 $r9 (mul b32 s[$a2+tile+36] $r16) $r9
    add f32 $r10 (mul b32 s[$a2+tile+40] $r16) $r10
    add f32 $r11 (mul b32 s[$a2+tile+44] $r16) $r11
    add f32 $r12 (mul b32 s[$a2+tile+48] $r16) $r12
    add f32 $r13 (mul b32 s[$a2+tile+52] $r16) $r13
    add f32 $r14 (mul b32 s[$a2+tile+56] $r16) $r14
    add f32 $r15 (mul b32 s[$a2+tile+60] $r16) $r15
    add $a2 $a2 0x44
    add f32 $r0 (mul b32 s[$a2+tile+0] $r17) $r0
    add f32 $r1 (mul b32 s[$a2+tile+4] $r17) $r1
    add f32 $r2 (mul b32 s[$a2+tile+8] $r17) $r2
    add f32 $r3 (mul b32 s[$a2+tile+12] $r17) $r3
    add f32 $r4 (mul b32 s[$a2+tile+16] $r17) $r4
    add f32 $r5 (mul b32 s[$a2+tile+20] $r17) $r5
    add f32 $r6 (mul b32 s[$a2+tile+24] $r17) $r6
    add f32 $r7 (mul b32 s[$a2+tile+28] $r17) $r7
    add f32 $r8 (mul b32 s[$a2+tile+32] $r17) $r8
    add f32 $r9 (mul b32 s[$a2+tile+36] $r17) $r9
    add f32 $r10 (mul b32 s[$a2+tile+40] $r17) $r10
    add f32 $r11 (mul b32 s[$a2+tile+44] $r17) $r11
    add f32 $r12 (mul b32 s[$a2+tile+48] $r17) $r12
    add f32 $r13 (mul b32 s[$a2+tile+52] $r17) $r13
    add f32 $r14 (mul b32 s[$a2+tile+56] $r17) $r14
    add f32 $r15 (mul b32 s[$a2+tile+60] $r17) $r15
    add $a2 $a2 0x44
    add f32 $r0 (mul b32 s[$a2+tile+0] $r18) $r0
    add f32 $r1 (mul b32 s[$a2+tile+4] $r18) $r1
    add f32 $r2 (mul b32 s[$a2+tile+8] $r18) $r2
    add f32 $r3 (mul b32 s[$a2+tile+12] $r18) $r3
    add f32 $r4 (mul b32 s[$a2+tile+16] $r18) $r4
    add f32 $r5 (mul b32 s[$a2+tile+20] $r18) $r5
    add f32 $r6 (mul b32 s[$a2+tile+24] $r18) $r6
    add f32 $r7 (mul b32 s[$a2+tile+28] $r18) $r7
    add f32 $r8 (mul b32 s[$a2+tile+32] $r18) $r8
    add f32 $r9 (mul b32 s[$a2+tile+36] $r18) $r9
    add f32 $r10 (mul b32 s[$a2+tile+40] $r18) $r10
    add f32 $r11 (mul b32 s[$a2+tile+44] $r18) $r11
    add f32 $r12 (mul b32 s[$a2+tile+48] $r18) $r12
    add f32 $r13 (mul b32 s[$a2+tile+52] $r18) $r13
    add f32 $r14 (mul b32 s[$a2+tile+56] $r18) $r14
    add f32 $r15 (mul b32 s[$a2+tile+60] $r18) $r15
    add $a2 $a2 0x44
    add f32 $r0 (mul b32 s[$a2+tile+0] $r19) $r0
    add f32 $r1 (mul b32 s[$a2+tile+4] $r19) $r1
    add f32 $r2 (mul b32 s[$a2+tile+8] $r19) $r2
    add f32 $r3 (mul b32 s[$a2+tile+12] $r19) $r3
    add f32 $r4 (mul b32 s[$a2+tile+16] $r19) $r4
    add f32 $r5 (mul b32 s[$a2+tile+20] $r19) $r5
    add f32 $r6 (mul b32 s[$a2+tile+24] $r19) $r6
    add f32 $r7 (mul b32 s[$a2+tile+28] $r19) $r7
    add f32 $r8 (mul b32 s[$a2+tile+32] $r19) $r8
    add f32 $r9 (mul b32 s[$a2+tile+36] $r19) $r9
    add f32 $r10 (mul b32 s[$a2+tile+40] $r19) $r10
    add f32 $r11 (mul b32 s[$a2+tile+44] $r19) $r11
    add f32 $r12 (mul b32 s[$a2+tile+48] $r19) $r12
    add f32 $r13 (mul b32 s[$a2+tile+52] $r19) $r13
    add f32 $r14 (mul b32 s[$a2+tile+56] $r19) $r14
    add f32 $r15 (mul b32 s[$a2+tile+60] $r19) $r15
    add $a2 $a2 0x44
    add f32 $r0 (mul b32 s[$a2+tile+0] $r20) $r0
    add f32 $r1 (mul b32 s[$a2+tile+4] $r20) $r1
    add f32 $r2 (mul b32 s[$a2+tile+8] $r20) $r2
    add f32 $r3 (mul b32 s[$a2+tile+12] $r20) $r3
    add f32 $r4 (mul b32 s[$a2+tile+16] $r20) $r4
    add f32 $r5 (mul b32 s[$a2+tile+20] $r20) $r5
    add f32 $r6 (mul b32 s[$a2+tile+24] $r20) $r6
    add f32 $r7 (mul b32 s[$a2+tile+28] $r20) $r7
    add f32 $r8 (mul b32 s[$a2+tile+32] $r20) $r8
    add f32 $r9 (mul b32 s[$a2+tile+36] $r20) $r9
    add f32 $r10 (mul b32 s[$a2+tile+40] $r20) $r10
    add f32 $r11 (mul b32 s[$a2+tile+44] $r20) $r11
    add f32 $r12 (mul b32 s[$a2+tile+48] $r20) $r12
    add f32 $r13 (mul b32 s[$a2+tile+52] $r20) $r13
    add f32 $r14 (mul b32 s[$a2+tile+56] $r20) $r14
    add f32 $r15 (mul b32 s[$a2+tile+60] $r20) $r15
    add $a2 $a2 0x44
    add f32 $r0 (mul b32 s[$a2+tile+0] $r21) $r0
    add f32 $r1 (mul b32 s[$a2+tile+4] $r21) $r1
    add f32 $r2 (mul b32 s[$a2+tile+8] $r21) $r2
    add f32 $r3 (mul b32 s[$a2+tile+12] $r21) $r3
    add f32 $r4 (mul b32 s[$a2+tile+16] $r21) $r4
    add f32 $r5 (mul b32 s[$a2+tile+20] $r21) $r5
    add f32 $r6 (mul b32 s[$a2+tile+24] $r21) $r6
    add f32 $r7 (mul b32 s[$a2+tile+28] $r21) $r7
    add f32 $r8 (mul b32 s[$a2+tile+32] $r21) $r8
    add f32 $r9 (mul b32 s[$a2+tile+36] $r21) $r9
    add f32 $r10 (mul b32 s[$a2+tile+40] $r21) $r10
    add f32 $r11 (mul b32 s[$a2+tile+44] $r21) $r11
    add f32 $r12 (mul b32 s[$a2+tile+48] $r21) $r12
    add f32 $r13 (mul b32 s[$a2+tile+52] $r21) $r13
    add f32 $r14 (mul b32 s[$a2+tile+56] $r21) $r14
    add f32 $r15 (mul b32 s[$a2+tile+60] $r21) $r15
    add $a2 $a2 0x44
    add f32 $r0 (mul b32 s[$a2+tile+0] $r22) $r0
    add f32 $r1 (mul b32 s[$a2+tile+4] $r22) $r1
    add f32 $r2 (mul b32 s[$a2+tile+8] $r22) $r2
    add f32 $r3 (mul b32 s[$a2+tile+12] $r22) $r3
    add f32 $r4 (mul b32 s[$a2+tile+16] $r22) $r4
    add f32 $r5 (mul b32 s[$a2+tile+20] $r22) $r5
    add f32 $r6 (mul b32 s[$a2+tile+24] $r22) $r6
    add f32 $r7 (mul b32 s[$a2+tile+28] $r22) $r7
    add f32 $r8 (mul b32 s[$a2+tile+32] $r22) $r8
    add f32 $r9 (mul b32 s[$a2+tile+36] $r22) $r9
    add f32 $r10 (mul b32 s[$a2+tile+40] $r22) $r10
    add f32 $r11 (mul b32 s[$a2+tile+44] $r22) $r11
    add f32 $r12 (mul b32 s[$a2+tile+48] $r22) $r12
    add f32 $r13 (mul b32 s[$a2+tile+52] $r22) $r13
    add f32 $r14 (mul b32 s[$a2+tile+56] $r22) $r14
    add f32 $r15 (mul b32 s[$a2+tile+60] $r22) $r15
    add $a2 $a2 0x44
    add f32 $r0 (mul b32 s[$a2+tile+0] $r23) $r0
    add f32 $r1 (mul b32 s[$a2+tile+4] $r23) $r1
    add f32 $r2 (mul b32 s[$a2+tile+8] $r23) $r2
    add f32 $r3 (mul b32 s[$a2+tile+12] $r23) $r3
    add f32 $r4 (mul b32 s[$a2+tile+16] $r23) $r4
    add f32 $r5 (mul b32 s[$a2+tile+20] $r23) $r5
    add f32 $r6 (mul b32 s[$a2+tile+24] $r23) $r6
    add f32 $r7 (mul b32 s[$a2+tile+28] $r23) $r7
    add f32 $r8 (mul b32 s[$a2+tile+32] $r23) $r8
    add f32 $r9 (mul b32 s[$a2+tile+36] $r23) $r9
    add f32 $r10 (mul b32 s[$a2+tile+40] $r23) $r10
    add f32 $r11 (mul b32 s[$a2+tile+44] $r23) $r11
    add f32 $r12 (mul b32 s[$a2+tile+48] $r23) $r12
    add f32 $r13 (mul b32 s[$a2+tile+52] $r23) $r13
    add f32 $r14 (mul b32 s[$a2+tile+56] $r23) $r14
    add f32 $r15 (mul b32 s[$a2+tile+60] $r23) $r15
    bar inc wait 0x0 0xfff
    set $c0 # l u32 $r26 $r30
    (lg $c0) bra sixteen

    st b32 g14[$r31] $r0
    add b32 $r31 $r31 $r25
    st b32 g14[$r31] $r1
    add b32 $r31 $r31 $r25
    st b32 g14[$r31] $r2
    add b32 $r31 $r31 $r25
    st b32 g14[$r31] $r3
    add b32 $r31 $r31 $r25
    st b32 g14[$r31] $r4
    add b32 $r31 $r31 $r25
    st b32 g14[$r31] $r5
    add b32 $r31 $r31 $r25
    st b32 g14[$r31] $r6
    add b32 $r31 $r31 $r25
    st b32 g14[$r31] $r7
    add b32 $r31 $r31 $r25
    st b32 g14[$r31] $r8
    add b32 $r31 $r31 $r25
    st b32 g14[$r31] $r9
    add b32 $r31 $r31 $r25
    st b32 g14[$r31] $r10
    add b32 $r31 $r31 $r25
    st b32 g14[$r31] $r11
    add b32 $r31 $r31 $r25
    st b32 g14[$r31] $r12
    add b32 $r31 $r31 $r25
    st b32 g14[$r31] $r13
    add b32 $r31 $r31 $r25
    st b32 g14[$r31] $r14
    add b32 $r31 $r31 $r25
    exit st b32 g14[$r31] $r15
.end
