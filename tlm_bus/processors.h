// The processors of the host that this process may use: its affinity counts, a limit of its CPU time does not.
#pragma once

namespace gt200::tlm_bus {

unsigned usable_processors();  // at least 1

// Of the host, that a user may ask to run the chip.
inline constexpr unsigned max_threads = 256;

}  // namespace gt200::tlm_bus
