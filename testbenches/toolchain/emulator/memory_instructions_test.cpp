// Loads, stores, operands in memory, address registers, atomics and locks.
#include "program_fixture.h"
#include "toolchain/arch_state/atomic_operation.h"

namespace gt200::emulator {

using namespace arch_state;
namespace {

class memory_instructions : public program_fixture {
 protected:
  static constexpr std::uint32_t data_address = 0x200000;
  void map_data(const std::vector<std::uint32_t>& words) {
    ASSERT_TRUE(global.map(data_address, static_cast<std::uint32_t>(4 * words.size())));
    ASSERT_TRUE(global.write(data_address, words.data(), 4 * words.size()));
    argument = data_address;
  }
};

TEST_F(memory_instructions, global_loads_widen_narrow_types) {
  map_data({0x8091a2ff});
  const struct {
    const char* type;
    std::uint32_t expected;
  } cases[] = {{"u8", 0xff}, {"s8", 0xffffffff}, {"u16", 0xa2ff}, {"s16", 0xffffa2ff}, {"b32", 0x8091a2ff}};
  for (const auto& c : cases) {
    run_well("mov b32 $r3 b32 s[argument]\nld " + std::string(c.type) + " $r2 g14[$r3]\n" + finish);
    EXPECT_EQ(out[0], c.expected) << c.type;
    EXPECT_EQ(out[31], c.expected) << c.type;
  }
}

TEST_F(memory_instructions, global_stores_write_only_their_bytes) {
  map_data({0x11111111, 0x22222222});
  run_well(
      "mov b32 $r3 b32 s[argument]\nld $r4 b32 c1[value]\nst u8 g14[$r3] $r4\nadd b32 $r3 $r3 0x4\n"
      "st s16 g14[$r3] $r4\nexit nop",
      ".literal value u32 0xaabbccdd");
  EXPECT_EQ(word(data_address), 0x111111ddu);
  EXPECT_EQ(word(data_address + 4), 0x2222ccddu);
}

TEST_F(memory_instructions, wide_accesses_use_register_groups) {
  map_data({1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0});
  run_well(
      "mov b32 $r3 b32 s[argument]\nld b128 $r4q g14[$r3]\nld b64 $r8d g14[$r3]\n"
      "add b32 $r3 $r3 0x10\nst b128 g14[$r3] $r4q\nadd b32 $r3 $r3 0x10\nst b64 g14[$r3] $r8d\n"
      "add b32 $r2 $r7 $r9\n" +
      std::string(finish));
  EXPECT_EQ(out[5], 6u);
  for (std::uint32_t k = 0; k < 4; ++k) EXPECT_EQ(word(data_address + 16 + 4 * k), k + 1);
  EXPECT_EQ(word(data_address + 32), 1u);
  EXPECT_EQ(word(data_address + 36), 2u);
}

TEST_F(memory_instructions, wide_accesses_must_be_aligned_to_their_size) {
  map_data({1, 2, 3, 4});
  EXPECT_EQ(fault_of("mov b32 $r3 b32 s[argument]\nadd b32 $r3 $r3 0x4\nld b64 $r4d g14[$r3]\nexit nop"),
            fault_kind::misaligned_address);
}

TEST_F(memory_instructions, threads_may_access_different_pages_and_buffers) {
  ASSERT_TRUE(global.map(0x400000, 32 * 0x20000));
  // Thread t stores at 0x400000 + t * 128 KB, loads again.
  run_well(
      "ld $r3 b32 c1[base]\nshl b32 $r4 $r1 0x11\nadd b32 $r3 $r3 $r4\nst b32 g14[$r3] $r1\nld b32 $r2 "
      "g14[$r3]\n" +
          std::string(finish),
      ".literal base u32 0x400000");
  for (std::uint32_t t = 0; t < 32; ++t) {
    EXPECT_EQ(out[t], t);
    EXPECT_EQ(word(0x400000 + t * 0x20000), t);
  }
}

TEST_F(memory_instructions, the_highest_lane_wins_a_common_address) {
  run_well("mov b32 $r3 b32 s[out]\nst b32 g14[$r3] $r1\nexit nop");
  EXPECT_EQ(out[0], 31u);
  run_well(
      "set $c0 # l u32 $r1 c1[limit]\nst b32 s[cell] $r124\n(lg $c0) st b32 s[cell] $r1\n"
      "mov b32 $r2 b32 s[cell]\n" +
          std::string(finish),
      ".shared cell 4\n.literal limit u32 10");
  EXPECT_EQ(out[0], 9u) << "among the lanes that execute";
}

TEST_F(memory_instructions, shared_operands_of_arithmetic_widen_and_index) {
  run_well(R"(
    shl $a1 $r1 0x2
    st b32 s[$a1+table] $r1
    add b32 $r2 b32 s[$a1+table] $r1
  )" + std::string(finish),
           ".shared table 128");
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], 2 * t);
  run_well(
      "ld $r3 b32 c1[value]\nst b32 s[cell] $r3\nmov b16 $r4l s16 s[cell]\nmul $r2 s16 s16 s[cell] s16 $r4l\n" +
          std::string(finish),
      ".shared cell 4\n.literal value u32 0x1234fffd");
  EXPECT_EQ(out[0], 9u);
}

