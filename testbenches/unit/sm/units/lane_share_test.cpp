// What instructions with few lanes are charged for.
#include "sc_models/sm/units/lane_share.h"

#include <gtest/gtest.h>

namespace gt200::model {
namespace {

constexpr isa::lane_mask all = ~isa::lane_mask{0};

TEST(lane_share, charges_every_instruction_for_a_warp_unless_divergence_is_free) {
  const lane_share share;
  for (const isa::lane_mask lanes : {all, isa::lane_mask{0x0f0f}, isa::lane_mask{0}}) {
    EXPECT_EQ(share.lanes(lanes), 32u);
    EXPECT_FALSE(share.is_part(lanes));
    EXPECT_EQ(share.cycles(timed::shader_cycles(6), 8, lanes).count(), 6u);
  }
}
TEST(lane_share, charges_for_the_steps_that_the_packed_lanes_fill) {
  const lane_share share(true);
  EXPECT_EQ(share.lanes(0x8001), 2u);
  EXPECT_FALSE(share.is_part(all));
  EXPECT_EQ(share.cycles(timed::shader_cycles(4), 8, all).count(), 4u);
  EXPECT_EQ(share.cycles(timed::shader_cycles(4), 8, 0x01010101).count(), 1u)
      << "four lanes of four groups of eight are one step";
  EXPECT_EQ(share.cycles(timed::shader_cycles(4), 8, 0x1ff).count(), 2u);
  EXPECT_EQ(share.cycles(timed::shader_cycles(16), 2, 0x7).count(), 2u);
  EXPECT_EQ(share.cycles(timed::shader_cycles(32), 1, 0x7).count(), 3u);
}
TEST(lane_share, charges_one_step_for_no_lane_where_what_does_not_execute_is_dropped) {
  const lane_share share(false, true);
  EXPECT_EQ(share.cycles(timed::shader_cycles(4), 8, 0).count(), 1u);
  EXPECT_EQ(share.cycles(timed::shader_cycles(4), 8, 0x1).count(), 4u) << "one lane is a warp";
  EXPECT_TRUE(share.is_part(0));
  EXPECT_FALSE(share.is_part(0x1));
}
TEST(lane_share, rounds_up_and_charges_one_step_for_no_lane) {
  const lane_share share(true);
  EXPECT_EQ(share.cycles(timed::shader_cycles(10), 8, 0xff).count(), 3u) << "a quarter of ten cycles";
  EXPECT_EQ(share.cycles(timed::shader_cycles(6), 8, 0xffff).count(), 3u);
  EXPECT_EQ(share.cycles(timed::shader_cycles(1), 1, 0x1).count(), 1u);
  EXPECT_EQ(share.cycles(timed::shader_cycles(4), 8, 0).count(), 1u);
  EXPECT_EQ(share.cycles(timed::shader_cycles(4), 32, 0).count(), 4u) << "a warp is one step";
}

}  // namespace
}  // namespace gt200::model
