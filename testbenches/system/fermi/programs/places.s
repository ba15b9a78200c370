// out[number of the thread in the grid] = tid.x + 32 tid.y + 1024 tid.z + 65536 ctaid.x + 2^20 ctaid.y + 2^24 ctaid.z,
// for grids and blocks of three dimensions.
.target sm_20
.entry places
.param u32 out
.param u32 in
  mov b32 $r0 $tidx
  mov b32 $r1 $tidy
  mov b32 $r2 $tidz
  mov b32 $r3 $ctaidx
  mov b32 $r4 $ctaidy
  mov b32 $r5 $ctaidz
  add $r6 (mul u32 $r5 u32 c0[%nctaid.y]) $r4
  add $r6 (mul u32 $r6 u32 c0[%nctaid.x]) $r3
  add $r6 (mul u32 $r6 u32 c0[%ntid.z]) $r2
  add $r6 (mul u32 $r6 u32 c0[%ntid.y]) $r1
  add $r6 (mul u32 $r6 u32 c0[%ntid.x]) $r0
  add b32 $r6 (shl $r6 0x2) c0[out]
  add b32 $r7 (shl $r1 0x5) $r0
  add b32 $r7 (shl $r2 0xa) $r7
  add b32 $r7 (shl $r3 0x10) $r7
  add b32 $r7 (shl $r4 0x14) $r7
  add b32 $r7 (shl $r5 0x18) $r7
  st b32 wb g[$r6] $r7
  exit
.end
