// The seven reductions of reduction.cu in the form that NVIDIA's compiler gave such code for compute capability 1.0:
// the body of a short condition is predicated, a loop has a guard before it and a reconvergence point behind it, constants
// come from c1[], and a value stays in its register until a barrier or another store can change it. After the listings of
// compiled kernels for sm_10 that are published with FlexGripPlus.
.target sm_10

// Interleaved addressing, threads chosen by a remainder: divergent
.entry reduce1
.param u64 odata
.param u64 idata
.shared sdata 512
.literal one u32 1

    // $r1 = tid, $a1 = &sdata[tid], which gets one element
    mov b16 $r2l u16 s[%ntid.x]
    cvt u32 $r1 u16 $r0l
    add $r2 (mul u16 u16 s[%ctaid.x] $r2l) $r1
    shl b32 $r2 $r2 0x2
    add b32 $r2 b32 s[idata] $r2
    ld b32 $r2 g14[$r2]
    shl $a1 $r1 0x2
    st b32 s[$a1+sdata] $r2
    bar inc wait 0x0 0xfff
    // $r2 = ntid, $r3 = s: 1, 2, ... below ntid
    cvt u32 $r2 u16 u16 s[%ntid.x]
    set $c0 # le u32 $r2 c1[one]
    (lg $c0) bra sums
    joinat rounds_end
    mov b32 $r3 0x1
round:
    // $r4 = 2 s
    shl b32 $r4 $r3 0x1
    mov b32 $r5 $r1
    mov b32 $r6 $r4
    call remainder
    set $c0 # lg u32 $r5 $r124
    (e $c0) add b32 $r5 $r3 $r1
    (e $c0) shl $a2 $r5 0x2
    (e $c0) mov b32 $r5 b32 s[$a2+sdata]
    (e $c0) add b32 $r5 b32 s[$a1+sdata] $r5
    (e $c0) st b32 s[$a1+sdata] $r5
    bar inc wait 0x0 0xfff
    set $c0 # l u32 $r4 $r2
    mov b32 $r3 $r4
    (lg $c0) bra round
rounds_end:
    join nop
sums:
    set $c0 # lg u32 $r1 $r124
    (lg $c0) ret
    // odata[block] = sdata[0]
    cvt u32 $r1 u16 u16 s[%ctaid.x]
    mov b32 $r0 b32 s[sdata]
    shl b32 $r1 $r1 0x2
    add b32 $r1 b32 s[odata] $r1
    exit st b32 g14[$r1] $r0

// $r5 = $r5 % $r6, unsigned: quotient by two estimates from a reciprocal that is a little too small, one correction,
// and the product with the corrected quotient. A divisor of 0 gives all ones. Uses $r7 .. $r10.
remainder:
    cvt rp f32 $r7 u32 $r6
    rcp f32 $r7 $r7
    cvt rz f32 $r8 u32 $r5
    add b32 $r7 $r7 0xfffffffe
    mul rz f32 $r8 $r8 $r7
    cvt rzi u32 $r8 f32 $r8
    mul $r9 u16 $r8l u16 $r6h
    add $r9 (mul u16 $r8h $r6l) $r9
    shl b32 $r9 $r9 0x10
    add $r9 (mul u16 $r8l $r6l) $r9
    sub b32 $r9 $r5 $r9
    cvt rz f32 $r9 u32 $r9
    mul rz f32 $r7 $r9 $r7
    cvt rzi u32 $r7 f32 $r7
    add b32 $r8 $r8 $r7
    mul $r9 u16 $r8l u16 $r6h
    add $r9 (mul u16 $r8h $r6l) $r9
    shl b32 $r9 $r9 0x10
    add $r9 (mul u16 $r8l $r6l) $r9
    sub b32 $r9 $r5 $r9
    set $r9 ge u32 $r9 $r6
    sub b32 $r8 $r8 $r9
    mul $r9 u16 $r8l u16 $r6h
    add $r9 (mul u16 $r8h $r6l) $r9
    shl b32 $r9 $r9 0x10
    add $r9 (mul u16 $r8l $r6l) $r9
    set $c0 # lg u32 $r6 $r124
    sub b32 $r5 $r5 $r9
    (e $c0) mov2 b32 $r5 $r5 not $r6
    ret