TEST_F(memory_instructions, shared_accesses_of_all_widths) {
  run_well(R"(
    ld $r3 b32 c1[value]
    st b32 s[cell] $r3
    st b8 s[cell+1] $r1
    ld $r4 u8 s[cell+3]
    ld $r5 s16 s[cell+2]
    ld $r6 b32 s[cell]
    shl b32 $r4 $r4 0x18
    shr u32 $r4 $r4 0x18
    add b32 $r2 $r4 $r5
    add b32 $r2 $r2 $r6
  )" + std::string(finish),
           ".shared cell 4\n.literal value u32 0xfff0ffff");
  EXPECT_EQ(out[0], 0xffu + 0xfffffff0u + 0xfff01fffu);
}

TEST_F(memory_instructions, negative_address_registers_work) {
  run_well(R"(
    ld $r3 b32 c1[minus4]
    shl $a1 $r3 0x0
    mov b32 $r2 b32 s[$a1+argument+4]
  )" + std::string(finish),
           ".literal minus4 s32 -4");
  EXPECT_EQ(out[0], argument);
}

TEST_F(memory_instructions, post_increment_uses_the_old_address_and_then_adds) {
  run_well(R"(
    ld $r3 b32 c1[start]
    shl $a1 $r3 0x0
    st b32 s[cells] $r1
    mov b32 $r4 0x64
    st b32 s[cells+4] $r4
    mov b32 $r5 b32 s[$a1++0x4]
    add b32 $r2 b32 s[$a1++0x4] $r5
    mov $r6 $a1
    add b32 $r2 $r2 $r6
  )" + std::string(finish),
           ".shared cells 8\n.literal start u32 24");
  for (std::uint32_t t = 0; t < 32; ++t)
    EXPECT_EQ(out[t], 31 + 100 + 32u) << "lane 31 wrote cells[0]; $a1 = 24 + 8";
}

TEST_F(memory_instructions, constants_are_read_by_arithmetic_and_by_loads) {
  run_well(R"(
    and b32 $r3 $r1 c1[three]
    shl $a1 $r3 0x2
    add b32 $r2 $r1 c1[$a1+table]
    ld $r4 u16 c1[table+2]
    add b32 $r2 $r2 $r4
  )" + std::string(finish),
           ".literal three u32 3\n.literal table u32 0x50000 0x10 0x20 0x30");
  const std::uint32_t table[] = {0x50000, 0x10, 0x20, 0x30};
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], t + table[t % 4] + 5);
}

TEST_F(memory_instructions, constant_reads_beyond_the_space_fault) {
  EXPECT_EQ(fault_of("ld $r2 b32 c5[0x0]\nexit nop"), fault_kind::unmapped_address);
  EXPECT_EQ(fault_of("ld $r2 b32 c1[0x4]\nexit nop", ".literal one u32 1"), fault_kind::unmapped_address);
  EXPECT_EQ(fault_of("ld $r2 b32 c1[0x0]\nexit nop", ".literal one u32 1"), fault_kind::none);
}

TEST_F(memory_instructions, relocations_give_the_addresses_of_global_variables) {
  map_data({41, 42});
  relocations = {0, 0, 0, 0, 0, 0, 0x20, 0};
  run_well("ld $r3 b32 c14[0x4]\nadd b32 $r3 $r3 0x4\nld b32 $r2 g14[$r3]\n" + std::string(finish));
  EXPECT_EQ(out[0], 42u);
}

TEST_F(memory_instructions, local_memory_belongs_to_the_thread) {
  launch.block = {64, 1, 1};
  run_well("st b32 l[0x8] $r1\nmov b32 $r3 0x8\nshl $a1 $r3 0x0\nld b32 $r2 l[$a1]\n" + std::string(finish),
           ".local 12");
  for (std::uint32_t t = 0; t < 64; ++t) EXPECT_EQ(out[t], t);
  EXPECT_EQ(fault_of("st b32 l[0x10] $r1\nexit nop", ".local 12"), fault_kind::unmapped_address)
      << "12 bytes take the smallest allocation, 16";
  EXPECT_EQ(fault_of("st b32 l[0x0] $r1\nexit nop"), fault_kind::unmapped_address);
}

TEST_F(memory_instructions, register_halves_are_read_and_written_alone) {
  run_well(
      "ld $r2 b32 c1[value]\nmov b16 $r3l $r2h\nmov b16 $r2h $r1l\nadd b16 $r2l $r2l $r3l\n" + std::string(finish),
      ".literal value u32 0x00070005");
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(out[t], t << 16 | 12);
}

