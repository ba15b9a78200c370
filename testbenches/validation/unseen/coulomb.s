// Coulomb potential of atoms on the points of a plane (Stone et al., J. Comput. Chem. 28, 2007). An atom in constant memory
// is its x, its y, the square of its distance from the plane, and its charge; a thread adds it to four or eight points of a
// row, the width of a block apart. As the source counts operations, a pair takes 7, and each atom 3 more per thread. NVIDIA's
// compiler takes c[] operands where it can; so does this.
.target sm_10
.const atoms 64000

.entry coulomb_4
.param u64 energy
.param s32 count
.param s32 pitch
.param f32 spacing

    // $r0 = &energy of the first point, $r1, $r2 = its position, $r3 = distance of the points, $r4 and on = their sums
    cvt u32 $r1 u16 $r0l
    cvt u32 $r2 u16 $r0h
    shl b32 $r3 u16 s[%ctaid.x] 0x6
    add b32 $r1 $r3 $r1
    shl b32 $r3 u16 s[%ctaid.y] 0x3
    add b32 $r2 $r3 $r2
    mov b32 $r3 b32 s[pitch]
    mul $r0 u16 $r2l u16 $r3l
    add b32 $r0 $r0 $r1
    shl b32 $r0 $r0 0x2
    add b32 $r0 b32 s[energy] $r0
    cvt rn f32 $r1 u32 $r1
    cvt rn f32 $r2 u32 $r2
    mul rn f32 $r1 b32 s[spacing] $r1
    mul rn f32 $r2 b32 s[spacing] $r2
    mov b32 $r3 16.0
    mul rn f32 $r3 b32 s[spacing] $r3
    mov b32 $r4 $r124
    mov b32 $r5 $r124
    mov b32 $r6 $r124
    mov b32 $r7 $r124
    mov b32 $r11 b32 s[count]
    shl $a1 $r124 0x0
next_atom:
    add rn f32 $r8 $r2 neg c0[$a1+atoms+4]
    add f32 $r9 (mul $r8 $r8) c0[$a1+atoms+8]
    add rn f32 $r8 $r1 neg c0[$a1+atoms]
    add f32 $r10 (mul $r8 $r8) $r9
    rsqrt f32 $r10 $r10
    add rn f32 $r8 $r8 $r3
    add f32 $r4 (mul $r10 c0[$a1+atoms+12]) $r4
    add f32 $r10 (mul $r8 $r8) $r9
    rsqrt f32 $r10 $r10
    add rn f32 $r8 $r8 $r3
    add f32 $r5 (mul $r10 c0[$a1+atoms+12]) $r5
    add f32 $r10 (mul $r8 $r8) $r9
    rsqrt f32 $r10 $r10
    add rn f32 $r8 $r8 $r3
    add f32 $r6 (mul $r10 c0[$a1+atoms+12]) $r6
    add f32 $r10 (mul $r8 $r8) $r9
    rsqrt f32 $r10 $r10
    add f32 $r7 (mul $r10 c0[$a1+atoms+12]) $r7
    add $a1 $a1 0x10
    add b32 $r11 $r11 0xffffffff
    set $c0 # lg s32 $r11 $r124
    (lg $c0) bra next_atom

    ld b32 $r10 g14[$r0]
    add rn f32 $r10 $r10 $r4
    st b32 g14[$r0] $r10
    add b32 $r0 $r0 0x40
    ld b32 $r10 g14[$r0]
    add rn f32 $r10 $r10 $r5
    st b32 g14[$r0] $r10
    add b32 $r0 $r0 0x40
    ld b32 $r10 g14[$r0]
    add rn f32 $r10 $r10 $r6
    st b32 g14[$r0] $r10
    add b32 $r0 $r0 0x40
    ld b32 $r10 g14[$r0]
    add rn f32 $r10 $r10 $r7
    st b32 g14[$r0] $r10
    exit nop
.end

