// Runs injections of a plan one after the other, each in a process of its own.
#pragma once

#include <csignal>
#include <functional>
#include <vector>

#include "apps/campaign/plan.h"
#include "apps/campaign/result.h"
#include "apps/support/workload.h"

namespace gt200::apps::campaign {

struct batch_options {
  double seconds = 120;  // of the host, that a run may take before it counts as a defect
  bool rerun = true;     // silent ones again, with the checker
};

// Injections [first, first + count) of the plan. `work` is loaded and not prepared. Ends early, with fewer results,
std::vector<injection_result> run_batch(const plan& p, workload& work, const config::gpu_config& config,
                                        std::size_t first, std::size_t count, const batch_options& options,
                                        const volatile std::sig_atomic_t* stop);

}  // namespace gt200::apps::campaign
