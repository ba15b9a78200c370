// Everything that can be observed of a chip, as plain values: the options of `gt200 run`, and of a file
// (options_file.h).
//
// `{chip}` in a file name or pattern stands for the name of the chip, so one set of options serves several chips of
// a simulation.
#pragma once

#include <cstdint>
#include <string>

#include "observe/observers/trace_files.h"
#include "tlm_bus/clocking.h"

namespace gt200::observe {

// Files; empty: not wanted.
struct statistics_options {
  std::string json;     // as stats.json of `gt200 run --out`
  std::string csv;      // as stats.csv
  std::string summary;  // as `gt200 run` prints it

  bool any() const { return !json.empty() || !csv.empty() || !summary.empty(); }
};

struct observer_options {
  // Order of modules, stalls, audit, threads: to be given to the chip when it is made.
  tlm_bus::clocking_options clocking;
  trace_options trace;
  statistics_options statistics;
  bool check = false;       // run a reference beside the chip, and stop at the first difference
  std::string hang_report;  // file: what waits for what, when a launch has not moved for
                            // simulation.watchdog_idle_cycles; the simulation is stopped then

  // With the name of a chip in the place of {chip}.
  observer_options of_chip(const std::string& name) const;
};

}  // namespace gt200::observe
