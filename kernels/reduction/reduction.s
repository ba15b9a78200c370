// The seven kernels of Harris, "Optimizing Parallel Reduction in CUDA" (2007): blocks of up to 128 threads add up integers in
// shared memory, and the sums are added up by further launches. Instruction mix of the compilers of the time for compute
// capability 1.0: a remainder by a variable is a function of about 30 instructions, a 32-bit product four instructions.
.target sm_10

// Interleaved addressing, threads chosen by a remainder: divergent
.entry reduce1
.param u64 odata
.param u64 idata
.shared sdata 512

    // $r1 = tid, $a1 = &sdata[tid], which gets one element
    cvt u32 $r1 u16 $r0l
    mov b16 $r2l u16 s[%ntid.x]
    add $r3 (mul u16 u16 s[%ctaid.x] $r2l) $r1
    shl $a1 $r1 0x2
    shl b32 $r3 $r3 0x2
    add b32 $r3 b32 s[idata] $r3
    ld b32 $r3 g14[$r3]
    st b32 s[$a1+sdata] $r3
    bar inc wait 0x0 0xfff

    mov b32 $r0 0x1
    cvt u32 $r9 u16 u16 s[%ntid.x]
round:
    // $r0 = s, $r2 = 2 s, $r3 = tid % (2 s)
    add b32 $r2 $r0 $r0
    mov b32 $r3 $r1
    call remainder
    set $c0 # lg u32 $r3 $r124
    joinat added
    (lg $c0) bra added
    add b32 $r3 $r1 $r0
    shl $a2 $r3 0x2
    mov b32 $r3 b32 s[$a2+sdata]
    add b32 $r3 b32 s[$a1+sdata] $r3
    st b32 s[$a1+sdata] $r3
added:
    join nop
    bar inc wait 0x0 0xfff
    mov b32 $r0 $r2
    set $c0 # l u32 $r0 $r9
    (lg $c0) bra round

    set $c0 # lg u32 $r1 $r124
    (lg $c0) ret
    // odata[block] = sdata[0]
    cvt u32 $r0 u16 u16 s[%ctaid.x]
    shl b32 $r0 $r0 0x2
    add b32 $r0 b32 s[odata] $r0
    mov b32 $r3 b32 s[sdata]
    exit st b32 g14[$r0] $r3

// $r3 = $r3 % $r2, unsigned: quotient by two estimates from a reciprocal that is a little too small, remainder, and one
// correction. A divisor of 0 gives all ones. Uses $r4 .. $r8.
remainder:
    mov b32 $r8 $r3
    cvt rp f32 $r4 u32 $r2
    rcp f32 $r4 $r4
    add b32 $r4 $r4 0xfffffffe
    cvt rz f32 $r5 u32 $r3
    mul rz f32 $r5 $r5 $r4
    cvt rzi u32 $r5 f32 $r5
    mul $r6 u16 $r5l u16 $r2h
    add $r6 (mul u16 $r5h $r2l) $r6
    shl b32 $r6 $r6 0x10
    add $r6 (mul u16 $r5l $r2l) $r6
    sub b32 $r3 $r3 $r6
    cvt rz f32 $r7 u32 $r3
    mul rz f32 $r7 $r7 $r4
    cvt rzi u32 $r7 f32 $r7
    add b32 $r5 $r5 $r7
    mul $r6 u16 $r5l u16 $r2h
    add $r6 (mul u16 $r5h $r2l) $r6
    shl b32 $r6 $r6 0x10
    add $r6 (mul u16 $r5l $r2l) $r6
    sub b32 $r3 $r8 $r6
    set $r6 ge u32 $r3 $r2
    and b32 $r6 $r6 $r2
    sub b32 $r3 $r3 $r6
    mov b32 $r7 0xffffffff
    set $c0 # lg u32 $r2 $r124
    (e $c0) mov b32 $r3 $r7
    ret
.end

// Interleaved addressing, threads with successive numbers: bank conflicts
.entry reduce2
.param u64 odata
.param u64 idata
.shared sdata 512

    // $r1 = tid, $a1 = &sdata[tid], which gets one element
    cvt u32 $r1 u16 $r0l
    mov b16 $r2l u16 s[%ntid.x]
    add $r3 (mul u16 u16 s[%ctaid.x] $r2l) $r1
    shl $a1 $r1 0x2
    shl b32 $r3 $r3 0x2
    add b32 $r3 b32 s[idata] $r3
    ld b32 $r3 g14[$r3]
    st b32 s[$a1+sdata] $r3
    bar inc wait 0x0 0xfff

    mov b32 $r0 0x1
    cvt u32 $r9 u16 u16 s[%ntid.x]
