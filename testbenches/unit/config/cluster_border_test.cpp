// How far TPCs run by themselves: the shortest latency of what leaves them.
#include "sc_models/config/cluster_border.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sc_models/config/explain.h"
#include "testbenches/unit/config/config_files.h"

namespace gt200::config::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class cluster_border_of : public config_files {
 protected:
  cluster_border with(const std::vector<std::string>& overrides) const {
    return border_of(load(preset("gt200"), overrides).values);
  }
};

TEST_F(cluster_border_of, the_presets_has_a_window_of_at_least_16_core_cycles) {
  for (const char* name : {"gt200", "g80", "tesla_c1060"}) {
    const gpu_config config = load(preset(name)).values;
    EXPECT_EQ(border_of(config).window_cycles, 16u) << name;
    EXPECT_GE(16 * config.clocks.uncore_period(), 16 * config.clocks.core_period()) << name;
  }
}

TEST_F(cluster_border_of, a_chip_follows_the_shortest_latency) {
  EXPECT_EQ(with({}).limited_by, "distribution.launch_latency_cycles");
  const std::vector<std::pair<std::string, std::uint32_t>> keys = {
      {"distribution.launch_latency_cycles", 9},
      {"distribution.retire_latency_cycles", 9},
      {"l3.link_latency_cycles", 9},
      {"interconnect.crossbar.request_latency_cycles", 11},  // two of them are the switch's
      {"interconnect.crossbar.reply_latency_cycles", 11}};
  for (const auto& [key, cycles] : keys) {
    const cluster_border border = with({key + "=" + std::to_string(cycles)});
    EXPECT_EQ(border.window_cycles, 9u) << key;
    EXPECT_EQ(border.crossbar_link_cycles, 9u) << key;
    EXPECT_EQ(border.limited_by, key);
  }
}

TEST_F(cluster_border_of, ideal_memory_is_crossed_in_a_cycle) {
  const cluster_border border = with({"idealisations.ideal_memory=true"});
  EXPECT_EQ(border.window_cycles, 1u);
  EXPECT_EQ(border.limited_by, "idealisations.ideal_memory");
}

TEST_F(cluster_border_of, a_chip_is_explained_with_the_keys_that_decide_it) {
  const resolved_config config = load(preset("gt200"), {"l3.link_latency_cycles=12"});
  EXPECT_THAT(explain(config, "distribution.launch_latency_cycles"),
              HasSubstr("window   TPCs run by themselves for 12 uncore cycles, because of l3.link_latency_cycles"));
  EXPECT_THAT(explain(config, "l3.link_latency_cycles"), HasSubstr("for 12 uncore cycles"));
  EXPECT_THAT(explain(config, "l3.bytes"), Not(HasSubstr("window")));
}

}  // namespace
}  // namespace gt200::config::test
