// The modules of a chip and their sockets, as text.
#pragma once

#include <string>

#include "sc_models/config/chip_config.h"

namespace gt200::apps {

// Modules whose paths match the pattern (observe/trace/glob.h), each with its kind, followed by its sockets. Throws
// input_error if none matches.
std::string module_list(const config::gpu_config& config, const std::string& pattern);

}  // namespace gt200::apps