round:
    // $r0 = s, $r2 = 2 s, $r3 = 2 s tid
    add b32 $r2 $r0 $r0
    mul $r3 u16 $r2l u16 $r1h
    add $r3 (mul u16 $r2h $r1l) $r3
    shl b32 $r3 $r3 0x10
    add $r3 (mul u16 $r2l $r1l) $r3
    set $c0 # ge u32 $r3 $r9
    joinat added
    (lg $c0) bra added
    shl $a2 $r3 0x2
    add b32 $r4 $r3 $r0
    shl $a3 $r4 0x2
    mov b32 $r4 b32 s[$a3+sdata]
    add b32 $r4 b32 s[$a2+sdata] $r4
    st b32 s[$a2+sdata] $r4
added:
    join nop
    bar inc wait 0x0 0xfff
    mov b32 $r0 $r2
    set $c0 # l u32 $r0 $r9
    (lg $c0) bra round

    set $c0 # lg u32 $r1 $r124
    (lg $c0) ret
    // odata[block] = sdata[0]
    cvt u32 $r0 u16 u16 s[%ctaid.x]
    shl b32 $r0 $r0 0x2
    add b32 $r0 b32 s[odata] $r0
    mov b32 $r3 b32 s[sdata]
    exit st b32 g14[$r0] $r3
.end

// Sequential addressing: no bank conflicts
.entry reduce3
.param u64 odata
.param u64 idata
.shared sdata 512

    // $r1 = tid, $a1 = &sdata[tid], which gets one element
    cvt u32 $r1 u16 $r0l
    mov b16 $r2l u16 s[%ntid.x]
    add $r3 (mul u16 u16 s[%ctaid.x] $r2l) $r1
    shl $a1 $r1 0x2
    shl b32 $r3 $r3 0x2
    add b32 $r3 b32 s[idata] $r3
    ld b32 $r3 g14[$r3]
    st b32 s[$a1+sdata] $r3
    bar inc wait 0x0 0xfff

    // $r0 = s: ntid / 2, half of it, ... 1
    cvt u32 $r0 u16 u16 s[%ntid.x]
    shr u32 $r0 $r0 0x1
round:
    set $c0 # ge u32 $r1 $r0
    joinat added
    (lg $c0) bra added
    add b32 $r4 $r1 $r0
    shl $a2 $r4 0x2
    mov b32 $r4 b32 s[$a2+sdata]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
added:
    join nop
    bar inc wait 0x0 0xfff
    shr u32 $r0 $r0 0x1
    set $c0 # lg u32 $r0 $r124
    (lg $c0) bra round

    set $c0 # lg u32 $r1 $r124
    (lg $c0) ret
    // odata[block] = sdata[0]
    cvt u32 $r0 u16 u16 s[%ctaid.x]
    shl b32 $r0 $r0 0x2
    add b32 $r0 b32 s[odata] $r0
    mov b32 $r3 b32 s[sdata]
    exit st b32 g14[$r0] $r3
.end

// The first addition during the load: half the blocks
.entry reduce4
.param u64 odata
.param u64 idata
.shared sdata 512

    // $r1 = tid, $a1 = &sdata[tid], which gets the sum of two elements
    cvt u32 $r1 u16 $r0l
    cvt u32 $r9 u16 u16 s[%ntid.x]
    add b32 $r2 $r9 $r9
    add $r3 (mul u16 u16 s[%ctaid.x] $r2l) $r1
    shl $a1 $r1 0x2
    add b32 $r4 $r3 $r9
    shl b32 $r3 $r3 0x2
    shl b32 $r4 $r4 0x2
    add b32 $r3 b32 s[idata] $r3
    add b32 $r4 b32 s[idata] $r4
    ld b32 $r3 g14[$r3]
    ld b32 $r4 g14[$r4]
    add b32 $r3 $r3 $r4
    st b32 s[$a1+sdata] $r3
    bar inc wait 0x0 0xfff

    // $r0 = s: ntid / 2, half of it, ... 1
    cvt u32 $r0 u16 u16 s[%ntid.x]
    shr u32 $r0 $r0 0x1
