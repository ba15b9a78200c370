// Four kernels of transpose.s that repeat their work `reps` times in the kernel: the second column of the table of
// Ruetsch and Micikevicius, "Optimizing Matrix Transpose in CUDA" (2010).
.target sm_13

// out = in
.entry copy_in_loop
.param u64 odata
.param u64 idata
.param u32 width
.param u32 height
.param u32 reps

    // $r1 = tid.x, $r2 = tid.y, $r3 = block x, $r4 = block y
    cvt u32 $r1 u16 $r0l
    shr u32 $r2 $r0 0x10
    cvt u32 $r3 u16 u16 s[%ctaid.x]
    cvt u32 $r4 u16 u16 s[%ctaid.y]
    // $r9 = &idata[y][x], $r10 = &odata[y][x]
    shl b32 $r6 $r3 0x5
    shl b32 $r7 $r4 0x5
    add b32 $r6 $r6 $r1
    add b32 $r7 $r7 $r2
    mov b32 $r5 b32 s[width]
    mul $r8 u16 $r7l u16 $r5h
    add $r8 (mul u16 $r7h $r5l) $r8
    shl b32 $r8 $r8 0x10
    add $r8 (mul u16 $r7l $r5l) $r8
    add b32 $r8 $r8 $r6
    shl b32 $r8 $r8 0x2
    add b32 $r9 b32 s[idata] $r8
    add b32 $r10 b32 s[odata] $r8
    // $r9, $r6, $r7, $r8 = four rows of idata, 8 apart; $r10, $r13, $r14, $r15 those of odata
    shl b32 $r5 $r5 0x5
    add b32 $r6 $r9 $r5
    add b32 $r7 $r6 $r5
    add b32 $r8 $r7 $r5
    add b32 $r13 $r10 $r5
    add b32 $r14 $r13 $r5
    add b32 $r15 $r14 $r5
    mov b32 $r12 b32 s[reps]
again:
    ld b32 $r11 g14[$r9]
    st b32 g14[$r10] $r11
    ld b32 $r11 g14[$r6]
    st b32 g14[$r13] $r11
    ld b32 $r11 g14[$r7]
    st b32 g14[$r14] $r11
    ld b32 $r11 g14[$r8]
    st b32 g14[$r15] $r11
    sub b32 $r12 $r12 0x1
    set $c0 # lg u32 $r12 $r124
    (lg $c0) bra again
    exit nop
.end

// out = in, through shared memory
.entry copy_shared_in_loop
.param u64 odata
.param u64 idata
.param u32 width
.param u32 height
.param u32 reps
.shared tile 4096

    // $r1 = tid.x, $r2 = tid.y, $r3 = block x, $r4 = block y
    cvt u32 $r1 u16 $r0l
    shr u32 $r2 $r0 0x10
    cvt u32 $r3 u16 u16 s[%ctaid.x]
    cvt u32 $r4 u16 u16 s[%ctaid.y]
    // $r9 = &idata[y][x], $r10 = &odata[y][x]
    shl b32 $r6 $r3 0x5
    shl b32 $r7 $r4 0x5
    add b32 $r6 $r6 $r1
    add b32 $r7 $r7 $r2
    mov b32 $r5 b32 s[width]
    mul $r8 u16 $r7l u16 $r5h
    add $r8 (mul u16 $r7h $r5l) $r8
    shl b32 $r8 $r8 0x10
    add $r8 (mul u16 $r7l $r5l) $r8
    add b32 $r8 $r8 $r6
    shl b32 $r8 $r8 0x2
    add b32 $r9 b32 s[idata] $r8
    add b32 $r10 b32 s[odata] $r8
    // $a1 = &tile[tid.y][tid.x]
    shl b32 $r6 $r2 0x5
    add b32 $r6 $r6 $r1
    shl $a1 $r6 0x2
    // $r9, $r6, $r7, $r8 = four rows of idata, 8 apart; $r10, $r1, $r2, $r3 those of odata
    mov b32 $r5 b32 s[width]
    shl b32 $r5 $r5 0x5
    add b32 $r6 $r9 $r5
    add b32 $r7 $r6 $r5
    add b32 $r8 $r7 $r5
    mov b32 $r5 b32 s[height]
    shl b32 $r5 $r5 0x5
    add b32 $r1 $r10 $r5
    add b32 $r2 $r1 $r5
    add b32 $r3 $r2 $r5
    mov b32 $r15 b32 s[reps]
