// The template for RTL of one's own answers like the model: whoever starts from it starts from something that
// works.
#include <gtest/gtest.h>

#include "rtl_ref/template/hazard_unit.h"
#include "sc_models/config/load.h"
#include "testbenches/rtl/scoreboard_bench.h"
#include "testbenches/support/systemc_test.h"

namespace gt200 {
namespace {

class rtl_template : public support::systemc_test {};

TEST_F(rtl_template, answers_like_the_model_and_every_bin_is_hit) {
  config::sm_config config = config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200.toml", {}).values.tpc.sm;
  config.limits.warps = rtl::hazard_unit_size.warps;
  config.scoreboard.entries_per_warp = rtl::hazard_unit_size.entries;
  support::scoreboard_bench bench(core(), config, rtl::make_hazard_unit(), 4711);
  EXPECT_EQ(bench.run(120000), std::nullopt);
  for (const auto& [bin, count] : bench.bins()) EXPECT_NE(count, 0u) << bin;
}

}  // namespace
}  // namespace gt200
