// Blocks in RTL come out of a reset of the chip as out of their own: they are made again, in reset.
#include <gtest/gtest.h>

#include "testbenches/system/reset/reset_run.h"

namespace gt200::support {
namespace {

class reset_with_rtl : public ::testing::TestWithParam<const char*> {};

TEST_P(reset_with_rtl, brings_back_a_chip_like_a_fresh_one) {
  const std::string model = GetParam();
  reset_setting setting;
  setting.overrides = {"tpc.sm.scheduler.policy=gto"};
  for (const char* block : {"tpc.sm.scoreboard", "tpc.sm.scheduler", "tpc.sm.sp", "tpc.memory.coalescer"})
    setting.overrides.push_back(block + (".model=" + model));
  const damage before = {"endless_loop",
                         tesla_program("again:\n  ld b32 $r5 g14[$r3]\n  add b32 $r5 $r5 $r1\n"
                                       "  st b32 g14[$r4] $r5\n  bra again\n  exit nop\n"),
                         end_reason::max_cycles,
                         arch_state::fault_kind::none,
                         {},
                         60000};
  const std::string fresh = work_after(setting, before, false);
  ASSERT_EQ(fresh.rfind("done ", 0), 0u) << fresh.substr(0, 500);
  EXPECT_EQ(first_difference(work_after(setting, before, true), fresh), "");
}

INSTANTIATE_TEST_SUITE_P(as, reset_with_rtl, ::testing::Values("rtl", "lockstep"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace gt200::support
