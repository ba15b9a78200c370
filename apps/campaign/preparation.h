// Makes the plan of a campaign: the golden run, the drawn or given sites, and what happens next to their bits.
#pragma once

#include <csignal>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/campaign/plan.h"
#include "apps/support/workload.h"

namespace gt200::apps::campaign {

struct draw_options {
  std::size_t count = 200;  // of all structures together
  std::uint64_t seed = 1;
  std::vector<std::string> structures;  // empty: all
  bool occupied_only = false;
  std::vector<inject::site> sites;  // instead of a draw; empty: none given
  double golden_seconds = 3600;     // of the host that a run without a fault may take
};

// `work` is loaded and not prepared; every run is in a process of its own. Fills everything of a plan but its
// options. None if `stop` became non-zero. Throws input_error: the workload fails without a fault or takes too
// long, a site does not exist, nothing of a structure is ever in use.
std::optional<plan> prepare_plan(workload& work, const config::gpu_config& config, const draw_options& options,
                                 const volatile std::sig_atomic_t* stop);

}  // namespace gt200::apps::campaign
