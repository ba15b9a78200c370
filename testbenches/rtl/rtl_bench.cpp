// Random stimuli for RTL beside its model.
//   rtl_bench scoreboard WARPS ENTRIES SEED CYCLES [DESCRIPTION]
//   rtl_bench scoreboard_at_issue WARPS ENTRIES BUFFER SEED CYCLES [DESCRIPTION]
//   rtl_bench issue_arbiter WARPS lrr|gto SEED CYCLES [DESCRIPTION]
//   rtl_bench sp DEPTH SEED OPERATIONS [DESCRIPTION]   OPERATIONS `special`: all pairs of special values instead
//   rtl_bench coalescer 1.0|1.2 SEED HALF_WARPS [DESCRIPTION]
//
// DESCRIPTION is a file as in rtl_ref/library/description.h; without it the reference. Prints the first difference,
// or the coverage: a line "count<tab>bin" each. Exit code 0: no difference; 1: a difference; 2: an error.
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "rtl_ref/coalescer/coalescer.h"
#include "rtl_ref/issue_arbiter/issue_arbiter.h"
#include "rtl_ref/scoreboard/scoreboard.h"
#include "rtl_ref/scoreboard_at_issue/scoreboard_at_issue.h"
#include "rtl_ref/sp/sp.h"
#include "sc_models/config/load.h"
#include "testbenches/rtl/arbiter_bench.h"
#include "testbenches/rtl/at_issue_bench.h"
#include "testbenches/rtl/coalescer_bench.h"
#include "testbenches/rtl/scoreboard_bench.h"
#include "testbenches/rtl/sp_bench.h"
#include "testbenches/support/systemc_test.h"

namespace gt200::support {
namespace {

template <class Bench>
void print_coverage(const Bench& bench) {
  for (const auto& [bin, count] : bench.bins()) std::cout << count << '\t' << bin << '\n';
}

// Returns the first difference, or nothing after printing the coverage.
template <class Bench>
std::optional<std::string> run(Bench& bench, const std::string& cycles) {
  auto difference = bench.run(std::stoull(cycles));
  if (!difference) print_coverage(bench);
  return difference;
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

std::optional<std::string> run_at_issue(tlm_bus::clock_domain& domain, const std::vector<std::string>& arguments) {
  config::sm_config config =
      config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200.toml",
                   {"tpc.sm.scoreboard.allocate=at_issue", "tpc.sm.scoreboard.entries_per_warp=" + arguments[2],
                    "tpc.sm.instruction_buffer.entries_per_warp=" + arguments[3]})
          .values.tpc.sm;
  config.limits.warps = static_cast<std::uint32_t>(std::stoul(arguments[1]));
  at_issue_bench bench(domain, config,
                       rtl::make_scoreboard_at_issue({config.limits.warps, config.scoreboard.entries_per_warp,
                                                      config.instruction_buffer.entries_per_warp},
                                                     arguments.size() == 7 ? arguments[6] : ""),
                       std::stoull(arguments[4]));
  return run(bench, arguments[5]);
}

std::optional<std::string> run_arbiter(tlm_bus::clock_domain& domain, const std::vector<std::string>& arguments) {
  const rtl::arbiter_kind kind{
      static_cast<unsigned>(std::stoul(arguments[1])),
      arguments[2] == "gto" ? rtl::arbiter_order::greedy_then_oldest : rtl::arbiter_order::round_robin};
  arbiter_bench bench(domain, kind, rtl::make_issue_arbiter(kind, arguments.size() == 6 ? arguments[5] : ""),
                      std::stoull(arguments[3]));
  return run(bench, arguments[4]);
}

std::optional<std::string> run_sp(const std::vector<std::string>& arguments) {
  sp_bench bench(
      rtl::make_sp(static_cast<unsigned>(std::stoul(arguments[1])), arguments.size() == 5 ? arguments[4] : ""),
      std::stoull(arguments[2]));
  if (arguments[3] != "special") return run(bench, arguments[3]);
  auto difference = bench.run_special_values();
  if (!difference) std::cout << bench.operations() << "\toperations on special values\n";
  return difference;
}

std::optional<std::string> run_coalescer(const std::vector<std::string>& arguments) {
  const auto rule = arguments[1] == "1.0" ? rtl::coalescer_rule::cc_1_0 : rtl::coalescer_rule::cc_1_2;
  coalescer_bench bench(rule, rtl::make_coalescer(rule, arguments.size() == 5 ? arguments[4] : ""),
                        std::stoull(arguments[2]));
  return run(bench, arguments[3]);
}

std::optional<std::string> run_block(const std::vector<std::string>& arguments) {
  if (arguments[0] == "sp") return run_sp(arguments);
  if (arguments[0] == "coalescer") return run_coalescer(arguments);
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  clocks clocks("clocks");
  if (arguments[0] == "scoreboard_at_issue") return run_at_issue(clocks.core, arguments);
  return arguments[0] == "issue_arbiter" ? run_arbiter(clocks.core, arguments)
                                         : run_scoreboard(clocks.core, arguments);
}

bool complete(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return false;
  const std::size_t given = arguments.size();
  if (arguments[0] == "sp") return given == 4 || given == 5;
  if (arguments[0] == "coalescer")
    return (given == 4 || given == 5) && (arguments[1] == "1.0" || arguments[1] == "1.2");
  if (arguments[0] == "scoreboard_at_issue") return given == 6 || given == 7;
  if (given != 5 && given != 6) return false;
  return arguments[0] == "scoreboard" ||
         (arguments[0] == "issue_arbiter" && (arguments[2] == "lrr" || arguments[2] == "gto"));
}

}  // namespace
}  // namespace gt200::support

int main(int argc, char** argv) {
  using namespace gt200;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!support::complete(arguments)) {
    std::cerr << "usage: rtl_bench scoreboard WARPS ENTRIES SEED CYCLES [DESCRIPTION]\n"
                 "       rtl_bench scoreboard_at_issue WARPS ENTRIES BUFFER SEED CYCLES [DESCRIPTION]\n"
                 "       rtl_bench issue_arbiter WARPS lrr|gto SEED CYCLES [DESCRIPTION]\n"
                 "       rtl_bench sp DEPTH SEED OPERATIONS|special [DESCRIPTION]\n"
                 "       rtl_bench coalescer 1.0|1.2 SEED HALF_WARPS [DESCRIPTION]\n";
    return 2;
  }
  try {
    const auto difference = support::run_block(arguments);
    if (difference) std::cout << *difference;
    return difference ? 1 : 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