.end

// Interleaved addressing, threads with successive numbers: bank conflicts
.entry reduce2
.param u64 odata
.param u64 idata
.shared sdata 512
.literal one u32 1

    // $r1 = tid, $a1 = &sdata[tid], which gets one element
    mov b16 $r2l u16 s[%ntid.x]
    cvt u32 $r1 u16 $r0l
    add $r2 (mul u16 u16 s[%ctaid.x] $r2l) $r1
    shl b32 $r2 $r2 0x2
    add b32 $r2 b32 s[idata] $r2
    ld b32 $r2 g14[$r2]
    shl $a1 $r1 0x2
    st b32 s[$a1+sdata] $r2
    bar inc wait 0x0 0xfff
    // $r2 = ntid, $r3 = s: 1, 2, ... below ntid
    cvt u32 $r2 u16 u16 s[%ntid.x]
    set $c0 # le u32 $r2 c1[one]
    (lg $c0) bra sums
    joinat rounds_end
    mov b32 $r3 0x1
round:
    // $r4 = 2 s
    shl b32 $r4 $r3 0x1
    // $r5 = 2 s tid
    mul $r5 u16 $r4l u16 $r1h
    add $r5 (mul u16 $r4h $r1l) $r5
    shl b32 $r5 $r5 0x10
    add $r5 (mul u16 $r4l $r1l) $r5
    set $c0 # ge u32 $r5 $r2
    (e $c0) add b32 $r6 $r5 $r3
    (e $c0) shl $a3 $r6 0x2
    (e $c0) mov b32 $r6 b32 s[$a3+sdata]
    (e $c0) shl $a2 $r5 0x2
    (e $c0) add b32 $r6 b32 s[$a2+sdata] $r6
    (e $c0) st b32 s[$a2+sdata] $r6
    bar inc wait 0x0 0xfff
    set $c0 # l u32 $r4 $r2
    mov b32 $r3 $r4
    (lg $c0) bra round
rounds_end:
    join nop
sums:
    set $c0 # lg u32 $r1 $r124
    (lg $c0) ret
    // odata[block] = sdata[0]
    cvt u32 $r1 u16 u16 s[%ctaid.x]
    mov b32 $r0 b32 s[sdata]
    shl b32 $r1 $r1 0x2
    add b32 $r1 b32 s[odata] $r1
    exit st b32 g14[$r1] $r0
.end

// Sequential addressing: no bank conflicts
.entry reduce3
.param u64 odata
.param u64 idata
.shared sdata 512

    // $r1 = tid, $a1 = &sdata[tid], which gets one element
    mov b16 $r2l u16 s[%ntid.x]
    cvt u32 $r1 u16 $r0l
    add $r2 (mul u16 u16 s[%ctaid.x] $r2l) $r1
    shl b32 $r2 $r2 0x2
    add b32 $r2 b32 s[idata] $r2
    ld b32 $r2 g14[$r2]
    shl $a1 $r1 0x2
    st b32 s[$a1+sdata] $r2
    bar inc wait 0x0 0xfff
    // $r2 = s: ntid / 2, half of it, ... 1
    cvt u32 $r2 u16 u16 s[%ntid.x]
    shr u32 $r2 $r2 0x1
    set $c0 # e u32 $r2 $r124
    (lg $c0) bra sums
    joinat rounds_end
round:
    set $c0 # ge u32 $r1 $r2
    (e $c0) add b32 $r3 $r1 $r2
    (e $c0) shl $a2 $r3 0x2
    (e $c0) mov b32 $r3 b32 s[$a2+sdata]
    (e $c0) add b32 $r3 b32 s[$a1+sdata] $r3
    (e $c0) st b32 s[$a1+sdata] $r3
    bar inc wait 0x0 0xfff
    shr u32 $r2 $r2 0x1
    set $c0 # lg u32 $r2 $r124
    (lg $c0) bra round
