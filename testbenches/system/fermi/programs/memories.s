// Generic addresses, local memory, a fence, and a table of targets. With t the number of the thread in its block, x
// in[t] of its block, and `held` the number of threads of the block whose x is odd:
//   out[thread] = held + (x xor (t xor 1)) + 100 * (t % 4)
.target sm_20
.entry memories
.param u32 out
.param u32 in
.shared cells 4096
.local 32
.literal sides b32 0x0 0x18 0x30 0x48
  mov b32 $r0 $tidx
  mov b32 $r1 $ctaidx
  add $r1 (mul u32 $r1 u32 c0[%ntid.x]) $r0
  add b32 $r2 (shl $r1 0x2) c0[in]
  ld b32 $r3 cv g[$r2]
  shl b32 $r4 $r0 clamp 0x2
  // The thread's number goes to shared memory by its own name, and comes back to the neighbour by a generic address.
  st b32 s[$r4+cells] $r0
  membar cta
  bar popc $p7 $r63 $r63 $r63 $p7
  xor b32 $r5 $r4 0x4
  add b32 $r5 $r5 c0[0x0]
  add b32 $r5 $r5 @cells
  ld b32 $r6 ca g[$r5]
  xor b32 $r6 $r6 $r3
  // Through local memory: stored by its own name, loaded by a generic address.
  st b32 wb l[0x8] $r6
  mov b32 $r7 c0[0x4]
  ld b32 $r8 ca g[$r7+0x8]
  // One of four sides by a table.
  and b32 $r9 $r0 0x3
  shl b32 $r9 $r9 clamp 0x2
  joinat meet
  bra pcrel c16[$r9+sides]
  mov b32 $r10 0x0
  nop
  join nop
  mov b32 $r10 0x64
  nop
  join nop
  mov b32 $r10 0xc8
  nop
  join nop
  mov b32 $r10 0x12c
  nop
  join nop
meet:
  and b32 $r11 $r3 0x1
  set $p0 $p7 ne u32 $r11 0x0
  bar popc $p1 $r12 $r63 $r63 $p0
  add b32 $r8 $r8 $r10
  add b32 $r8 $r8 $r12
  add b32 $r2 (shl $r1 0x2) c0[out]
  st b32 cg g[$r2] $r8
  exit
.end
