#include "tlm_bus/pipe.h"

namespace gt200::tlm_bus {

void protocol_violation(const sc_core::sc_object& pipe, const char* what) {
  throw std::logic_error(std::string(pipe.name()) + ": " + what);
}

void refuse_reset(state_image& state, const sc_core::sc_object& socket) {
  state.refuse(socket, "bound to a component from outside the chip");
}

}  // namespace gt200::tlm_bus
