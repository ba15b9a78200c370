// Reads waveforms in FST for tests, with GTKWave's own code, into the same form as a VCD file.
#pragma once

#include <string>

#include "testbenches/support/vcd_file.h"

namespace gt200::support {

// True if this build has that code.
bool can_read_fst();
// Throws std::runtime_error if the file is no FST file.
vcd_file read_fst(const std::string& path);

}  // namespace gt200::support