rounds_end:
    join nop
sums:
    set $c0 # lg u32 $r1 $r124
    (lg $c0) ret
    // odata[block] = sdata[0]
    cvt u32 $r1 u16 u16 s[%ctaid.x]
    mov b32 $r0 b32 s[sdata]
    shl b32 $r1 $r1 0x2
    add b32 $r1 b32 s[odata] $r1
    exit st b32 g14[$r1] $r0
.end

// The first addition during the load: half the blocks
.entry reduce4
.param u64 odata
.param u64 idata
.shared sdata 512

    // $r1 = tid, $a1 = &sdata[tid], which gets the sum of two elements
    cvt u32 $r3 u16 u16 s[%ntid.x]
    cvt u32 $r1 u16 $r0l
    shl b32 $r2 $r3 0x1
    add $r2 (mul u16 u16 s[%ctaid.x] $r2l) $r1
    add b32 $r3 $r2 $r3
    shl b32 $r2 $r2 0x2
    shl b32 $r3 $r3 0x2
    add b32 $r2 b32 s[idata] $r2
    add b32 $r3 b32 s[idata] $r3
    ld b32 $r2 g14[$r2]
    ld b32 $r3 g14[$r3]
    add b32 $r2 $r2 $r3
    shl $a1 $r1 0x2
    st b32 s[$a1+sdata] $r2
    bar inc wait 0x0 0xfff
    // $r2 = s: ntid / 2, half of it, ... 1
    cvt u32 $r2 u16 u16 s[%ntid.x]
    shr u32 $r2 $r2 0x1
    set $c0 # e u32 $r2 $r124
    (lg $c0) bra sums
    joinat rounds_end
round:
    set $c0 # ge u32 $r1 $r2
    (e $c0) add b32 $r3 $r1 $r2
    (e $c0) shl $a2 $r3 0x2
    (e $c0) mov b32 $r3 b32 s[$a2+sdata]
    (e $c0) add b32 $r3 b32 s[$a1+sdata] $r3
    (e $c0) st b32 s[$a1+sdata] $r3
    bar inc wait 0x0 0xfff
    shr u32 $r2 $r2 0x1
    set $c0 # lg u32 $r2 $r124
    (lg $c0) bra round
rounds_end:
    join nop
sums:
    set $c0 # lg u32 $r1 $r124
    (lg $c0) ret
    // odata[block] = sdata[0]
    cvt u32 $r1 u16 u16 s[%ctaid.x]
    mov b32 $r0 b32 s[sdata]
    shl b32 $r1 $r1 0x2
    add b32 $r1 b32 s[odata] $r1
    exit st b32 g14[$r1] $r0
.end

// The last warp without barriers; blocks of more than 64 threads
.entry reduce5
.param u64 odata
.param u64 idata
.shared sdata 512
.literal warp u32 32
.literal last u32 31

    // $r1 = tid, $a1 = &sdata[tid], which gets the sum of two elements
    cvt u32 $r3 u16 u16 s[%ntid.x]
    cvt u32 $r1 u16 $r0l
    shl b32 $r2 $r3 0x1
    add $r2 (mul u16 u16 s[%ctaid.x] $r2l) $r1
    add b32 $r3 $r2 $r3
    shl b32 $r2 $r2 0x2
    shl b32 $r3 $r3 0x2
    add b32 $r2 b32 s[idata] $r2
    add b32 $r3 b32 s[idata] $r3
    ld b32 $r2 g14[$r2]
    ld b32 $r3 g14[$r3]
    add b32 $r2 $r2 $r3
    shl $a1 $r1 0x2
    st b32 s[$a1+sdata] $r2
    bar inc wait 0x0 0xfff
    // $r2 = s: ntid / 2, half of it, ... above 32
    cvt u32 $r2 u16 u16 s[%ntid.x]
    shr u32 $r2 $r2 0x1
    set $c0 # le u32 $r2 c1[warp]
    (lg $c0) bra sums
    joinat rounds_end
