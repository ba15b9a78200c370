// A chip of clock domains with three clusters, for the tests of borders.
#pragma once

#include <deque>
#include <string>

#include "testbenches/support/systemc_test.h"
#include "testbenches/support/token_stages.h"
#include "tlm_bus/clocking.h"

namespace gt200::tlm_bus {

inline constexpr cycle_t window = 16;  // uncore cycles

struct cluster {
  cluster(const std::string& name, clocking& owner)
      : driver(owner),
        core((name + "_core").c_str(), support::core_period, driver),
        uncore((name + "_uncore").c_str(), support::uncore_period, driver) {}
  edge_driver driver;
  clock_domain core;
  clock_domain uncore;
};

// A chip with a main driver and three clusters.
struct world {
  explicit world(const std::string& name, const clocking_options& options = {})
      : clocks((name + "_clocks").c_str(), options, window * support::uncore_period),
        core((name + "_core").c_str(), support::core_period, clocks),
        uncore((name + "_uncore").c_str(), support::uncore_period, clocks) {
    for (int i = 0; i < 3; ++i) clusters.emplace_back(name + "_" + std::to_string(i), clocks);
  }
  clocking clocks;
  clock_domain core;
  clock_domain uncore;
  std::deque<cluster> clusters;
};

inline clocking_options in_reference_clocking() {
  clocking_options options;
  options.mode = clocking_options::way::reference;
  return options;
}
inline clocking_options audited() {
  clocking_options options;
  options.audit = true;
  return options;
}
inline clocking_options shuffled(std::uint64_t seed) {
  clocking_options options;
  options.shuffle_seed = seed;
  return options;
}
inline clocking_options on_threads(unsigned threads, std::uint64_t seed = 0) {
  clocking_options options = shuffled(seed);
  options.threads = threads;
  options.share_every_window = true;
  return options;
}

class border_test : public support::systemc_test {
 protected:
  static void run_for(cycle_t cycles) {
    sc_core::sc_start(sc_core::sc_time::from_value(cycles * support::uncore_period + 1));
  }
};

}  // namespace gt200::tlm_bus