round:
    set $c0 # ge u32 $r1 $r0
    joinat added
    (lg $c0) bra added
    add b32 $r4 $r1 $r0
    shl $a2 $r4 0x2
    mov b32 $r4 b32 s[$a2+sdata]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
added:
    join nop
    bar inc wait 0x0 0xfff
    shr u32 $r0 $r0 0x1
    set $c0 # lg u32 $r0 $r124
    (lg $c0) bra round

    set $c0 # lg u32 $r1 $r124
    (lg $c0) ret
    // odata[block] = sdata[0]
    cvt u32 $r0 u16 u16 s[%ctaid.x]
    shl b32 $r0 $r0 0x2
    add b32 $r0 b32 s[odata] $r0
    mov b32 $r3 b32 s[sdata]
    exit st b32 g14[$r0] $r3
.end

// The last warp without barriers; blocks of more than 64 threads
.entry reduce5
.param u64 odata
.param u64 idata
.shared sdata 512

    // $r1 = tid, $a1 = &sdata[tid], which gets the sum of two elements
    cvt u32 $r1 u16 $r0l
    cvt u32 $r9 u16 u16 s[%ntid.x]
    add b32 $r2 $r9 $r9
    add $r3 (mul u16 u16 s[%ctaid.x] $r2l) $r1
    shl $a1 $r1 0x2
    add b32 $r4 $r3 $r9
    shl b32 $r3 $r3 0x2
    shl b32 $r4 $r4 0x2
    add b32 $r3 b32 s[idata] $r3
    add b32 $r4 b32 s[idata] $r4
    ld b32 $r3 g14[$r3]
    ld b32 $r4 g14[$r4]
    add b32 $r3 $r3 $r4
    st b32 s[$a1+sdata] $r3
    bar inc wait 0x0 0xfff

    mov b32 $r8 0x20
    // $r0 = s: ntid / 2, half of it, ... above 32
    cvt u32 $r0 u16 u16 s[%ntid.x]
    shr u32 $r0 $r0 0x1
round:
    set $c0 # ge u32 $r1 $r0
    joinat added
    (lg $c0) bra added
    add b32 $r4 $r1 $r0
    shl $a2 $r4 0x2
    mov b32 $r4 b32 s[$a2+sdata]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
added:
    join nop
    bar inc wait 0x0 0xfff
    shr u32 $r0 $r0 0x1
    set $c0 # g u32 $r0 $r8
    (lg $c0) bra round

    // The last warp, without barriers: all of its threads add; the sums of the upper ones do not matter
    mov b32 $r5 0x20
    set $c0 # ge u32 $r1 $r5
    (lg $c0) ret
    add $a2 $a1 0x80
    mov b32 $r4 b32 s[$a2+sdata]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
    mov b32 $r4 b32 s[$a1+sdata+64]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
    mov b32 $r4 b32 s[$a1+sdata+32]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
    mov b32 $r4 b32 s[$a1+sdata+16]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
    mov b32 $r4 b32 s[$a1+sdata+8]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
    mov b32 $r4 b32 s[$a1+sdata+4]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
    set $c0 # lg u32 $r1 $r124
    (lg $c0) ret
    // odata[block] = sdata[0]
    cvt u32 $r0 u16 u16 s[%ctaid.x]
    shl b32 $r0 $r0 0x2
    add b32 $r0 b32 s[odata] $r0
    mov b32 $r3 b32 s[sdata]
    exit st b32 g14[$r0] $r3
.end

// All rounds unrolled, for blocks of 128 threads
.entry reduce6
.param u64 odata
.param u64 idata
.shared sdata 512

    // $r1 = tid, $a1 = &sdata[tid], which gets the sum of two elements
    cvt u32 $r1 u16 $r0l
    cvt u32 $r9 u16 u16 s[%ntid.x]
    add b32 $r2 $r9 $r9
    add $r3 (mul u16 u16 s[%ctaid.x] $r2l) $r1
    shl $a1 $r1 0x2
    add b32 $r4 $r3 $r9
    shl b32 $r3 $r3 0x2
    shl b32 $r4 $r4 0x2
    add b32 $r3 b32 s[idata] $r3
    add b32 $r4 b32 s[idata] $r4
    ld b32 $r3 g14[$r3]
    ld b32 $r4 g14[$r4]
    add b32 $r3 $r3 $r4
    st b32 s[$a1+sdata] $r3
    bar inc wait 0x0 0xfff

    // Blocks of 128 threads
    mov b32 $r5 0x40
    set $c0 # ge u32 $r1 $r5
    joinat added
    (lg $c0) bra added
    add $a2 $a1 0x100
    mov b32 $r4 b32 s[$a2+sdata]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
