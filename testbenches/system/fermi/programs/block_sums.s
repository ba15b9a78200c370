// Each block adds up its part of `in` in shared memory; its first thread adds the sum to out[0].
.target sm_20
.entry block_sums
.param u32 out
.param u32 in
.shared cells 4096
  mov b32 $r0 $tidx
  mov b32 $r1 $ctaidx
  add $r1 (mul u32 $r1 u32 c0[%ntid.x]) $r0
  add b32 $r2 (shl $r1 0x2) c0[in]
  ld b32 $r3 ca g[$r2]
  shl b32 $r4 $r0 clamp 0x2
  st b32 s[$r4+cells] $r3
  mov b32 $r5 c0[%ntid.x]
  shr u32 $r5 $r5 clamp 0x1
halve:
  bar popc $p7 $r63 $r63 $r63 $p7
  set $p0 $p7 lt u32 $r0 $r5
  $p0 add b32 $r6 (shl $r5 0x2) $r4
  $p0 ld b32 $r7 s[$r6+cells]
  $p0 ld b32 $r8 s[$r4+cells]
  $p0 add b32 $r8 $r8 $r7
  $p0 st b32 s[$r4+cells] $r8
  shr u32 $r5 $r5 clamp 0x1
  set $p1 $p7 ne u32 $r5 0x0
  $p1 bra halve
  bar popc $p7 $r63 $r63 $r63 $p7
  set $p0 $p7 eq u32 $r0 0x0
  $p0 ld b32 $r3 s[$r63+cells]
  mov b32 $r9 c0[out]
  $p0 red add u32 g[$r9] $r3
  exit
.end
