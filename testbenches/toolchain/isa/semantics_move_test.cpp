// Moves between the register files, address arithmetic and votes.
#include <gtest/gtest.h>

#include "testbenches/toolchain/isa/semantics_operation.h"

namespace gt200::isa::tesla {
namespace {

TEST(semantics_move, copies_words_and_halves) {
  operation word("mov b32 $r0 $r1");
  operation half("mov b16 $r0l $r1h");
  EXPECT_EQ(word(0x89abcdef).value, 0x89abcdefu);
  EXPECT_EQ(half(0xffffcdef).value, 0xcdefu);
}

TEST(semantics_move, immediates_come_from_the_bundle) {
  operation immediate("mov b32 $r0 0x12345678");
  immediate.run();
  EXPECT_EQ(immediate.result(31).value, 0x12345678u);
}

TEST(semantics_move, condition_registers_keep_four_bits) {
  operation from_c("mov $r0 $c1");
  EXPECT_EQ(from_c(0, 0, 0, 0xb).value, 0xbu);
  operation to_c("mov $c1 $r0");
  to_c.set_source(0, 4, 0xfffffff6);
  to_c.run();
  EXPECT_EQ(to_c.bundle.flags_out[4], 0x6);
}

TEST(semantics_move, address_registers_keep_sixteen_bits) {
  operation shl("shl $a1 $r0 0x4");
  shl.set_source(0, 3, 0x12345);
  shl.run();
  EXPECT_EQ(shl.bundle.address_out[3], 0x3450);

  operation add("add $a1 $a2 0x10");
  add.bundle.address_in[3] = 0xfff8;
  add.run();
  EXPECT_EQ(add.bundle.address_out[3], 0x0008);

  operation from_a("mov $r0 $a1");
  from_a.bundle.address_in[3] = 0xfff8;
  from_a.run();
  EXPECT_EQ(from_a.result(3).value, 0xfff8u);
}

class semantics_vote : public testing::Test {
 protected:
  // Z is set in the lanes of `zero`; the condition is "not zero".
  static std::uint8_t vote(const char* text, lane_mask zero, lane_mask active) {
    operation op(text);
    for (int lane = 0; lane < warp_size; ++lane) op.bundle.flags_in[lane] = (zero >> lane & 1u) != 0 ? 1 : 0;
    op.run(active);
    const int first_active = __builtin_ctz(active);
    return op.bundle.flags_out[first_active];
  }
};

TEST_F(semantics_vote, any_needs_one_active_lane) {
  const char* any = "(lg $c0) vote any $c1";
  EXPECT_EQ(vote(any, 0xffffffff, 0xffffffff), flags_false);
  EXPECT_EQ(vote(any, 0xfffffffe, 0xffffffff), flags_true);
  EXPECT_EQ(vote(any, 0xfffffffe, 0xfffffff0), flags_false) << "the lane for which it holds is not active";
}

TEST_F(semantics_vote, all_ignores_inactive_lanes) {
  const char* all = "(lg $c0) vote all $c1";
  EXPECT_EQ(vote(all, 0, 0xffffffff), flags_true);
  EXPECT_EQ(vote(all, 1, 0xffffffff), flags_false);
  EXPECT_EQ(vote(all, 1, 0xfffffffe), flags_true);
}

TEST(semantics_selection, instructions_without_arithmetic_have_no_function) {
  for (const char* text :
       {"ld b32 $r0 g14[$r1]", "st b32 s[0x10] $r0", "nop", "bar inc wait 0x0 0xfff", "bra 0x10"}) {
    std::string label;
    decode_error error;
    const auto i = parse(text, label, error);
    ASSERT_TRUE(i) << text << ": " << error.reason;
    EXPECT_EQ(semantics_for(*i), nullptr) << text;
  }
}

}  // namespace
}  // namespace gt200::isa::tesla
