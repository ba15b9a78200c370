#include "testbenches/system/checked/series_program.h"

#include <cstdio>
#include <cstdlib>

#include "toolchain/error.h"

namespace gt200::support {

int series_program(int argc, char** argv, const std::function<series_outcome(const series_settings&)>& run) {
  series_settings settings;
  if (argc >= 4) {
    settings.first_seed = std::strtoull(argv[1], nullptr, 10);
    settings.count = static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10));
    settings.shuffle = std::strtoull(argv[3], nullptr, 10);
    settings.overrides.assign(argv + 4, argv + argc);
  }
  if (settings.count == 0) {
    std::fprintf(stderr, "usage: %s FIRST COUNT SHUFFLE KEY=VALUE...\n", argv[0]);
    return 2;
  }
  try {
    const series_outcome o = run(settings);
    std::printf("%u\t%s\t%s\n%s", o.programs, std::to_string(o.instructions).c_str(),
                std::to_string(o.events).c_str(), o.error.c_str());
    return o.error.empty() ? 0 : 1;
  } catch (const input_error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 2;
  }
}

}  // namespace gt200::support
