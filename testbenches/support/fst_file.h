// Reads FST files with GTKWave's own code, for tests.
#pragma once

#include <string>

#include "testbenches/support/vcd_file.h"

namespace gt200::support {

// As GTKWave's fst2vcd converts it; `scratch` becomes the dump. Throws std::runtime_error when it cannot be read,
// or this build has no code for it (observe::can_write_fst()).
vcd_file read_fst(const std::string& path, const std::string& scratch);

}  // namespace gt200::support
