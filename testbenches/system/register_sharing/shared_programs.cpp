// Random programs whose warps share registers, under these overrides.
//   shared_programs FIRST COUNT SHUFFLE KEY=VALUE...
// Writes fields separated by tabs: programs, warp instructions, sections given; then the error, if there is one.
#include "testbenches/system/checked/series_program.h"
#include "testbenches/system/register_sharing/shared_series.h"

int main(int argc, char** argv) {
  return gt200::support::series_program(argc, argv, gt200::support::run_shared_programs);
}
