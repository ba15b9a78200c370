// The main program for a set of figures: measures figures without a current record, then prints the table.
#pragma once

#include "testbenches/validation/records/figure.h"

namespace gt200::validation {

// Arguments: --again measures everything, even with a record of this commit and configuration; ids restrict the run
// to these figures. The environment variable GT200_COMMIT names the state of the sources; records of an uncommitted
// state (it contains '+') are never current. Progress goes to standard error, the table of all figures to standard
// output. Returns the exit code: 0 when every figure holds, 1 when one does not, 2 for wrong arguments or a failed
// measurement.
int measure_set(const figure_set& set, int argc, char* argv[]);

}  // namespace gt200::validation
