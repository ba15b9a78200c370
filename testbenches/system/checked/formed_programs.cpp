// Random programs whose warps are formed anew, with barriers, under these overrides.
//   formed_programs FIRST COUNT SHUFFLE KEY=VALUE...
// Writes fields separated by tabs: programs, warp instructions, warps of threads of several warps; then the error,
// if there is one.
#include "testbenches/system/checked/formed_series.h"
#include "testbenches/system/checked/series_program.h"

int main(int argc, char** argv) {
  return gt200::support::series_program(argc, argv, [](const gt200::support::series_settings& settings) {
    return gt200::support::run_formed_programs(settings, true);
  });
}
