// out[i] = steps of the Collatz sequence from in[i] % 64 + 1 to 1. Lanes leave the loop one by one; in it they take
// both sides of a branch.
.target sm_20
.entry collatz
.param u32 out
.param u32 in
  mov b32 $r0 $tidx
  mov b32 $r1 $ctaidx
  add $r0 (mul u32 $r1 u32 c0[%ntid.x]) $r0
  add b32 $r2 (shl $r0 0x2) c0[in]
  ld b32 $r3 ca g[$r2]
  and b32 $r3 $r3 0x3f
  add b32 $r3 $r3 0x1
  mov b32 $r5 0x0
  mov b32 $r7 0x1
  prebrk done
loop:
  set $p0 $p7 le u32 $r3 0x1
  $p0 brk
  and b32 $r6 $r3 0x1
  set $p1 $p7 ne u32 $r6 0x0
  joinat meet
  $p1 bra odd
  shr u32 $r3 $r3 clamp 0x1
  join nop
odd:
  add $r3 (mul u32 $r3 u32 0x3) $r7
  join nop
meet:
  add b32 $r5 $r5 0x1
  bra loop
done:
  add b32 $r4 (shl $r0 0x2) c0[out]
  st b32 wb g[$r4] $r5
  exit
.end
