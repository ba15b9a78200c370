// One run of a workload on the cycle model, from the upload to the check of the result.
#pragma once

#include <string>

#include "apps/exit_code.h"
#include "apps/support/progress.h"
#include "apps/support/verdict.h"
#include "apps/support/workload.h"
#include "driver/device.h"
#include "observe/checker/checker.h"
#include "observe/lockstep.h"
#include "observe/observers/attempts.h"
#include "observe/statistics.h"
#include "observe/trace/recorder.h"

namespace gt200::apps {

struct run_outcome {
  end_reason end = end_reason::done;
  std::string message;  // of a fault, a hang, a limit or a difference
  launch::check_result check;
  verdict result;           // of the check, or of the end of the launch when it was not `done`
  observe::attempts files;  // --dump and --arrays: whether they could be written
  std::string lockstep;     // what RTL and model have compared (observe/lockstep.h); empty without
};

// The observers of a run. A difference that the checker finds ends the run; a difference between RTL and model in
// lockstep always does.
struct run_observers {
  observe::statistics& statistics;
  observe::checker* checker = nullptr;
  progress_line* progress = nullptr;
  observe::recorder* recorder = nullptr;
};

// One launch with its observers. `rtl` watches the target since before its first launch.
struct launch_outcome {
  launch_result launch;
  end_reason end = end_reason::done;  // `stopped` by a difference, whatever the chip did in the same window
  std::string message;                // unless it is done
  verdict result;                     // its text is empty if the launch is done
};
launch_outcome launch_on_model(device& target, const launch::launch_parameters& parameters,
                               const run_observers& observers, const observe::lockstep& rtl);

// `timed_copies`: buffers are written and read over PCI Express and take simulated time; otherwise copies take
// none.
run_outcome run_on_model(device& target, const workload& work, const run_observers& observers,
                         bool timed_copies = false);

}  // namespace gt200::apps