round:
    set $c0 # ge u32 $r1 $r2
    (e $c0) add b32 $r3 $r1 $r2
    (e $c0) shl $a2 $r3 0x2
    (e $c0) mov b32 $r3 b32 s[$a2+sdata]
    (e $c0) add b32 $r3 b32 s[$a1+sdata] $r3
    (e $c0) st b32 s[$a1+sdata] $r3
    bar inc wait 0x0 0xfff
    shr u32 $r2 $r2 0x1
    set $c0 # g u32 $r2 c1[warp]
    (lg $c0) bra round
rounds_end:
    join nop
sums:
    // The last warp, without barriers: all of its threads add; the sums of the upper ones do not matter. The compiler
    // keeps sdata[tid] in a register, because no store but its own intervenes.
    set $c0 # g u32 $r1 c1[last]
    joinat added
    (lg $c0) bra added
    add $a2 $a1 0x80
    mov b32 $r2 b32 s[$a2+sdata]
    add b32 $r2 b32 s[$a1+sdata] $r2
    st b32 s[$a1+sdata] $r2
    add b32 $r2 b32 s[$a1+sdata+64] $r2
    st b32 s[$a1+sdata] $r2
    add b32 $r2 b32 s[$a1+sdata+32] $r2
    st b32 s[$a1+sdata] $r2
    add b32 $r2 b32 s[$a1+sdata+16] $r2
    st b32 s[$a1+sdata] $r2
    add b32 $r2 b32 s[$a1+sdata+8] $r2
    st b32 s[$a1+sdata] $r2
    add b32 $r2 b32 s[$a1+sdata+4] $r2
    st b32 s[$a1+sdata] $r2
added:
    join set $c0 # lg u32 $r1 $r124
    (lg $c0) ret
    // odata[block] = sdata[0]
    cvt u32 $r1 u16 u16 s[%ctaid.x]
    mov b32 $r0 b32 s[sdata]
    shl b32 $r1 $r1 0x2
    add b32 $r1 b32 s[odata] $r1
    exit st b32 g14[$r1] $r0
.end

// All rounds unrolled, for blocks of 128 threads
.entry reduce6
.param u64 odata
.param u64 idata
.shared sdata 512
.literal half u32 63
.literal last u32 31

    // $r1 = tid, $a1 = &sdata[tid], which gets the sum of two elements. The number of threads is a constant, 128.
    cvt u32 $r2 u16 u16 s[%ctaid.x]
    cvt u32 $r1 u16 $r0l
    shl b32 $r2 $r2 0x8
    add b32 $r2 $r2 $r1
    shl b32 $r2 $r2 0x2
    add b32 $r2 b32 s[idata] $r2
    add b32 $r3 $r2 0x200
    ld b32 $r2 g14[$r2]
    ld b32 $r3 g14[$r3]
    add b32 $r2 $r2 $r3
    shl $a1 $r1 0x2
    st b32 s[$a1+sdata] $r2
    bar inc wait 0x0 0xfff
    // Blocks of 128 threads
    set $c0 # g u32 $r1 c1[half]
    (e $c0) add $a2 $a1 0x100
    (e $c0) mov b32 $r2 b32 s[$a2+sdata]
    (e $c0) add b32 $r2 b32 s[$a1+sdata] $r2
    (e $c0) st b32 s[$a1+sdata] $r2
    bar inc wait 0x0 0xfff
    // The last warp, without barriers: all of its threads add; the sums of the upper ones do not matter. The compiler
    // keeps sdata[tid] in a register, because no store but its own intervenes.
    set $c0 # g u32 $r1 c1[last]
    joinat added
    (lg $c0) bra added
    add $a2 $a1 0x80
    mov b32 $r2 b32 s[$a2+sdata]
    add b32 $r2 b32 s[$a1+sdata] $r2
    st b32 s[$a1+sdata] $r2
    add b32 $r2 b32 s[$a1+sdata+64] $r2
    st b32 s[$a1+sdata] $r2
    add b32 $r2 b32 s[$a1+sdata+32] $r2
    st b32 s[$a1+sdata] $r2
    add b32 $r2 b32 s[$a1+sdata+16] $r2
    st b32 s[$a1+sdata] $r2
    add b32 $r2 b32 s[$a1+sdata+8] $r2
    st b32 s[$a1+sdata] $r2
    add b32 $r2 b32 s[$a1+sdata+4] $r2
    st b32 s[$a1+sdata] $r2
