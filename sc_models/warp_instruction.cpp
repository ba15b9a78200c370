#include "sc_models/warp_instruction.h"

#include "tlm_bus/token_trace.h"

namespace gt200::model {

void show(tlm_bus::signal_writer& to, const warp_instruction* operation) {
  static const warp_instruction none{};
  const warp_instruction& o = operation == nullptr ? none : *operation;
  to.identifier("id", o.id);
  to.number("warp", 6, o.warp.index());
  to.number("pc", 32, o.pc);
  to.mask("active", isa::warp_size, o.active);
}

void describe(tlm_bus::event_details& event, const warp_instruction* operation) {
  if (operation == nullptr) return;
  event.id = operation->id;
  event.add(operation->warp.index());
  event.add(operation->pc);
}

}  // namespace gt200::model
