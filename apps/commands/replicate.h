// `gt200 run --replicate N`: several runs of one machine, and the means of their figures.
#pragma once

#include <string>
#include <vector>

#include "apps/exit_code.h"

namespace gt200::apps {

struct replicate_options {
  std::string target;                   // kernel
  std::string config;                   // preset or file
  std::vector<std::string> overrides;   // of --set
  std::vector<std::string> parameters;  // of --param
  std::vector<std::string> passed_on;   // other words for every `gt200 run`
  unsigned count = 0;
  std::string out;  // folder of the runs; empty: they are not kept
};

// Prints a summary. Throws input_error for what a run refuses.
exit_code run_replicates(const replicate_options& options);

}  // namespace gt200::apps
