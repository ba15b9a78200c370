// Measures the published figures of the SM: scripts/validate sm.
#include <systemc>

#include "testbenches/timing/sm_figures.h"
#include "testbenches/validation/records/measure_set.h"

int sc_main(int argc, char* argv[]) {
  return gt200::validation::measure_set(gt200::timing::sm_figures(), argc, argv);
}
