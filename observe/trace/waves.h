// Converts the log of a traced run to waveforms.
#pragma once

#include <string>
#include <vector>

#include "observe/trace/log_reader.h"
#include "observe/trace/wave_writer.h"

namespace gt200::observe {

// Writes the signals that match one of `scope`, and the clocks and cycle numbers of all domains (gt200.core.clock,
// gt200.core.cycle), for the whole recording. Throws input_error if no signal matches.
void write_waves(log_reader& log, wave_writer& to, const std::vector<std::string>& scope);

}  // namespace gt200::observe
