#pragma once

#include <systemc>

namespace gt200::tlm_bus {

// Throws std::logic_error with the name of the socket. Not inline, so that the code that runs for every token or
// transaction stays small enough to be inlined.
[[noreturn, gnu::cold]] void protocol_violation(const sc_core::sc_object& socket, const char* what);

}  // namespace gt200::tlm_bus
