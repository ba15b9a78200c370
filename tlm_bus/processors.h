// The processors of the host that this process may use: its affinity counts, a limit of its CPU time does not.
#pragma once

namespace gt200::tlm_bus {

unsigned usable_processors();  // at least 1

}  // namespace gt200::tlm_bus
