// One run of a workload on the cycle model, from the upload to the check of the result.
#pragma once

#include <cstdint>
#include <string>

#include "apps/exit_code.h"
#include "apps/support/verdict.h"
#include "apps/support/workload.h"
#include "observe/checker/checker.h"
#include "observe/statistics.h"
#include "sc_models/device.h"

namespace gt200::apps {

struct run_outcome {
  end_reason end = end_reason::done;
  std::string message;  // of a fault, a hang or a difference from the emulator
  launch::check_result check;
  verdict result;  // of the check, or of the end when it was not `done`
};

// Buffers are written and read in no simulated time; launches take theirs. Ctrl-C stops the running launch.
// With a checker, the first difference from the emulator ends the run.
run_outcome run_on_model(device& target, const workload& work, observe::statistics& statistics,
                         observe::checker* checker = nullptr);

// Non-zero after Ctrl-C; a second Ctrl-C ends the process at once.
const volatile std::sig_atomic_t* catch_interrupts();

}  // namespace gt200::apps
