// Resamples an image through a texture: out(x, y) = image(x * step.x + first.x, y * step.y + first.y), with the
// addressing mode and the filter that the launch description sets.
.target sm_10
.sampler image 0
.const step f32 0 0
.const first f32 0 0

.entry texture_filter
.param u64 out
.param u32 width
.literal ten_bits u32 0x3ff

    // $r3 = x, $r4 = y of the output
    mov b16 $r1l u16 s[%ntid.x]
    cvt u32 $r2 u16 $r0l
    add $r3 (mul u16 u16 s[%ctaid.x] $r1l) $r2
    shr u32 $r2 $r0 0x10
    and b32 $r2 $r2 c1[ten_bits]
    mov b16 $r1l u16 s[%ntid.y]
    add $r4 (mul u16 u16 s[%ctaid.y] $r1l) $r2

    cvt rn f32 $r8 u32 $r3
    cvt rn f32 $r9 u32 $r4
    mul rn f32 $r8 $r8 c0[step]
    mul rn f32 $r9 $r9 c0[step+4]
    add rn f32 $r8 $r8 c0[first]
    add rn f32 $r9 $r9 c0[first+4]
    texauto all $r8:#:#:# $t0 $s0 $r8:$r9 0x0 0x0 0x0

    // out[y * width + x]
    add $r3 (mul u16 u16 s[width] $r4l) $r3
    shl b32 $r3 $r3 0x2
    add b32 $r3 b32 s[out] $r3
    exit st b32 g14[$r3] $r8
.end
