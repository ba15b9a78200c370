#include "sc_models/sm/front_end/buffer_transactions.h"

#include "sc_models/sm/signal_texts.h"
#include "tlm_bus/token_trace.h"

namespace gt200::model {

void show(tlm_bus::signal_writer& to, const buffer_reservation& reservation) {
  to.number("warp", 6, reservation.warp.index());
  to.number("entries", 2, reservation.entries);
}
void describe(tlm_bus::event_details& event, const buffer_reservation& reservation) {
  event.add(reservation.warp.index());
  event.add(reservation.entries);
}

void show(tlm_bus::signal_writer& to, const buffer_write& write) {
  const buffered_instruction& b = write.instruction;
  to.flag("cancels", write.what == buffer_write::command::cancel);
  to.number("warp", 6, write.warp.index());
  to.number("entries", 5, write.entries);
  to.identifier("id", b.id);
  to.number("pc", 32, b.pc);
  to.text("instruction", reinterpret_cast<std::uintptr_t>(b.instruction), text_of_instruction);
  to.mask("dependencies", 64, b.dependencies);
  to.mask("allocated", 64, b.allocated);
}
void describe(tlm_bus::event_details& event, const buffer_write& write) {
  event.id = write.instruction.id;
  event.add(write.warp.index());
  event.add(write.entries);
  event.add(write.what == buffer_write::command::cancel ? 1 : 0);
  event.add(write.instruction.pc);
  event.add(write.instruction.dependencies);
}

void show(tlm_bus::signal_writer& to, const buffer_removal& removal) {
  to.identifier("id", removal.id);
  to.number("warp", 6, removal.warp.index());
}
void describe(tlm_bus::event_details& event, const buffer_removal& removal) {
  event.id = removal.id;
  event.add(removal.warp.index());
}

void show(tlm_bus::signal_writer& to, const dependency_update& update) {
  to.flag("replaces", update.what == dependency_update::command::set);
  to.number("warp", 6, update.warp.index());
  to.number("position", 4, update.position);
  to.mask("dependencies", 64, update.dependencies);
}
void describe(tlm_bus::event_details& event, const dependency_update& update) {
  event.add(update.warp.index());
  event.add(update.dependencies);
  event.add(update.what == dependency_update::command::set ? 1 : 0);
  event.add(update.position);
}

}  // namespace gt200::model
