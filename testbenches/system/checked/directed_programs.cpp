#include "testbenches/system/checked/directed_programs.h"

#include "testbenches/system/checked/checked_device.h"

namespace gt200::support {
namespace {

directed_program program(const char* name, unsigned blocks, unsigned threads, const std::string& body,
                         const std::string& directives = "") {
  checked_program_text p;
  p.text = checked_program(body + "\n  st b32 g14[$r4] $r5\n  exit nop\n", directives);
  p.blocks = blocks;
  p.threads = threads;
  return {name, p};
}

directed_program racing(directed_program p) {
  p.program.race_free = false;
  return p;
}

std::vector<directed_program> make() {
  std::vector<directed_program> all;
  all.push_back(program("read_after_write", 2, 128, R"(
  ld b32 $r5 g14[$r3]
  add b32 $r6 $r5 $r1
  add b32 $r7 $r6 $r5
  add b32 $r5 $r7 $r6
  add b32 $r5 $r5 $r5)"));
  all.push_back(program("write_after_write", 2, 128, R"(
  ld b32 $r5 g14[$r3]
  add b32 $r5 $r1 $r1
  rcp f32 $r5 $r5
  mov b32 $r5 $r1)"));
  all.push_back(program("write_after_read_of_the_sfu", 2, 192, R"(
  cvt rn f32 $r6 u32 $r1
  rcp f32 $r7 $r6
  rsqrt f32 $r8 $r6
  lg2 f32 $r9 $r6
  add b32 $r6 $r1 $r1
  xor b32 $r5 $r7 $r8
  xor b32 $r5 $r5 $r9
  xor b32 $r5 $r5 $r6)"));
  all.push_back(program("write_after_read_of_a_store", 2, 192, R"(
  add b32 $r5 $r1 $r1
  st b32 g14[$r4] $r5
  add b32 $r5 $r1 0x7
  ld b32 $r6 g14[$r4]
  add b32 $r5 $r5 $r6)"));
  all.push_back(program("two_destinations", 2, 128, R"(
  add b32 $c0 $r6 $r1 $r1
  (lg $c0) mov b32 $r7 $r2
  addc b32 $r8 $r6 $r7 $c0
  sub b32 $c1 $r9 $r8 $r1
  mov $r5 $c1
  add b32 $r5 $r5 $r9)"));
  all.push_back(program("wide_loads", 2, 96, R"(
  shl b32 $r6 $r0 0x4
  add b32 $r7 b32 s[in] $r6
  ld b128 $r12q g14[$r7]
  add b32 $r16 $r15 $r12
  ld b64 $r12d g14[$r7]
  add b32 $r5 $r16 $r13
  add b32 $r5 $r5 $r14)"));
  all.push_back(program("stores_to_shared_memory_before_operands", 2, 128, R"(
  shl $a1 $r1 0x2
  st b32 s[$a1+tile] $r1
  add b32 $r5 b32 s[$a1+tile] $r1
  st b32 s[$a1+tile] $r5
  mul $r6 u24 b32 s[$a1+tile] $r5
  add b32 $r5 $r5 $r6)",
                        ".shared tile 1024\n"));
  all.push_back(program("post_increments", 1, 128, R"(
  shl $a1 $r1 0x2
  st b32 s[$a1+tile] $r1
  shl b32 $r6 $r1 0x2
  add b32 $r6 $r6 @tile
  shl $a2 $r6 0x0
  mov b32 $r7 b32 s[$a2++0x4]
  mov $r8 $a2
  shl $a2 $r6 0x0
  mov b32 $r9 b32 s[$a2++0x4]
  add b32 $r5 $r7 $r8
  add b32 $r5 $r5 $r9)",
                        ".shared tile 1024\n"));
  all.push_back(program("address_registers", 2, 96, R"(
  add $a1 0x0 0x8
  add $a2 $a1 0x4
  and b32 $r6 $r1 0x1c
  shl $a3 $r6 0x0
  ld $r7 b32 c1[$a2+table]
  add b32 $r8 $r1 c1[$a3+table]
  mov $r9 $a2
  add b32 $r5 $r7 $r8
  add b32 $r5 $r5 $r9)",
                        ".literal table u32 1 2 3 4 5 6 7 8\n"));
  all.push_back(program("taken_branches", 2, 128, R"(
  mov b32 $r5 0x0
  mov b32 $r6 0x6
again:
  add b32 $r5 $r5 $r1
  bra over
  ld b32 $r5 g14[$r3]
  ld b32 $r7 g14[$r3]
over:
  sub b32 $r6 $r6 0x1
  set $c0 # lg s32 $r6 $r124
  (lg $c0) bra again)"));
  all.push_back(program("nested_branches", 2, 128, R"(
  mov b32 $r5 0x0
  and b32 $r6 $r1 0x1
  and b32 $r7 $r1 0x2
  set $c0 # lg u32 $r6 $r124
  set $c1 # lg u32 $r7 $r124
  joinat meet
  (lg $c0) bra odd
  joinat inner
  (lg $c1) bra two
  add b32 $r5 $r5 0x10
  bra inner
two:
  add b32 $r5 $r5 0x100
inner:
  join nop
  bra meet
odd:
  add b32 $r5 $r5 0x1000
meet:
  join add b32 $r5 $r5 $r1)"));
  all.push_back(program("loops_with_break", 2, 96, R"(
  and b32 $r6 $r1 0x7
  mov b32 $r5 0x0
  breakaddr behind
again:
  add b32 $r5 $r5 $r6
  sub b32 $r6 $r6 0x1
  set $c0 # l s32 $r6 $r124
  (lg $c0) break
  bra again
behind:
  add b32 $r5 $r5 $r1)"));
  all.push_back(program("calls", 2, 96, R"(
  mov b32 $r5 $r1
  call twice
  call twice
  bra end
twice:
  add b32 $r5 $r5 $r5
  call once
  and b32 $r6 $r1 0x1
  set $c0 # lg u32 $r6 $r124
  (lg $c0) ret
  add b32 $r5 $r5 0x3
  ret
once:
  xor b32 $r5 $r5 0x5a
  ret
end:
  nop)"));
  all.push_back(program("votes", 2, 128, R"(
  and b32 $r6 $r1 0x10
  set $c0 # lg u32 $r6 $r124
  (lg $c0) vote any $c1
  (lg $c0) vote all $c2
  mov $r7 $c1
  mov $r8 $c2
  shl b32 $r8 $r8 0x8
  add b32 $r5 $r7 $r8)"));
  all.push_back(program("barriers", 2, 192, R"(
  shl $a1 $r1 0x2
  st b32 s[$a1+tile] $r1
  bar inc wait 0x0 0xfff
  xor b32 $r6 $r1 0x21
  shl b32 $r6 $r6 0x2
  shl $a2 $r6 0x0
  ld $r5 b32 s[$a2+tile]
  bar inc 0x1 0xfff
  add b32 $r5 $r5 $r5
  bar wait 0x1 0xfff
  st b32 s[$a1+tile] $r5
  bar inc wait 0x0 all
  ld $r5 b32 s[$a2+tile])",
                        ".shared tile 1024\n"));
  all.push_back(program("doubles", 2, 64, R"(
  cvt rn f64 $r6d s32 $r1
  add rn f64 $r8d $r6d $r6d
  fma rn f64 $r8d $r8d $r6d $r8d
  mul rn f64 $r6d $r8d $r8d
  set $c0 # l f64 $r6d $r8d
  (lg $c0) mov b32 $r6 $r1
  xor b32 $r5 $r6 $r7)"));
  all.push_back(program("local_memory", 2, 96, R"(
  st b32 l[0x0] $r1
  and b32 $r6 $r1 0x1c
  shl $a1 $r6 0x0
  st b32 l[$a1+0x10] $r6
  ld b32 $r7 l[$a1+0x10]
  ld b32 $r5 l[0x0]
  add b32 $r5 $r5 $r7)",
                        ".local 64\n"));
  all.push_back(program("textures", 2, 96, R"(
  and b32 $r8 $r0 0x3ff
  texfetch all $r8:$r9:#:# $t0 $s0 $r8 0x0 0x0 0x0
  add b32 $r5 $r8 $r9
  and b32 $r8 $r0 0x3ff
  texfetch all $r8:$r9:#:# $t0 $s0 $r8 0x3 0x0 0x0
  add b32 $r5 $r5 $r8
  and b32 $r8 $r0 0x3
  texfetch all $r8:$r9:#:# $t0 $s0 $r8 -0x2 0x0 0x0
  add b32 $r5 $r5 $r8)"));
  all.push_back(program("exits_of_some_lanes", 2, 128, R"(
  ld b32 $r5 g14[$r3]
  and b32 $r6 $r1 0x3
  set $c0 # lg u32 $r6 $r124
  joinat meet
  (lg $c0) bra meet
  exit st b32 g14[$r4] $r1
meet:
  join nop
  add b32 $r5 $r5 0x1)"));
  all.push_back(racing(program("locks_and_atomics", 2, 64, R"(
  st b32 s[cell] $r124
  bar inc wait 0x0 0xfff
  joinat done
again:
  ld lock $c0 $r6 b32 s[cell]
  (l $c0) add b32 $r6 $r6 $r1
  (l $c0) st unlock b32 s[cell] $r6
  (e $c0) bra again
done:
  join nop
  bar inc wait 0x0 0xfff
  mov b32 $r5 b32 s[cell]
  mov b32 $r7 b32 s[out]
  add b32 $r7 $r7 0x4000
  red add u32 g14[$r7] $r1
  ld max u32 $r8 g14[$r7] $r0
  add b32 $r5 $r5 $r8)",
                               ".shared cell 4\n")));
  return all;
}

}  // namespace

const std::vector<directed_program>& directed_programs() {
  static const std::vector<directed_program> all = make();
  return all;
}

}  // namespace gt200::support
