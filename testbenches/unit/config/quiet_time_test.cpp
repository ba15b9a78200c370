// The watchdog reports only if no configured delay can explain the silence.
#include "sc_models/config/quiet_time.h"

#include <gtest/gtest.h>

#include "testbenches/unit/config/config_files.h"

namespace gt200::config::test {
namespace {

class quiet_time_of : public config_files {
 protected:
  tlm_bus::femtoseconds with(const std::vector<std::string>& overrides) const {
    return quiet_time(load(preset("gt200"), overrides).values);
  }
};

TEST_F(quiet_time_of, a_chip_grows_twice_with_every_delay_in_its_own_clock) {
  const clocks_config clocks = load(preset("gt200")).values.clocks;
  const tlm_bus::femtoseconds before = with({"distribution.interval_cycles=2"});
  EXPECT_EQ(with({"distribution.interval_cycles=1002"}) - before, 2 * 1000 * clocks.uncore_period());
  EXPECT_EQ(with({"distribution.interval_cycles=2", "tpc.sm.branch.latency_cycles=104"}) -
                with({"distribution.interval_cycles=2", "tpc.sm.branch.latency_cycles=4"}),
            2 * 100 * clocks.shader_period());
}

TEST_F(quiet_time_of, a_chip_contains_delays_in_nanoseconds) {
  EXPECT_EQ(with({"host.launch_overhead_ns=7000"}) - with({"host.launch_overhead_ns=2000"}),
            std::uint64_t{2} * 5000 * 1'000'000);
}

TEST_F(quiet_time_of, a_chip_does_not_contain_the_watchdogs_own_patience) {
  EXPECT_EQ(with({"simulation.watchdog_idle_cycles=100"}), with({"simulation.watchdog_idle_cycles=100000"}));
}

}  // namespace
}  // namespace gt200::config::test
