// C = A B by tiles of 16 x 16 in shared memory, the loop over a tile unrolled. Ryoo et al. (PPoPP 2008) count 59
// instructions for the 16 multiply-adds of a tile and 10 registers, which let an SM hold three blocks; in NVIDIA's code
// for sm_10 a term is a move from s[], an addition to the address register and a multiply-add with an s[] operand. This
// loop has as many. Rows of all matrices are `pitch` elements apart; `terms` is the inner dimension.
.target sm_10

.entry tiles_unrolled
.param u64 c
.param u64 a
.param u64 b
.param s32 pitch
.param s32 terms
.registers 10
.shared tile_a 1024 16
.shared tile_b 1024 16

    // $r3 = &c of the thread, $r6, $r7 = &a, &b of its next elements, $r5 = bytes of 16 rows, $r1 = terms left
    cvt u32 $r1 u16 $r0l
    cvt u32 $r2 u16 $r0h
    shl b32 $r3 u16 s[%ctaid.y] 0x4
    add b32 $r3 $r3 $r2
    shl b32 $r4 u16 s[%ctaid.x] 0x4
    add b32 $r4 $r4 $r1
    mov b32 $r5 b32 s[pitch]
    mul $r3 u16 $r3l u16 $r5l
    mul $r7 u16 $r2l u16 $r5l
    add b32 $r6 $r3 $r1
    shl b32 $r6 $r6 0x2
    add b32 $r6 b32 s[a] $r6
    add b32 $r7 $r7 $r4
    shl b32 $r7 $r7 0x2
    add b32 $r7 b32 s[b] $r7
    add b32 $r3 $r3 $r4
    shl b32 $r3 $r3 0x2
    add b32 $r3 b32 s[c] $r3
    shl b32 $r5 $r5 0x6
    // $a1 = the thread's place in a tile, $a2 = its row of the tile of A, $a3 = its column of the tile of B
    shl b32 $r8 $r2 0x4
    add b32 $r8 $r8 $r1
    shl $a1 $r8 0x2
    shl $a2 $r2 0x6
    mov b32 $r8 @tile_b
    shl b32 $r4 $r1 0x2
    add b32 $r8 $r8 $r4
    shl $a3 $r8 0x0
    mov b32 $r0 $r124
    mov b32 $r1 b32 s[terms]
next_tile:
    ld b32 $r2 g14[$r6]
    ld b32 $r4 g14[$r7]
    st b32 s[$a1+tile_a] $r2
    st b32 s[$a1+tile_b] $r4
    bar inc wait 0x0 0xfff
    mov b32 $r2 b32 s[$a3]
    add $a4 $a3 0x40
    add f32 $r0 (mul b32 s[$a2+tile_a+0] $r2) $r0
    mov b32 $r2 b32 s[$a4]
    add $a4 $a3 0x80
    add f32 $r0 (mul b32 s[$a2+tile_a+4] $r2) $r0
    mov b32 $r2 b32 s[$a4]
    add $a4 $a3 0xc0
    add f32 $r0 (mul b32 s[$a2+tile_a+8] $r2) $r0
    mov b32 $r2 b32 s[$a4]
    add $a4 $a3 0x100
    add f32 $r0 (mul b32 s[$a2+tile_a+12] $r2) $r0
    mov b32 $r2 b32 s[$a4]
    add $a4 $a3 0x140
    add f32 $r0 (mul b32 s[$a2+tile_a+16] $r2) $r0
    mov b32 $r2 b32 s[$a4]
    add $a4 $a3 0x180
    add f32 $r0 (mul b32 s[$a2+tile_a+20] $r2) $r0
    mov b32 $r2 b32 s[$a4]
    add $a4 $a3 0x1c0
    add f32 $r0 (mul b32 s[$a2+tile_a+24] $r2) $r0
    mov b32 $r2 b32 s[$a4]
    add $a4 $a3 0x200
    add f32 $r0 (mul b32 s[$a2+tile_a+28] $r2) $r0
    mov b32 $r2 b32 s[$a4]
    add $a4 $a3 0x240
    add f32 $r0 (mul b32 s[$a2+tile_a+32] $r2) $r0
    mov b32 $r2 b32 s[$a4]
    add $a4 $a3 0x280
    add f32 $r0 (mul b32 s[$a2+tile_a+36] $r2) $r0
    mov b32 $r2 b32 s[$a4]
    add $a4 $a3 0x2c0
    add f32 $r0 (mul b32 s[$a2+tile_a+40] $r2) $r0
    mov b32 $r2 b32 s[$a4]
    add $a4 $a3 0x300
    add f32 $r0 (mul b32 s[$a2+tile_a+44] $r2) $r0
    mov b32 $r2 b32 s[$a4]
    add $a4 $a3 0x340
    add f32 $r0 (mul b32 s[$a2+tile_a+48] $r2) $r0
    mov b32 $r2 b32 s[$a4]
    add $a4 $a3 0x380
    add f32 $r0 (mul b32 s[$a2+tile_a+52] $r2) $r0
    mov b32 $r2 b32 s[$a4]
    add $a4 $a3 0x3c0
    add f32 $r0 (mul b32 s[$a2+tile_a+56] $r2) $r0
    mov b32 $r2 b32 s[$a4]
    add f32 $r0 (mul b32 s[$a2+tile_a+60] $r2) $r0
    bar inc wait 0x0 0xfff
    add b32 $r6 $r6 0x40
    add b32 $r7 $r7 $r5
    add b32 $r1 $r1 0xfffffff0
    set $c0 # lg s32 $r1 $r124
    (lg $c0) bra next_tile

    exit st b32 g14[$r3] $r0
.end
