// Every kind of unit: out[i] gathers results of both groups of SPs, of operations at half rate, SFUs and double
// precision.
.target sm_20
.entry arithmetic
.param u32 out
.param u32 in
  mov b32 $r0 $tidx
  mov b32 $r1 $ctaidx
  add $r0 (mul u32 $r1 u32 c0[%ntid.x]) $r0
  add b32 $r2 (shl $r0 0x2) c0[in]
  ld b32 $r3 cg g[$r2]
  and b32 $r4 $r3 0xff
  cvt rn f32 $r5 u32 $r4
  add rn f32 $r5 $r5 0x3f800000
  rcp f32 $r6 $r5
  mul rn f32 $r7 $r6 $r5
  cvt f64 $r8d f32 $r7
  fma rn f64 $r10d $r8d $r8d $r8d
  add rn f64 $r10d $r10d $r8d
  cvt rn f32 $r12 f64 $r10d
  cvt rni s32 $r13 f32 $r12
  popc $r14 $r3 $r3
  bfind u32 $r15 $r3
  shr u32 $r16 $r3 clamp 0x1c
  add b32 $r13 $r13 $r14
  add b32 $r13 $r13 $r15
  add b32 $r13 $r13 $r16
  set $p0 $p7 gt u32 $r4 0x7f
  selp b32 $r17 $r13 $r4 $p0
  vote any $r18 $p1 $p0
  xor b32 $r17 $r17 $r18
  add b32 $r2 (shl $r0 0x2) c0[out]
  st b32 cs g[$r2] $r17
  exit
.end
