// Features that the kernels of the repository do not use, compared with the emulator instruction by instruction.

#include <cstring>

#include "testbenches/system/checked/checked_board.h"

namespace gt200 {
namespace {

using support::checked_program;

class checked : public support::checked_board {};

constexpr const char* finish = "\n  st b32 g14[$r4] $r5\n  exit nop\n";

TEST_F(checked, widths_of_global_memory) {
  build(checked_program(R"(
  shl b32 $r6 $r0 0x4
  add b32 $r7 b32 s[in] $r6
  add b32 $r8 b32 s[out] $r6
  ld b128 $r12q g14[$r7]
  ld b64 $r16d g14[$r7]
  ld u8 $r18 g14[$r7]
  ld s8 $r19 g14[$r7]
  ld u16 $r20 g14[$r7]
  ld s16 $r21 g14[$r7]
  add b32 $r12 $r12 $r18
  add b32 $r13 $r13 $r19
  add b32 $r14 $r14 $r20
  add b32 $r15 $r15 $r21
  st b128 g14[$r8] $r12q
  add b32 $r9 $r8 0x8
  st b64 g14[$r9] $r16d
  add b32 $r9 $r8 0x4
  st u8 g14[$r9] $r16
  add b32 $r9 $r8 0x6
  st s16 g14[$r9] $r17
  ld b128 $r12q g14[$r8]
  st b128 g14[$r8] $r12q
  exit nop
)"));
  run_alike(3, 96);
}

TEST_F(checked, scattered_and_common_addresses) {
  build(checked_program(R"(
  ld b32 $r5 g14[$r3]
  and b32 $r6 $r5 c1[mask]
  add b32 $r7 b32 s[in] $r6
  add b32 $r8 b32 s[out] $r6
  ld b32 $r9 g14[$r7]
  st b32 g14[$r8] $r9
  ld b32 $r10 g14[$r8]
  mov b32 $r11 b32 s[out]
  st b32 g14[$r11] $r0
  ld b32 $r5 g14[$r11]
  add b32 $r5 $r5 $r10
)" + std::string(finish),
                        ".literal mask u32 0xffc\n"));
  run_alike(6, 128);
}

TEST_F(checked, every_atomic_operation) {
  std::string body =
      "  ld b32 $r5 g14[$r3]\n  ld b32 $r6 g14[$r3]\n  mov b32 $r8 b32 s[out]\n  and b32 $r9 $r1 0x1c\n"
      "  add b32 $r8 $r8 $r9\n";
  for (const char* op : {"add u32", "max s32", "max u32", "min s32", "min u32", "inc u32", "dec u32", "and b32",
                         "or b32", "xor b32"})
    body += "  ld " + std::string(op) + " $r7 g14[$r8] $r5\n  red " + op + " g14[$r8] $r1\n  xor b32 $r6 $r6 $r7\n";
  body +=
      "  exch b32 $r7 g14[$r8] $r6\n  cas b32 $r7 g14[$r8] $r7 $r1\n"
      "  mov b32 $r10 $r1\n  mov b32 $r11 $r0\n  shl b32 $r12 $r9 0x1\n  add b32 $r8 b32 s[in] $r12\n"
      "  add b32 $r8 $r8 0x8000\n  exch b64 $r12d g14[$r8] $r10d\n  add b32 $r5 $r7 $r13\n";
  build(checked_program(body + finish));
  run_alike(2, 64);
}

// Compare-and-swap carries two operands: only one of them fits at the end of an interleave block.
TEST_F(checked, compare_and_swap_up_to_the_end_of_an_interleave_block) {
  build(checked_program(R"(
  and b32 $r6 $r0 0x1f
  shl b32 $r7 $r6 0x3
  add b32 $r8 b32 s[out] $r7
  mov b32 $r10 $r124
  mov b32 $r11 $r124
  mov b32 $r12 $r0
  mov b32 $r13 $r1
  cas b64 $r14d g14[$r8] $r10d $r12d
  add b32 $r8 $r8 0x4
  cas b32 $r5 g14[$r8] $r1 $r0
  add b32 $r4 $r4 0x1000
  add b32 $r5 $r5 $r14
)" + std::string(finish)));
  run_alike(2, 64);
}

// Separate arrival and wait; the last wait comes after the barrier has opened.
TEST_F(checked, barriers_of_two_instructions) {
  build(checked_program(R"(
  mov b32 $r5 $r1
  mov b32 $r6 0x3
again:
  bar inc 0x1 0xfff
  add b32 $r5 $r5 0x7
  bar wait 0x1 0xfff
  bar inc wait 0x0 0xfff
  bar wait 0x1 0xfff
  sub b32 $r6 $r6 0x1
  set $c0 # lg u32 $r6 $r124
  (lg $c0) bra again
)" + std::string(finish)));
  run_alike(2, 192);
}

TEST_F(checked, local_memory) {
  build(checked_program(R"(
  ld b32 $r5 g14[$r3]
  st b32 l[0x0] $r5
  and b32 $r6 $r1 0xc
  shl $a1 $r6 0x0
  st b32 l[$a1+0x10] $r1
  ld b32 $r7 l[$a1+0x10]
  st u8 l[0x1] $r7
  ld b32 $r8 l[0x0]
  st b64 l[0x20] $r4d
  ld b64 $r10d l[0x20]
  st b128 l[0x30] $r8q
  ld b128 $r12q l[0x30]
  ld b32 $r16 l[0x7c]
  add b32 $r5 $r8 $r15
  add b32 $r5 $r5 $r16
  st b32 l[0x7c] $r5
)" + std::string(finish),
                        ".local 128\n"));
  run_alike(6, 96);
}

TEST_F(checked, shared_memory_of_all_widths_with_conflicts_and_indices) {
  build(checked_program(R"(
  shl $a1 $r1 0x2
  shl $a2 $r1 0x4
  ld b32 $r5 g14[$r3]
  st b32 s[$a1+tile] $r5
  bar inc wait 0x0 0xfff
  st b8 s[$a2+wide+1] $r1
  st b16 s[$a2+wide+2] $r5l
  bar inc wait 0x0 0xfff
  ld $r6 u8 s[$a1+tile]
  ld $r7 s16 s[$a1+tile]
  ld $r8 b32 s[$a2+wide]
  mov b32 $r9 b32 s[tile]
  add b32 $r10 b32 s[$a1+tile] $r5
  mov b32 $r11 b32 s[$a1++0x4]
  mov b32 $r12 b32 s[$a1++0x4]
  mul rn f32 $r13 b32 s[tile] $r5
  rcp f32 $r14 $r13
  xor b32 $r5 $r6 $r7
  xor b32 $r5 $r5 $r8
  xor b32 $r5 $r5 $r12
)" + std::string(finish),
                        ".shared tile 1024\n.shared wide 2048\n"));
  run_alike(4, 128);
}

// The result must not depend on what the address register's lanes held for the instruction before.
TEST_F(checked, address_registers_without_a_base_begin_at_zero) {
  build(checked_program(std::string(R"(
  add $a1 0x0 0x10
  mov b32 $r5 b32 s[$a1]
  mov b32 $r6 b32 s[$a1]
  mov b32 $r7 b32 s[$a1]
  mov b32 $r8 b32 s[$a1]
  mov b32 $r9 b32 s[$a1]
  mov b32 $r10 b32 s[$a1]
  mov b32 $r11 b32 s[$a1]
  mov b32 $r12 b32 s[$a1]
  add $a1 0x0 0x14
  mov b32 $r6 b32 s[$a1]
  add b32 $r5 $r5 $r6
)") + finish));
  run_alike(1, 32);
}

TEST_F(checked, constants_of_all_widths) {
  build(checked_program(R"(
  and b32 $r6 $r1 0x1c
  shl $a1 $r6 0x0
  ld $r5 b32 c1[table]
  ld $r7 b32 c1[$a1+table]
  ld $r8 u8 c1[$a1+table]
  ld $r9 s16 c1[$a1+table]
  ld $r10 u16 c1[table+6]
  add b32 $r5 $r5 c1[table+4]
  add b32 $r5 $r5 $r7
  add b32 $r5 $r5 $r8
  add b32 $r5 $r5 $r9
  add b32 $r5 $r5 $r10
)" + std::string(finish),
                        ".literal table u32 0x81828384 0x1 0xffff0000 3 4 5 6 0x80000007\n"));
  run_alike(2, 64);
}

TEST_F(checked, locks_of_shared_memory) {
  build(checked_program(R"(
  set $c1 # e u32 $r1 $r124
  (lg $c1) st b32 s[cell] $r124
  bar inc wait 0x0 0xfff
  joinat done
again:
  ld lock $c0 $r5 b32 s[cell]
  (l $c0) add b32 $r5 $r5 $r1
  (l $c0) st unlock b32 s[cell] $r5
  (e $c0) bra again
done:
  join nop
  bar inc wait 0x0 0xfff
  mov b32 $r5 b32 s[cell]
)" + std::string(finish),
                        ".shared cell 4\n"));
  run_alike(1, 64);
}

// A warp that waits after all have arrived continues. (If the next round had already begun, it would wait for that
// round.)
TEST_F(checked, arriving_at_a_barrier_and_waiting_for_it_may_be_two_instructions) {
  build(checked_program(R"(
  st b32 s[cells] $r1
  bar inc 0x0 0xfff
  shr u32 $r6 $r1 0x5
  mov b32 $r5 0x40
  add b32 $r6 $r6 $r5
work:
  sub b32 $r6 $r6 0x1
  set $c0 # g s32 $r6 $r124
  (lg $c0) bra work
  bar wait 0x0 0xfff
  mov b32 $r5 b32 s[cells]
  bar inc wait 0x1 0xfff
)" + std::string(finish),
                        ".shared cells 4\n"));
  run_alike(2, 32);
  run_alike(3, 160);
}

TEST_F(checked, loops_calls_and_breaks) {
  build(checked_program(R"(
  and b32 $r6 $r1 0x7
  mov b32 $r5 0x0
  breakaddr out_of_loop
loop:
  add b32 $r5 $r5 $r6
  sub b32 $r6 $r6 0x1
  set $c0 # l s32 $r6 $r124
  (lg $c0) break
  call twice
  joinat same
  and b32 $r7 $r6 0x1
  set $c1 # e u32 $r7 $r124
  (lg $c1) bra even
  add b32 $r5 $r5 0x10
  bra same
even:
  add b32 $r5 $r5 0x100
same:
  join nop
  bra loop
out_of_loop:
  vote any $c0
  mov $r8 $c0
  add b32 $r5 $r5 $r8
  st b32 g14[$r4] $r5
  exit nop
twice:
  add b32 $r5 $r5 $r5
  ret
)"));
  run_alike(2, 80);
}

TEST_F(checked, special_registers_and_doubles) {
  build(checked_program(R"(
  mov $r5 $physid
  mov $r6 $clock
  mov $r7 $clock
  mov $r8 $pm0
  sub b32 $r7 $r7 $r6
  add b32 $r5 $r5 $r7
  add b32 $r5 $r5 $r8
  cvt rn f64 $r10d s32 $r1
  add rn f64 $r10d $r10d $r10d
  fma rn f64 $r10d $r10d $r10d $r10d
  cvt rzi s32 $r9 f64 $r10d
  mov $r6 $clock
  add b32 $r5 $r5 $r9
)" + std::string(finish)));
  run_alike(2, 64);
}

TEST_F(checked, exit_with_a_store_and_blocks_that_are_not_full) {
  build(checked_program("  ld b32 $r5 g14[$r3]\n  exit st b32 g14[$r4] $r5\n"));
  run_alike(40, 45);
}

TEST_F(checked, textures) {
  build(checked_program(R"(
  and b32 $r8 $r0 0x3f
  texfetch all $r8:#:#:# $t0 $s0 $r8 0x0 0x0 0x0
  mov b32 $r5 $r8
)" + std::string(finish)));
  board->bind_texture(0, model::texture_binding::linear_memory(in, 1024, {model::texel_format::u32, 1, false}));
  run_alike(4, 96);
  EXPECT_NE(checker->counts().texture_fetches, 0u);
}

TEST_F(checked, texels_that_change_after_they_were_cached) {
  build(checked_program(R"(
  mov b32 $r8 $r0
  texfetch all $r8:#:#:# $t0 $s0 $r8 0x0 0x0 0x0
  add b32 $r5 $r8 0x7
  st b32 g14[$r4] $r5
  ld b32 $r6 g14[$r4]
  add b32 $r7 $r6 $r6
  mov b32 $r8 $r0
  texfetch all $r8:#:#:# $t0 $s0 $r8 0x0 0x0 0x0
  add b32 $r5 $r8 $r7
)" + std::string(finish)));
  board->bind_texture(0, model::texture_binding::linear_memory(out, 1024, {model::texel_format::u32, 1, false}));
  run_alike(1, 32);
  EXPECT_EQ(checker->counts().stale_texels, 32u) << "the cache is not coherent";
}

TEST_F(checked, one_launch_after_the_other) {
  build(checked_program("  ld b32 $r5 g14[$r4]\n  add b32 $r5 $r5 $r0\n" + std::string(finish)));
  run_alike(4, 64);
  const std::uint32_t word = 0x12345678;
  board->poke(out + 8, reinterpret_cast<const std::uint8_t*>(&word), 4);
  run_alike(5, 64);
  run_alike(1, 512);
  EXPECT_EQ(checker->counts().blocks, 10u);
}

TEST_F(checked, on_the_whole_chip_with_several_blocks_per_sm) {
  build(checked_program("  ld b32 $r5 g14[$r3]\n  add b32 $r5 $r5 $r0\n" + std::string(finish)), {}, {}, "gt200");
  run_alike(300, 64);
}

}  // namespace
}  // namespace gt200
