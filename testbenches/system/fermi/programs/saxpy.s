// y[i] = a x[i] + y[i], one element per thread.
.target sm_20
.entry saxpy
.param u32 n
.param f32 a
.param u32 x
.param u32 y
  mov b32 $r0 $tidx
  mov b32 $r1 $ctaidx
  add $r0 (mul u32 $r1 u32 c0[%ntid.x]) $r0
  set $p0 $p7 ge u32 $r0 c0[n]
  $p0 exit
  add b32 $r2 (shl $r0 0x2) c0[x]
  add b32 $r3 (shl $r0 0x2) c0[y]
  ld b32 $r4 ca g[$r2]
  ld b32 $r5 ca g[$r3]
  mov b32 $r6 c0[a]
  fma rn f32 $r5 $r4 $r6 $r5
  st b32 wb g[$r3] $r5
  exit
.end