added:
    join set $c0 # lg u32 $r1 $r124
    (lg $c0) ret
    // odata[block] = sdata[0]
    cvt u32 $r1 u16 u16 s[%ctaid.x]
    mov b32 $r0 b32 s[sdata]
    shl b32 $r1 $r1 0x2
    add b32 $r1 b32 s[odata] $r1
    exit st b32 g14[$r1] $r0
.end

// Several elements per thread, for blocks of 128 threads
.entry reduce7
.param u64 odata
.param u64 idata
.param u32 n
.shared sdata 512
.literal half u32 63
.literal last u32 31

    // $r1 = tid, $r2 = i = ctaid * 256 + tid, $r3 = n, $r4 = elements of a round of the grid, $r5 = sum
    cvt u32 $r2 u16 u16 s[%ctaid.x]
    cvt u32 $r1 u16 $r0l
    shl b32 $r2 $r2 0x8
    add b32 $r2 $r2 $r1
    mov b32 $r3 b32 s[n]
    shl $a1 $r1 0x2
    mov b32 $r5 $r124
    set $c0 # ge u32 $r2 $r3
    (lg $c0) bra summed
    cvt u32 $r4 u16 u16 s[%nctaid.x]
    joinat rounds_end
    shl b32 $r4 $r4 0x8
more:
    shl b32 $r6 $r2 0x2
    add b32 $r6 b32 s[idata] $r6
    add b32 $r7 $r6 0x200
    ld b32 $r6 g14[$r6]
    ld b32 $r7 g14[$r7]
    add b32 $r2 $r2 $r4
    set $c0 # l u32 $r2 $r3
    add b32 $r6 $r6 $r7
    add b32 $r5 $r5 $r6
    (lg $c0) bra more
rounds_end:
    join nop
summed:
    st b32 s[$a1+sdata] $r5
    bar inc wait 0x0 0xfff
    // Blocks of 128 threads
    set $c0 # g u32 $r1 c1[half]
    (e $c0) add $a2 $a1 0x100
    (e $c0) mov b32 $r2 b32 s[$a2+sdata]
    (e $c0) add b32 $r2 b32 s[$a1+sdata] $r2
    (e $c0) st b32 s[$a1+sdata] $r2
    bar inc wait 0x0 0xfff
    // The last warp, without barriers: all of its threads add; the sums of the upper ones do not matter. The compiler
    // keeps sdata[tid] in a register, because no store but its own intervenes.
    set $c0 # g u32 $r1 c1[last]
    joinat added
    (lg $c0) bra added
    add $a2 $a1 0x80
    mov b32 $r2 b32 s[$a2+sdata]
    add b32 $r2 b32 s[$a1+sdata] $r2
    st b32 s[$a1+sdata] $r2
    add b32 $r2 b32 s[$a1+sdata+64] $r2
    st b32 s[$a1+sdata] $r2
    add b32 $r2 b32 s[$a1+sdata+32] $r2
    st b32 s[$a1+sdata] $r2
    add b32 $r2 b32 s[$a1+sdata+16] $r2
    st b32 s[$a1+sdata] $r2
    add b32 $r2 b32 s[$a1+sdata+8] $r2
    st b32 s[$a1+sdata] $r2
    add b32 $r2 b32 s[$a1+sdata+4] $r2
    st b32 s[$a1+sdata] $r2
added:
    join set $c0 # lg u32 $r1 $r124
    (lg $c0) ret
    // odata[block] = sdata[0]
    cvt u32 $r1 u16 u16 s[%ctaid.x]
    mov b32 $r0 b32 s[sdata]
    shl b32 $r1 $r1 0x2
    add b32 $r1 b32 s[odata] $r1
    exit st b32 g14[$r1] $r0
.end
