// Active lanes and program counters of warps: each warp has a divergence state of its own, which follows
// straight-line code to the control instruction that changes it.
#include "sc_models/sm/divergence/simt_stack.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "testbenches/unit/sm/front_end/front_end_fakes.h"
#include "toolchain/arch_state/tesla/generation.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200::model {
namespace {

isa::tesla::instruction assembled(const std::string& text) {
  std::string label;
  isa::tesla::decode_error error;
  const auto i = isa::tesla::parse(text, label, error);
  if (!i) throw std::runtime_error(text + ": " + error.reason);
  return *isa::tesla::decode(i->words[0], i->words[1], error);
}

class simt_stack_test : public ::testing::Test {
 protected:
  simt_stack_test()
      : config_(testing::sm_config_with({})),
        generation_(13, config_.simt_stack),
        stack_("stack", config_, generation_) {
    stack_.start(warp_slot(0), 0, 0xff);
    stack_.start(warp_slot(1), 0x40, 0xffffffff);
  }

  config::sm_config config_;
  arch_state::tesla::generation generation_;
  simt_stack stack_;
};

TEST_F(simt_stack_test, a_warp_starts_with_its_lanes_at_its_entry) {
  EXPECT_EQ(stack_.active_mask(warp_slot(0)), 0xffu);
  EXPECT_EQ(stack_.active_mask(warp_slot(1)), 0xffffffffu);
  EXPECT_EQ(stack_.state(warp_slot(1)).pc(), 0x40u);
  EXPECT_TRUE(stack_.converged(warp_slot(0)));
}
TEST_F(simt_stack_test, a_divergent_branch_changes_the_lanes_of_its_warp_alone) {
  const isa::tesla::instruction bra = assembled("(lg $c0) bra 0x100");
  const auto result = stack_.execute(warp_slot(0), 0x20, bra, 0x0f);
  EXPECT_EQ(result.fault, arch_state::fault_kind::none);
  EXPECT_EQ(stack_.active_mask(warp_slot(0)), result.mask);
  EXPECT_TRUE(result.mask == 0x0f || result.mask == 0xf0) << result.mask;
  EXPECT_EQ(result.pc, result.mask == 0x0f ? 0x100u : 0x28u) << "the branch is at 0x20";
  EXPECT_FALSE(stack_.converged(warp_slot(0)));
  EXPECT_EQ(stack_.active_mask(warp_slot(1)), 0xffffffffu);
  EXPECT_TRUE(stack_.converged(warp_slot(1)));
}
TEST_F(simt_stack_test, a_reader_sees_the_path_that_waits) {
  const auto result = stack_.execute(warp_slot(0), 0x20, assembled("(lg $c0) bra 0x100"), 0x0f);
  const arch_state::divergence& state = stack_.state(warp_slot(0));
  ASSERT_EQ(state.depth(), 1u);
  EXPECT_LE(state.depth(), state.max_depth());
  EXPECT_STREQ(state.entry(0).kind, "branch");
  EXPECT_EQ(state.entry(0).mask, 0xffu & ~result.mask);
  EXPECT_EQ(state.entry(0).pc, result.mask == 0x0f ? 0x28u : 0x100u) << "where the running path is not";
  EXPECT_EQ(state.entry(0).reconvergence_pc, 0u) << "tokens have none";
}
TEST_F(simt_stack_test, a_branch_of_all_lanes_keeps_them) {
  const isa::tesla::instruction bra = assembled("bra 0x100");
  const auto result = stack_.execute(warp_slot(0), 0x20, bra, 0xff);
  EXPECT_TRUE(result.redirected);
  EXPECT_EQ(result.pc, 0x100u);
  EXPECT_EQ(stack_.active_mask(warp_slot(0)), 0xffu);
}
TEST_F(simt_stack_test, a_new_warp_in_the_slot_forgets_the_old_one) {
  stack_.execute(warp_slot(0), 0x20, assembled("(lg $c0) bra 0x100"), 0x0f);
  stack_.start(warp_slot(0), 0x80, 0x3);
  EXPECT_EQ(stack_.active_mask(warp_slot(0)), 0x3u);
  EXPECT_EQ(stack_.state(warp_slot(0)).pc(), 0x80u);
  EXPECT_EQ(stack_.state(warp_slot(0)).depth(), 0u);
  EXPECT_TRUE(stack_.converged(warp_slot(0)));
}

}  // namespace
}  // namespace gt200::model