again:
    ld b32 $r11 g14[$r9]
    ld b32 $r12 g14[$r6]
    ld b32 $r13 g14[$r7]
    ld b32 $r14 g14[$r8]
    st b32 s[$a1+tile+0] $r11
    st b32 s[$a1+tile+1024] $r12
    st b32 s[$a1+tile+2048] $r13
    st b32 s[$a1+tile+3072] $r14
    bar inc wait 0x0 0xfff
    ld $r11 b32 s[$a1+tile+0]
    st b32 g14[$r10] $r11
    ld $r11 b32 s[$a1+tile+1024]
    st b32 g14[$r1] $r11
    ld $r11 b32 s[$a1+tile+2048]
    st b32 g14[$r2] $r11
    ld $r11 b32 s[$a1+tile+3072]
    st b32 g14[$r3] $r11
    sub b32 $r15 $r15 0x1
    set $c0 # lg u32 $r15 $r124
    (lg $c0) bra again
    exit nop
.end

// Transposed, without bank conflicts
.entry conflict_free_in_loop
.param u64 odata
.param u64 idata
.param u32 width
.param u32 height
.param u32 reps
.shared tile 4224

    // $r1 = tid.x, $r2 = tid.y, $r3 = block x, $r4 = block y
    cvt u32 $r1 u16 $r0l
    shr u32 $r2 $r0 0x10
    cvt u32 $r3 u16 u16 s[%ctaid.x]
    cvt u32 $r4 u16 u16 s[%ctaid.y]
    // $r9 = &idata[y][x]
    shl b32 $r6 $r3 0x5
    shl b32 $r7 $r4 0x5
    add b32 $r6 $r6 $r1
    add b32 $r7 $r7 $r2
    mov b32 $r5 b32 s[width]
    mul $r8 u16 $r7l u16 $r5h
    add $r8 (mul u16 $r7h $r5l) $r8
    shl b32 $r8 $r8 0x10
    add $r8 (mul u16 $r7l $r5l) $r8
    add b32 $r8 $r8 $r6
    shl b32 $r8 $r8 0x2
    add b32 $r9 b32 s[idata] $r8
    // $r10 = &odata[row of the tile's columns][column of its rows]
    shl b32 $r6 $r4 0x5
    shl b32 $r7 $r3 0x5
    add b32 $r6 $r6 $r1
    add b32 $r7 $r7 $r2
    mov b32 $r5 b32 s[height]
    mul $r8 u16 $r7l u16 $r5h
    add $r8 (mul u16 $r7h $r5l) $r8
    shl b32 $r8 $r8 0x10
    add $r8 (mul u16 $r7l $r5l) $r8
    add b32 $r8 $r8 $r6
    shl b32 $r8 $r8 0x2
    add b32 $r10 b32 s[odata] $r8
    // $a1 = &tile[tid.y][tid.x]
    shl b32 $r6 $r2 0x5
    add b32 $r6 $r6 $r1
    add b32 $r6 $r6 $r2
    shl $a1 $r6 0x2
    // $a2 = &tile[tid.x][tid.y]
    shl b32 $r6 $r1 0x5
    add b32 $r6 $r6 $r2
    add b32 $r6 $r6 $r1
    shl $a2 $r6 0x2
    // $r9, $r6, $r7, $r8 = four rows of idata, 8 apart; $r10, $r1, $r2, $r3 those of odata
    mov b32 $r5 b32 s[width]
    shl b32 $r5 $r5 0x5
    add b32 $r6 $r9 $r5
    add b32 $r7 $r6 $r5
    add b32 $r8 $r7 $r5
    mov b32 $r5 b32 s[height]
    shl b32 $r5 $r5 0x5
    add b32 $r1 $r10 $r5
    add b32 $r2 $r1 $r5
    add b32 $r3 $r2 $r5
    mov b32 $r15 b32 s[reps]
again:
    ld b32 $r11 g14[$r9]
    ld b32 $r12 g14[$r6]
    ld b32 $r13 g14[$r7]
    ld b32 $r14 g14[$r8]
    st b32 s[$a1+tile+0] $r11
    st b32 s[$a1+tile+1056] $r12
    st b32 s[$a1+tile+2112] $r13
    st b32 s[$a1+tile+3168] $r14
    bar inc wait 0x0 0xfff
    ld $r11 b32 s[$a2+tile+0]
    st b32 g14[$r10] $r11
    ld $r11 b32 s[$a2+tile+32]
    st b32 g14[$r1] $r11
    ld $r11 b32 s[$a2+tile+64]
    st b32 g14[$r2] $r11
    ld $r11 b32 s[$a2+tile+96]
    st b32 g14[$r3] $r11
    sub b32 $r15 $r15 0x1
    set $c0 # lg u32 $r15 $r124
    (lg $c0) bra again
    exit nop
.end