.entry coulomb_8
.param u64 energy
.param s32 count
.param s32 pitch
.param f32 spacing

    // $r0 = &energy of the first point, $r1, $r2 = its position, $r3 = distance of the points, $r4 and on = their sums
    cvt u32 $r1 u16 $r0l
    cvt u32 $r2 u16 $r0h
    shl b32 $r3 u16 s[%ctaid.x] 0x7
    add b32 $r1 $r3 $r1
    shl b32 $r3 u16 s[%ctaid.y] 0x3
    add b32 $r2 $r3 $r2
    mov b32 $r3 b32 s[pitch]
    mul $r0 u16 $r2l u16 $r3l
    add b32 $r0 $r0 $r1
    shl b32 $r0 $r0 0x2
    add b32 $r0 b32 s[energy] $r0
    cvt rn f32 $r1 u32 $r1
    cvt rn f32 $r2 u32 $r2
    mul rn f32 $r1 b32 s[spacing] $r1
    mul rn f32 $r2 b32 s[spacing] $r2
    mov b32 $r3 16.0
    mul rn f32 $r3 b32 s[spacing] $r3
    mov b32 $r4 $r124
    mov b32 $r5 $r124
    mov b32 $r6 $r124
    mov b32 $r7 $r124
    mov b32 $r8 $r124
    mov b32 $r9 $r124
    mov b32 $r10 $r124
    mov b32 $r11 $r124
    mov b32 $r15 b32 s[count]
    shl $a1 $r124 0x0
next_atom:
    add rn f32 $r12 $r2 neg c0[$a1+atoms+4]
    add f32 $r13 (mul $r12 $r12) c0[$a1+atoms+8]
    add rn f32 $r12 $r1 neg c0[$a1+atoms]
    add f32 $r14 (mul $r12 $r12) $r13
    rsqrt f32 $r14 $r14
    add rn f32 $r12 $r12 $r3
    add f32 $r4 (mul $r14 c0[$a1+atoms+12]) $r4
    add f32 $r14 (mul $r12 $r12) $r13
    rsqrt f32 $r14 $r14
    add rn f32 $r12 $r12 $r3
    add f32 $r5 (mul $r14 c0[$a1+atoms+12]) $r5
    add f32 $r14 (mul $r12 $r12) $r13
    rsqrt f32 $r14 $r14
    add rn f32 $r12 $r12 $r3
    add f32 $r6 (mul $r14 c0[$a1+atoms+12]) $r6
    add f32 $r14 (mul $r12 $r12) $r13
    rsqrt f32 $r14 $r14
    add rn f32 $r12 $r12 $r3
    add f32 $r7 (mul $r14 c0[$a1+atoms+12]) $r7
    add f32 $r14 (mul $r12 $r12) $r13
    rsqrt f32 $r14 $r14
    add rn f32 $r12 $r12 $r3
    add f32 $r8 (mul $r14 c0[$a1+atoms+12]) $r8
    add f32 $r14 (mul $r12 $r12) $r13
    rsqrt f32 $r14 $r14
    add rn f32 $r12 $r12 $r3
    add f32 $r9 (mul $r14 c0[$a1+atoms+12]) $r9
    add f32 $r14 (mul $r12 $r12) $r13
    rsqrt f32 $r14 $r14
    add rn f32 $r12 $r12 $r3
    add f32 $r10 (mul $r14 c0[$a1+atoms+12]) $r10
    add f32 $r14 (mul $r12 $r12) $r13
    rsqrt f32 $r14 $r14
    add f32 $r11 (mul $r14 c0[$a1+atoms+12]) $r11
    add $a1 $a1 0x10
    add b32 $r15 $r15 0xffffffff
    set $c0 # lg s32 $r15 $r124
    (lg $c0) bra next_atom

    ld b32 $r14 g14[$r0]
    add rn f32 $r14 $r14 $r4
    st b32 g14[$r0] $r14
    add b32 $r0 $r0 0x40
    ld b32 $r14 g14[$r0]
    add rn f32 $r14 $r14 $r5
    st b32 g14[$r0] $r14
    add b32 $r0 $r0 0x40
    ld b32 $r14 g14[$r0]
    add rn f32 $r14 $r14 $r6
    st b32 g14[$r0] $r14
    add b32 $r0 $r0 0x40
    ld b32 $r14 g14[$r0]
    add rn f32 $r14 $r14 $r7
    st b32 g14[$r0] $r14
    add b32 $r0 $r0 0x40
    ld b32 $r14 g14[$r0]
    add rn f32 $r14 $r14 $r8
    st b32 g14[$r0] $r14
    add b32 $r0 $r0 0x40
    ld b32 $r14 g14[$r0]
    add rn f32 $r14 $r14 $r9
    st b32 g14[$r0] $r14
    add b32 $r0 $r0 0x40
    ld b32 $r14 g14[$r0]
    add rn f32 $r14 $r14 $r10
    st b32 g14[$r0] $r14
    add b32 $r0 $r0 0x40
    ld b32 $r14 g14[$r0]
    add rn f32 $r14 $r14 $r11
    st b32 g14[$r0] $r14
    exit nop
.end
