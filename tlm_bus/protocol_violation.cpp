#include "tlm_bus/protocol_violation.h"

#include <stdexcept>
#include <string>

namespace gt200::tlm_bus {

void protocol_violation(const sc_core::sc_object& socket, const char* what) {
  throw std::logic_error(std::string(socket.name()) + ": " + what);
}

}  // namespace gt200::tlm_bus