TEST_F(memory_instructions, shared_memory_ends_where_the_block_ends) {
  EXPECT_EQ(fault_of("st b32 s[0x18] $r1\nexit nop"), fault_kind::unmapped_address);
  EXPECT_EQ(fault_of("st b32 s[0x14] $r1\nexit nop"), fault_kind::none);
  launch.dynamic_shared = 4;
  EXPECT_EQ(fault_of("st b32 s[0x18] $r1\nexit nop"), fault_kind::none);
}

TEST_F(memory_instructions, reductions_and_atomics_combine_every_lane) {
  launch.block = {256, 1, 1};
  map_data({0, 0, 1000});
  run_well(R"(
    mov b32 $r3 b32 s[argument]
    red add u32 g14[$r3] $r1
    add b32 $r4 $r3 0x4
    mov b32 $r5 0x1
    ld add u32 $r2 g14[$r4] $r5
    add b32 $r4 $r3 0x8
    red min s32 g14[$r4] $r1
  )" + std::string(finish));
  EXPECT_EQ(word(data_address), 255u * 256 / 2);
  EXPECT_EQ(word(data_address + 4), 256u);
  EXPECT_EQ(word(data_address + 8), 0u);
  std::vector<bool> seen(256, false);
  for (std::uint32_t t = 0; t < 256; ++t) {
    ASSERT_LT(out[t], 256u);
    EXPECT_FALSE(seen[out[t]]) << "each old value is returned once";
    seen[out[t]] = true;
  }
}

TEST_F(memory_instructions, compare_and_swap_lets_one_lane_through) {
  map_data({0});
  run_well("mov b32 $r3 b32 s[argument]\nadd b32 $r4 $r1 0x1\ncas b32 $r2 g14[$r3] $r124 $r4\n" +
           std::string(finish));
  EXPECT_EQ(word(data_address), 1u);
  EXPECT_EQ(out[0], 0u);
  EXPECT_EQ(out[1], 1u);
}

TEST(atomic_operation, follows_the_cuda_definition) {
  using isa::atomic_op;
  EXPECT_EQ(atomic_result(atomic_op::inc, false, 5, 5, 0), 0u);
  EXPECT_EQ(atomic_result(atomic_op::inc, false, 4, 5, 0), 5u);
  EXPECT_EQ(atomic_result(atomic_op::dec, false, 0, 5, 0), 5u);
  EXPECT_EQ(atomic_result(atomic_op::dec, false, 6, 5, 0), 5u);
  EXPECT_EQ(atomic_result(atomic_op::dec, false, 5, 5, 0), 4u);
  EXPECT_EQ(atomic_result(atomic_op::max, true, 0xffffffff, 1, 0), 1u);
  EXPECT_EQ(atomic_result(atomic_op::max, false, 0xffffffff, 1, 0), 0xffffffffu);
  EXPECT_EQ(atomic_result(atomic_op::min, true, 0xffffffff, 1, 0), 0xffffffffu);
  EXPECT_EQ(atomic_result(atomic_op::cas, false, 3, 3, 9), 9u);
  EXPECT_EQ(atomic_result(atomic_op::cas, false, 4, 3, 9), 4u);
  EXPECT_EQ(atomic_result(atomic_op::xor_, false, 6, 3, 0), 5u);
  EXPECT_EQ(atomic_result64(atomic_op::add, 0xffffffff, 1, 0), 0x100000000u);
  EXPECT_EQ(atomic_result64(atomic_op::max, 1, 2, 0), 1u) << "no such operation: memory stays";
}

TEST_F(memory_instructions, a_locked_counter_counts_every_thread) {
  launch.block = {128, 1, 1};
  run_well(R"(
    set $c1 # e u32 $r1 $r124
    (lg $c1) st b32 s[counter] $r124
    bar inc wait 0x0 0xfff
    joinat done
  again:
    ld lock $c0 $r3 b32 s[counter]
    (l $c0) add b32 $r3 $r3 c1[one]
    (l $c0) st unlock b32 s[counter] $r3
    (e $c0) bra again
  done:
    join nop
    bar inc wait 0x0 0xfff
    mov b32 $r2 b32 s[counter]
  )" + std::string(finish),
           ".shared counter 4\n.literal one u32 1");
  EXPECT_EQ(out[0], 128u);
  EXPECT_EQ(out[127], 128u);
}

TEST(shared_locks, a_warp_holds_one_word_and_a_word_has_one_holder) {
  shared_locks locks(2);
  EXPECT_TRUE(locks.try_lock(0, 0x20));
  EXPECT_FALSE(locks.try_lock(0, 0x20));
  EXPECT_FALSE(locks.try_lock(0, 0x40)) << "one locked location per warp";
  EXPECT_FALSE(locks.try_lock(1, 0x20));
  EXPECT_TRUE(locks.try_lock(1, 0x24));
  locks.unlock(1, 0x20);
  EXPECT_EQ(locks.held_by(0), 0x20u) << "only the holder gives back";
  locks.unlock(0, 0x20);
  EXPECT_FALSE(locks.held_by(0).has_value());
}

}  // namespace
}  // namespace gt200::emulator
