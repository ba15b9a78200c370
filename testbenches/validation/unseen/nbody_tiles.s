// The all-pairs kernel of kernels/nbody_gems3 with tiles of p sources and blocks of p threads. 20 registers: the chapter says
// that blocks of 256 threads run and blocks of 512 fail, so that it had between 17 and 32. nsrc is a multiple of p; the
// launch adds 16 p bytes of shared memory for the tile.
.target sm_10

.entry nbody_tiles
.param u64 acc
.param u64 pos
.param s32 nsrc
.param s32 p
.registers 20
.shared tile 4 16
.literal softening f32 0.01

    // $r1, $r2, $r3 = the thread's position, $r4, $r5, $r6 = acceleration, $r12 = &acc[i], $r15 = p, $r16 = bytes of a tile
    mov b16 $r2l u16 s[%ntid.x]
    cvt u32 $r1 u16 $r0l
    add $r0 (mul u16 u16 s[%ctaid.x] $r2l) $r1
    shl b32 $r12 $r0 0x4
    add b32 $r8 b32 s[pos] $r12
    ld b128 $r8q g14[$r8]
    add b32 $r12 b32 s[acc] $r12
    shl $a2 $r1 0x4
    shl b32 $r13 $r1 0x4
    add b32 $r13 b32 s[pos] $r13
    mov b32 $r1 $r8
    mov b32 $r2 $r9
    mov b32 $r3 $r10
    mov b32 $r4 $r124
    mov b32 $r5 $r124
    mov b32 $r6 $r124
    mov b32 $r14 $r124
    mov b32 $r15 b32 s[p]
    shl b32 $r16 $r15 0x4
next_tile:
    // $r13 = the thread's source in the tile, $r14 = sources done
    ld b128 $r8q g14[$r13]
    st b32 s[$a2+tile] $r8
    st b32 s[$a2+tile+4] $r9
    st b32 s[$a2+tile+8] $r10
    st b32 s[$a2+tile+12] $r11
    bar inc wait 0x0 0xfff
    mov b32 $r0 $r124
    shl $a1 $r124 0x0
four_sources:
    add rn f32 $r7 b32 s[$a1+tile+0] neg $r1
    add rn f32 $r8 b32 s[$a1+tile+4] neg $r2
    add rn f32 $r9 b32 s[$a1+tile+8] neg $r3
    mul rn f32 $r10 $r7 $r7
    add f32 $r10 (mul $r8 $r8) $r10
    add f32 $r10 (mul $r9 $r9) $r10
    add rn f32 $r10 $r10 c1[softening]
    mul rn f32 $r11 $r10 $r10
    mul rn f32 $r11 $r11 $r10
    rsqrt f32 $r11 $r11
    mul rn f32 $r11 b32 s[$a1+tile+12] $r11
    add f32 $r4 (mul $r7 $r11) $r4
    add f32 $r5 (mul $r8 $r11) $r5
    add f32 $r6 (mul $r9 $r11) $r6
    add rn f32 $r7 b32 s[$a1+tile+16] neg $r1
    add rn f32 $r8 b32 s[$a1+tile+20] neg $r2
    add rn f32 $r9 b32 s[$a1+tile+24] neg $r3
    mul rn f32 $r10 $r7 $r7
    add f32 $r10 (mul $r8 $r8) $r10
    add f32 $r10 (mul $r9 $r9) $r10
    add rn f32 $r10 $r10 c1[softening]
    mul rn f32 $r11 $r10 $r10
    mul rn f32 $r11 $r11 $r10
    rsqrt f32 $r11 $r11
    mul rn f32 $r11 b32 s[$a1+tile+28] $r11
    add f32 $r4 (mul $r7 $r11) $r4
    add f32 $r5 (mul $r8 $r11) $r5
    add f32 $r6 (mul $r9 $r11) $r6
    add rn f32 $r7 b32 s[$a1+tile+32] neg $r1
    add rn f32 $r8 b32 s[$a1+tile+36] neg $r2
    add rn f32 $r9 b32 s[$a1+tile+40] neg $r3
    mul rn f32 $r10 $r7 $r7
    add f32 $r10 (mul $r8 $r8) $r10
    add f32 $r10 (mul $r9 $r9) $r10
    add rn f32 $r10 $r10 c1[softening]
    mul rn f32 $r11 $r10 $r10
    mul rn f32 $r11 $r11 $r10
    rsqrt f32 $r11 $r11
    mul rn f32 $r11 b32 s[$a1+tile+44] $r11
    add f32 $r4 (mul $r7 $r11) $r4
    add f32 $r5 (mul $r8 $r11) $r5
    add f32 $r6 (mul $r9 $r11) $r6
    add rn f32 $r7 b32 s[$a1+tile+48] neg $r1
    add rn f32 $r8 b32 s[$a1+tile+52] neg $r2
    add rn f32 $r9 b32 s[$a1+tile+56] neg $r3
    mul rn f32 $r10 $r7 $r7
    add f32 $r10 (mul $r8 $r8) $r10
    add f32 $r10 (mul $r9 $r9) $r10
    add rn f32 $r10 $r10 c1[softening]
    mul rn f32 $r11 $r10 $r10
    mul rn f32 $r11 $r11 $r10
    rsqrt f32 $r11 $r11
    mul rn f32 $r11 b32 s[$a1+tile+60] $r11
    add f32 $r4 (mul $r7 $r11) $r4
    add f32 $r5 (mul $r8 $r11) $r5
    add f32 $r6 (mul $r9 $r11) $r6
    add b32 $r0 $r0 0x4
    add $a1 $a1 0x40
    set $c0 # lg s32 $r0 $r15
    (lg $c0) bra four_sources
    bar inc wait 0x0 0xfff
    add b32 $r13 $r13 $r16
    add b32 $r14 $r14 $r15
    set $c0 # g s32 b32 s[nsrc] $r14
    (lg $c0) bra next_tile

    mov b32 $r7 $r124
    exit st b128 g14[$r12] $r4q
.end