// conflict_free_in_loop, with concurrent blocks spread over the partitions; for square matrices
.entry diagonal_in_loop
.param u64 odata
.param u64 idata
.param u32 width
.param u32 height
.param u32 reps
.shared tile 4224

    // $r1 = tid.x, $r2 = tid.y, $r3 = block x, $r4 = block y
    cvt u32 $r1 u16 $r0l
    shr u32 $r2 $r0 0x10
    cvt u32 $r3 u16 u16 s[%ctaid.x]
    cvt u32 $r4 u16 u16 s[%ctaid.y]
    // Diagonal order of blocks: y = block x, x = (block x + block y) modulo the blocks in x
    add b32 $r5 $r3 $r4
    mov b32 $r4 $r3
    cvt u32 $r6 u16 u16 s[%nctaid.x]
    cvt rp f32 $r7 u32 $r6
    rcp f32 $r7 $r7
    add b32 $r7 $r7 0xfffffffe
    cvt rz f32 $r8 u32 $r5
    mul rz f32 $r8 $r8 $r7
    cvt rzi u32 $r8 f32 $r8
    mul $r9 u16 $r8l u16 $r6h
    add $r9 (mul u16 $r8h $r6l) $r9
    shl b32 $r9 $r9 0x10
    add $r9 (mul u16 $r8l $r6l) $r9
    sub b32 $r3 $r5 $r9
    cvt rz f32 $r8 u32 $r3
    mul rz f32 $r8 $r8 $r7
    cvt rzi u32 $r8 f32 $r8
    mul $r9 u16 $r8l u16 $r6h
    add $r9 (mul u16 $r8h $r6l) $r9
    shl b32 $r9 $r9 0x10
    add $r9 (mul u16 $r8l $r6l) $r9
    sub b32 $r3 $r3 $r9
    set $c0 # ge u32 $r3 $r6
    (lg $c0) sub b32 $r3 $r3 $r6
    // $r9 = &idata[y][x]
    shl b32 $r6 $r3 0x5
    shl b32 $r7 $r4 0x5
    add b32 $r6 $r6 $r1
    add b32 $r7 $r7 $r2
    mov b32 $r5 b32 s[width]
    mul $r8 u16 $r7l u16 $r5h
    add $r8 (mul u16 $r7h $r5l) $r8
    shl b32 $r8 $r8 0x10
    add $r8 (mul u16 $r7l $r5l) $r8
    add b32 $r8 $r8 $r6
    shl b32 $r8 $r8 0x2
    add b32 $r9 b32 s[idata] $r8
    // $r10 = &odata[row of the tile's columns][column of its rows]
    shl b32 $r6 $r4 0x5
    shl b32 $r7 $r3 0x5
    add b32 $r6 $r6 $r1
    add b32 $r7 $r7 $r2
    mov b32 $r5 b32 s[height]
    mul $r8 u16 $r7l u16 $r5h
    add $r8 (mul u16 $r7h $r5l) $r8
    shl b32 $r8 $r8 0x10
    add $r8 (mul u16 $r7l $r5l) $r8
    add b32 $r8 $r8 $r6
    shl b32 $r8 $r8 0x2
    add b32 $r10 b32 s[odata] $r8
    // $a1 = &tile[tid.y][tid.x]
    shl b32 $r6 $r2 0x5
    add b32 $r6 $r6 $r1
    add b32 $r6 $r6 $r2
    shl $a1 $r6 0x2
    // $a2 = &tile[tid.x][tid.y]
    shl b32 $r6 $r1 0x5
    add b32 $r6 $r6 $r2
    add b32 $r6 $r6 $r1
    shl $a2 $r6 0x2
    // $r9, $r6, $r7, $r8 = four rows of idata, 8 apart; $r10, $r1, $r2, $r3 those of odata
    mov b32 $r5 b32 s[width]
    shl b32 $r5 $r5 0x5
    add b32 $r6 $r9 $r5
    add b32 $r7 $r6 $r5
    add b32 $r8 $r7 $r5
    mov b32 $r5 b32 s[height]
    shl b32 $r5 $r5 0x5
    add b32 $r1 $r10 $r5
    add b32 $r2 $r1 $r5
    add b32 $r3 $r2 $r5
    mov b32 $r15 b32 s[reps]
again:
    ld b32 $r11 g14[$r9]
    ld b32 $r12 g14[$r6]
    ld b32 $r13 g14[$r7]
    ld b32 $r14 g14[$r8]
    st b32 s[$a1+tile+0] $r11
    st b32 s[$a1+tile+1056] $r12
    st b32 s[$a1+tile+2112] $r13
    st b32 s[$a1+tile+3168] $r14
    bar inc wait 0x0 0xfff
    ld $r11 b32 s[$a2+tile+0]
    st b32 g14[$r10] $r11
    ld $r11 b32 s[$a2+tile+32]
    st b32 g14[$r1] $r11
    ld $r11 b32 s[$a2+tile+64]
    st b32 g14[$r2] $r11
    ld $r11 b32 s[$a2+tile+96]
    st b32 g14[$r3] $r11
    sub b32 $r15 $r15 0x1
    set $c0 # lg u32 $r15 $r124
    (lg $c0) bra again
    exit nop
.end
