// Sum of the 256 elements of each block by interleaved addressing: in round s the threads whose number is a multiple of
// 2 s add the element s places away. A function computes the remainder, as compilers do for a divisor that is not a
// constant, and the additions are divergent code: deliberately the slow first version of the CUDA SDK's reduction.
.target sm_13

.entry reduce0
.param u64 idata
.param u64 odata
.param u32 N
.shared sdata 1024

    // $r1 = tid.x, $r0 = i, $a1 = the thread's element of sdata
    mov b16 $r2l u16 s[%ntid.x]
    cvt u32 $r1 u16 $r0l
    add $r0 (mul u16 u16 s[%ctaid.x] $r2l) $r1
    shl $a1 $r1 0x2
    mov b32 $r3 0x0
    set $c0 # g u32 b32 s[N] $r0
    shl b32 $r2 $r0 0x2
    add b32 $r2 b32 s[idata] $r2
    (lg $c0) ld b32 $r3 g14[$r2]
    st b32 s[$a1+sdata] $r3
    bar inc wait 0x0 0xfff

    mov b32 $r0 0x1
round:
    // $r0 = s, $r2 = 2 s, $r3 = tid.x % (2 s)
    add b32 $r2 $r0 $r0
    mov b32 $r3 $r1
    call remainder
    set $c0 # lg u32 $r3 $r124
    joinat added
    (lg $c0) bra added
    add b32 $r3 $r1 $r0
    shl $a2 $r3 0x2
    ld $r3 b32 s[$a2+sdata]
    add rn f32 $r3 b32 s[$a1+sdata] $r3
    st b32 s[$a1+sdata] $r3
added:
    join nop
    bar inc wait 0x0 0xfff
    mov b32 $r0 $r2
    cvt u32 $r3 u16 u16 s[%ntid.x]
    set $c0 # l u32 $r0 $r3
    (lg $c0) bra round

    set $c0 # lg u32 $r1 $r124
    (lg $c0) ret
    cvt u32 $r0 u16 u16 s[%ctaid.x]
    mov b32 $r3 b32 s[sdata]
    shl b32 $r0 $r0 0x2
    add b32 $r0 b32 s[odata] $r0
    exit st b32 g14[$r0] $r3

// $r3 = $r3 % $r2, unsigned, by two estimates of the quotient from a reciprocal that is a little too small, and one
// correction. Uses $r4 .. $r7.
remainder:
    cvt rp f32 $r4 u32 $r2
    rcp f32 $r4 $r4
    add b32 $r4 $r4 0xfffffffe
    cvt rz f32 $r5 u32 $r3
    mul rz f32 $r5 $r5 $r4
    cvt rzi u32 $r5 f32 $r5
    // $r3 -= $r5 * $r2: three 16-bit products make the low 32 bits
    mul $r6 u16 $r5l u16 $r2h
    add $r6 (mul u16 $r5h $r2l) $r6
    shl b32 $r6 $r6 0x10
    add $r6 (mul u16 $r5l $r2l) $r6
    sub b32 $r3 $r3 $r6
    cvt rz f32 $r5 u32 $r3
    mul rz f32 $r5 $r5 $r4
    cvt rzi u32 $r5 f32 $r5
    mul $r6 u16 $r5l u16 $r2h
    add $r6 (mul u16 $r5h $r2l) $r6
    shl b32 $r6 $r6 0x10
    add $r6 (mul u16 $r5l $r2l) $r6
    sub b32 $r3 $r3 $r6
    set $c0 # ge u32 $r3 $r2
    (lg $c0) sub b32 $r3 $r3 $r2
    ret
.end
