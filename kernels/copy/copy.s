// out[i] = in[i], one word per thread: the device-to-device copy of the SDK's bandwidth test.
.target sm_10

.entry copy
.param u64 out
.param u64 in

    // i = ctaid.x * ntid.x + tid.x
    mov b16 $r0h u16 s[%ntid.x]
    cvt u32 $r1 u16 $r0l
    add $r0 (mul u16 u16 s[%ctaid.x] $r0h) $r1
    shl b32 $r0 $r0 0x2
    add b32 $r1 b32 s[in] $r0
    ld b32 $r1 g14[$r1]
    add b32 $r0 b32 s[out] $r0
    exit st b32 g14[$r0] $r1
.end