added:
    join nop
    bar inc wait 0x0 0xfff
    // The last warp, without barriers: all of its threads add; the sums of the upper ones do not matter
    mov b32 $r5 0x20
    set $c0 # ge u32 $r1 $r5
    (lg $c0) ret
    add $a2 $a1 0x80
    mov b32 $r4 b32 s[$a2+sdata]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
    mov b32 $r4 b32 s[$a1+sdata+64]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
    mov b32 $r4 b32 s[$a1+sdata+32]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
    mov b32 $r4 b32 s[$a1+sdata+16]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
    mov b32 $r4 b32 s[$a1+sdata+8]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
    mov b32 $r4 b32 s[$a1+sdata+4]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
    set $c0 # lg u32 $r1 $r124
    (lg $c0) ret
    // odata[block] = sdata[0]
    cvt u32 $r0 u16 u16 s[%ctaid.x]
    shl b32 $r0 $r0 0x2
    add b32 $r0 b32 s[odata] $r0
    mov b32 $r3 b32 s[sdata]
    exit st b32 g14[$r0] $r3
.end

// Several elements per thread, for blocks of 128 threads
.entry reduce7
.param u64 odata
.param u64 idata
.param u32 n
.shared sdata 512

    // $r1 = tid, $r3 = i = ctaid * 256 + tid, $r8 = elements of a round of the grid
    cvt u32 $r1 u16 $r0l
    cvt u32 $r3 u16 u16 s[%ctaid.x]
    cvt u32 $r8 u16 u16 s[%nctaid.x]
    shl b32 $r3 $r3 0x8
    shl b32 $r8 $r8 0x8
    add b32 $r3 $r3 $r1
    shl $a1 $r1 0x2
    mov b32 $r7 b32 s[n]
    mov b32 $r6 0x0
more:
    shl b32 $r4 $r3 0x2
    add b32 $r4 b32 s[idata] $r4
    add b32 $r5 $r4 0x200
    ld b32 $r4 g14[$r4]
    ld b32 $r5 g14[$r5]
    add b32 $r3 $r3 $r8
    set $c0 # l u32 $r3 $r7
    add b32 $r4 $r4 $r5
    add b32 $r6 $r6 $r4
    (lg $c0) bra more
    st b32 s[$a1+sdata] $r6
    bar inc wait 0x0 0xfff

    // Blocks of 128 threads
    mov b32 $r5 0x40
    set $c0 # ge u32 $r1 $r5
    joinat added
    (lg $c0) bra added
    add $a2 $a1 0x100
    mov b32 $r4 b32 s[$a2+sdata]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
added:
    join nop
    bar inc wait 0x0 0xfff
    // The last warp, without barriers: all of its threads add; the sums of the upper ones do not matter
    mov b32 $r5 0x20
    set $c0 # ge u32 $r1 $r5
    (lg $c0) ret
    add $a2 $a1 0x80
    mov b32 $r4 b32 s[$a2+sdata]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
    mov b32 $r4 b32 s[$a1+sdata+64]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
    mov b32 $r4 b32 s[$a1+sdata+32]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
    mov b32 $r4 b32 s[$a1+sdata+16]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
    mov b32 $r4 b32 s[$a1+sdata+8]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
    mov b32 $r4 b32 s[$a1+sdata+4]
    add b32 $r4 b32 s[$a1+sdata] $r4
    st b32 s[$a1+sdata] $r4
    set $c0 # lg u32 $r1 $r124
    (lg $c0) ret
    // odata[block] = sdata[0]
    cvt u32 $r0 u16 u16 s[%ctaid.x]
    shl b32 $r0 $r0 0x2
    add b32 $r0 b32 s[odata] $r0
    mov b32 $r3 b32 s[sdata]
    exit st b32 g14[$r0] $r3
.end
