// The life of one warp instruction or memory transaction, from the log of a traced run.
#pragma once

#include <iosfwd>

#include "observe/trace/log_reader.h"

namespace gt200::observe {

// Writes one line per event in time order, including the events of an instruction's transactions. If operands and
// results were recorded, a table of them follows, with a line per lane. Returns false if there are none.
bool write_life(log_reader& log, std::uint64_t id, std::ostream& to);

}  // namespace gt200::observe
