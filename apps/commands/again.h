// `gt200 run --again DIR`: the command of a run folder once more, and what is different.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/exit_code.h"
#include "apps/support/workload.h"

namespace gt200::apps {

// For stats.json: version of the program, hash of the simulated code, hashes of the files that were read, and the
// folder to which names in the command line are relative.
nlohmann::ordered_json provenance_of(const workload& work);

// Runs the command of `folder`/stats.json again, with its results in `out` or, if that is empty, nowhere, and
// prints what differs: program, code, inputs, configuration, figures. check_failed if a figure does. Throws
// input_error.
exit_code run_again(const std::string& folder, const std::string& out);

}  // namespace gt200::apps
