// Measures the published figures of a V100 for scripts/validate volta.
#include <systemc>

#include "testbenches/timing/volta_figures.h"
#include "testbenches/validation/records/measure_set.h"

int sc_main(int argc, char* argv[]) {
  return gt200::validation::measure_set(gt200::timing::volta_figures(), argc, argv);
}
