// Observer options from a TOML file, for a platform that has no command line of ours:
//
//   [trace]
//   waves = "{chip}.vcd"
//   scope = ["{chip}.tpc_0.sm_0.*"]
//   trigger = "fault"
//   before = 500
//   [statistics]
//   json = "{chip}.json"
//
// docs/virtual_platform.md lists all keys. Paths are relative to the folder of the process.
#pragma once

#include <string>

#include "observe/observers/options.h"

namespace gt200::observe {

// Throws input_error with file, line and reason: a file that cannot be read, syntax, an unknown key, a wrong value,
// options that do not go together.
observer_options read_observers(const std::string& file);
// The same for text that is, or will be, the content of `file`.
observer_options parse_observers(const std::string& text, const std::string& file);

}  // namespace gt200::observe
