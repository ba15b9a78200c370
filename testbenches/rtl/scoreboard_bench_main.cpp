// scoreboard_bench WARPS ENTRIES SEED CYCLES [LIBRARY]: random stimuli for scoreboard RTL beside the SystemC model.
//
// LIBRARY is a shared object with `extern "C" gt200::rtl::scoreboard_pins* gt200_make_scoreboard()`; without it the
// RTL of this build. Prints the first difference, or the coverage: a line "count<tab>bin" each. Exit code 0: none.
#include <dlfcn.h>

#include <cstdlib>
#include <iostream>

#include "sc_models/config/load.h"
#include "testbenches/rtl/scoreboard_bench.h"
#include "testbenches/support/systemc_test.h"

namespace {

std::unique_ptr<gt200::rtl::scoreboard_pins> from_library(const char* file) {
  void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  void* const symbol = library == nullptr ? nullptr : dlsym(library, "gt200_make_scoreboard");
  if (symbol == nullptr) throw std::runtime_error(dlerror());
  return std::unique_ptr<gt200::rtl::scoreboard_pins>(
      reinterpret_cast<gt200::rtl::scoreboard_pins* (*)()>(symbol)());
}

}  // namespace

int main(int argc, char** argv) {
  using namespace gt200;
  if (argc != 5 && argc != 6) {
    std::cerr << "usage: scoreboard_bench WARPS ENTRIES SEED CYCLES [LIBRARY]\n";
    return 2;
  }
  try {
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
    const std::string warps = argv[1];
    const std::string entries = argv[2];
    config::sm_config config = config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200.toml",
                                            {"tpc.sm.scoreboard.entries_per_warp=" + entries})
                                   .values.tpc.sm;
    config.limits.warps = static_cast<std::uint32_t>(std::stoul(warps));
    support::clocks clocks("clocks");
    support::scoreboard_bench bench(
        clocks.core, config,
        argc == 6 ? from_library(argv[5])
                  : rtl::make_scoreboard({config.limits.warps, config.scoreboard.entries_per_warp}),
        std::stoull(argv[3]));
    if (const auto difference = bench.run(std::stoull(argv[4]))) {
      std::cout << difference->text;
      return 1;
    }
    for (const auto& [bin, count] : bench.bins()) std::cout << count << '\t' << bin << '\n';
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
  return 0;
}
