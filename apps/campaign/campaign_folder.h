// A campaign as a study (apps/study/study.h): a plan, and points that run a part of it each.
#pragma once

#include <string>
#include <vector>

#include "apps/campaign/plan.h"
#include "apps/campaign/result.h"
#include "apps/study/study.h"
#include "apps/support/workload.h"

namespace gt200::apps::campaign {

// A part: injections [first, first + count) of the plan. "FIRST:COUNT".
struct part {
  std::size_t first = 0;
  std::size_t count = 0;
};
// Throws input_error.
part parse_part(const std::string& text);

inline constexpr const char* results_file = "results.json";

// The points of a campaign: `command` with --plan and --part. A point is found again by the hash of everything that
// decides it: its sites, program, configuration, workload and options.
void plan_points(study::study& work, const plan& p, std::size_t injections_of_part, const study::words& command,
                 const workload_options& workload, const std::string& config,
                 const std::vector<std::string>& overrides);

// Results of all parts that have ended, in the order of the plan.
std::vector<injection_result> results_of(const study::study& work);

}  // namespace gt200::apps::campaign
