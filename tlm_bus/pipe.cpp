#include "tlm_bus/pipe.h"

namespace gt200::tlm_bus {

void protocol_violation(const sc_core::sc_object& pipe, const char* what) {
  throw std::logic_error(std::string(pipe.name()) + ": " + what);
}

}  // namespace gt200::tlm_bus
