// The messages of a build about RTL it does not have.
#include <gtest/gtest.h>

#include "driver/device.h"
#include "rtl_ref/coalescer/pins.h"
#include "rtl_ref/scoreboard/pins.h"
#include "testbenches/support/assembly_run.h"
#include "toolchain/error.h"

namespace gt200 {
namespace {

std::string refusal(const std::vector<std::string>& overrides) {
  try {
    const device board(support::configuration("gt200_small", overrides), {});
  } catch (const input_error& error) {
    return error.what();
  }
  return "";
}

TEST(rtl_availability, an_unavailable_size_is_refused_with_advice) {
  const std::string text = refusal({"tpc.sm.scoreboard.model=rtl", "tpc.sm.scoreboard.entries_per_warp=13"});
  if (rtl::scoreboard_sizes().empty()) {
    EXPECT_NE(text.find("configured without Verilator"), std::string::npos) << text;
  } else {
    EXPECT_NE(text.find("not available for 32 warps of 13 entries, only for 32x6"), std::string::npos) << text;
    EXPECT_NE(text.find("GT200_RTL_SCOREBOARD_SIZES"), std::string::npos) << text;
  }
}

class coalescer_availability : public ::testing::TestWithParam<const char*> {};

TEST_P(coalescer_availability, is_that_of_the_build) {
  const std::string text =
      refusal({"tpc.memory.coalescer.model=rtl", std::string("tpc.memory.coalescer.rule=") + GetParam()});
  if (rtl::coalescer_rules().empty())
    EXPECT_NE(text.find("coalescer is not available: this build was configured without Verilator"),
              std::string::npos)
        << text;
  else
    EXPECT_EQ(text, "");
}
INSTANTIATE_TEST_SUITE_P(rules, coalescer_availability, ::testing::Values("1.0", "1.2"));

TEST(rtl_availability, nothing_is_refused_if_no_sm_has_rtl) {
  EXPECT_EQ(refusal({"tpc.sm.scoreboard.model=rtl", "tpc.sm.scoreboard.entries_per_warp=13", "tpc.sm.rtl.sms=4"}),
            "");
}

}  // namespace
}  // namespace gt200
