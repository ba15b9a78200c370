// Random stimuli for RTL beside its SystemC model.
//   rtl_bench scoreboard WARPS ENTRIES SEED CYCLES [LIBRARY]
//   rtl_bench issue_arbiter WARPS lrr|gto SEED CYCLES [LIBRARY]
//   rtl_bench coalescer 1.0|1.2 SEED HALF_WARPS [LIBRARY]
//
// LIBRARY is a shared object with `extern "C" gt200::rtl::scoreboard_pins* gt200_make_scoreboard()`, or
// `gt200::rtl::arbiter_pins* gt200_make_issue_arbiter()`, or `gt200::rtl::coalescer_pins* gt200_make_coalescer()`;
// without it the RTL of this build. Prints the first difference, or the coverage: a line "count<tab>bin" each. Exit
// code 0: no difference.
#include <dlfcn.h>

#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "sc_models/config/load.h"
#include "testbenches/rtl/arbiter_bench.h"
#include "testbenches/rtl/coalescer_bench.h"
#include "testbenches/rtl/scoreboard_bench.h"
#include "testbenches/support/systemc_test.h"

namespace gt200::support {
namespace {

template <class Pins>
std::unique_ptr<Pins> from_library(const std::string& file, const char* function) {
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const symbol = library == nullptr ? nullptr : dlsym(library, function);
  if (symbol == nullptr) throw std::runtime_error(dlerror());
  return std::unique_ptr<Pins>(reinterpret_cast<Pins* (*)()>(symbol)());
}

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
                         arguments.size() == 6
                             ? from_library<rtl::scoreboard_pins>(arguments[5], "gt200_make_scoreboard")
                             : rtl::make_scoreboard({config.limits.warps, config.scoreboard.entries_per_warp}),
                         std::stoull(arguments[3]));
  return run(bench, arguments[4]);
}

std::optional<std::string> run_arbiter(tlm_bus::clock_domain& domain, const std::vector<std::string>& arguments) {
  const rtl::arbiter_kind kind{
      static_cast<unsigned>(std::stoul(arguments[1])),
      arguments[2] == "gto" ? rtl::arbiter_order::greedy_then_oldest : rtl::arbiter_order::round_robin};
  arbiter_bench bench(domain, kind,
                      arguments.size() == 6
                          ? from_library<rtl::arbiter_pins>(arguments[5], "gt200_make_issue_arbiter")
                          : rtl::make_issue_arbiter(kind),
                      std::stoull(arguments[3]));
  return run(bench, arguments[4]);
}

std::optional<std::string> run_coalescer(const std::vector<std::string>& arguments) {
  const auto rule = arguments[1] == "1.0" ? rtl::coalescer_rule::cc_1_0 : rtl::coalescer_rule::cc_1_2;
  coalescer_bench bench(rule,
                        arguments.size() == 5
                            ? from_library<rtl::coalescer_pins>(arguments[4], "gt200_make_coalescer")
                            : rtl::make_coalescer(rule),
                        std::stoull(arguments[2]));
  return run(bench, arguments[3]);
}

bool is_coalescer(const std::vector<std::string>& arguments) {
  return (arguments.size() == 4 || arguments.size() == 5) && arguments[0] == "coalescer" &&
         (arguments[1] == "1.0" || arguments[1] == "1.2");
}

}  // namespace
}  // namespace gt200::support

int main(int argc, char** argv) {
  using namespace gt200;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const bool complete = arguments.size() == 5 || arguments.size() == 6;
  const bool arbiter =
      complete && arguments[0] == "issue_arbiter" && (arguments[2] == "lrr" || arguments[2] == "gto");
  const bool coalescer = support::is_coalescer(arguments);
  if (!arbiter && !coalescer && !(complete && arguments[0] == "scoreboard")) {
    std::cerr << "usage: rtl_bench scoreboard WARPS ENTRIES SEED CYCLES [LIBRARY]\n"
                 "       rtl_bench issue_arbiter WARPS lrr|gto SEED CYCLES [LIBRARY]\n"
                 "       rtl_bench coalescer 1.0|1.2 SEED HALF_WARPS [LIBRARY]\n";
    return 2;
  }
  try {
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
    support::clocks clocks("clocks");
    const auto difference = coalescer ? support::run_coalescer(arguments)
                            : arbiter ? support::run_arbiter(clocks.core, arguments)
                                      : support::run_scoreboard(clocks.core, arguments);
    if (difference) std::cout << *difference;
    return difference ? 1 : 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
