// Random stimuli for RTL beside its SystemC model.
//   rtl_bench scoreboard WARPS ENTRIES SEED CYCLES [DESCRIPTION]
//   rtl_bench issue_arbiter WARPS lrr|gto SEED CYCLES [DESCRIPTION]
//
// DESCRIPTION is a file as in rtl_ref/library/description.h; without it the reference. Prints the first difference,
// or the coverage: a line "count<tab>bin" each. Exit code 0: no difference; 1: a difference; 2: an error.
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "rtl_ref/issue_arbiter/issue_arbiter.h"
#include "rtl_ref/scoreboard/scoreboard.h"
#include "sc_models/config/load.h"
#include "testbenches/rtl/arbiter_bench.h"
#include "testbenches/rtl/scoreboard_bench.h"
#include "testbenches/support/systemc_test.h"

namespace gt200::support {
namespace {

// Returns the first difference, or nothing after printing the coverage.
template <class Bench>
std::optional<std::string> run(Bench& bench, const std::string& cycles) {
  if (auto difference = bench.run(std::stoull(cycles))) return difference;
  for (const auto& [bin, count] : bench.bins()) std::cout << count << '\t' << bin << '\n';
  return std::nullopt;
}

std::optional<std::string> run_scoreboard(tlm_bus::clock_domain& domain,
                                          const std::vector<std::string>& arguments) {
  config::sm_config config = config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200.toml",
                                          {"tpc.sm.scoreboard.entries_per_warp=" + arguments[2]})
                                 .values.tpc.sm;
  config.limits.warps = static_cast<std::uint32_t>(std::stoul(arguments[1]));
  scoreboard_bench bench(domain, config,
                         rtl::make_scoreboard({config.limits.warps, config.scoreboard.entries_per_warp},
                                              arguments.size() == 6 ? arguments[5] : ""),
                         std::stoull(arguments[3]));
  return run(bench, arguments[4]);
}

std::optional<std::string> run_arbiter(tlm_bus::clock_domain& domain, const std::vector<std::string>& arguments) {
  const rtl::arbiter_kind kind{
      static_cast<unsigned>(std::stoul(arguments[1])),
      arguments[2] == "gto" ? rtl::arbiter_order::greedy_then_oldest : rtl::arbiter_order::round_robin};
  arbiter_bench bench(domain, kind, rtl::make_issue_arbiter(kind, arguments.size() == 6 ? arguments[5] : ""),
                      std::stoull(arguments[3]));
  return run(bench, arguments[4]);
}

}  // namespace
}  // namespace gt200::support

int main(int argc, char** argv) {
  using namespace gt200;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool complete = arguments.size() == 5 || arguments.size() == 6;
  const bool arbiter =
      complete && arguments[0] == "issue_arbiter" && (arguments[2] == "lrr" || arguments[2] == "gto");
  if (!arbiter && !(complete && arguments[0] == "scoreboard")) {
    std::cerr << "usage: rtl_bench scoreboard WARPS ENTRIES SEED CYCLES [DESCRIPTION]\n"
                 "       rtl_bench issue_arbiter WARPS lrr|gto SEED CYCLES [DESCRIPTION]\n";
    return 2;
  }
  try {
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
    support::clocks clocks("clocks");
    const auto difference =
        arbiter ? support::run_arbiter(clocks.core, arguments) : support::run_scoreboard(clocks.core, arguments);
    if (difference) std::cout << *difference;
    return difference ? 1 : 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
