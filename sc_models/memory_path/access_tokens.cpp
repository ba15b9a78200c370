#include "sc_models/memory_path/access_tokens.h"

#include "sc_models/memory_transaction.h"
#include "sc_models/transaction_values.h"
#include "tlm_bus/token_trace.h"

namespace gt200::model {

void show(tlm_bus::signal_writer& to, const memory_access_token& token) {
  show(to, token.access == nullptr ? nullptr : token.access->operation);
}
void describe(tlm_bus::event_details& event, const memory_access_token& token) {
  describe(event, token.access->operation);
}
void show_values(tlm_bus::signal_writer& to, const memory_access_token& token) {
  show_request_values(to, token.access == nullptr ? nullptr : token.access->operation);
}

void show(tlm_bus::signal_writer& to, const transaction_token& token) {
  to.identifier("id", token.access == nullptr ? 0 : token.access->operation->id);
  to.number("address", traced_address_bits, token.address);
  to.number("bytes", 8, token.bytes);
  to.mask("lanes", isa::warp_size, token.lanes);
}
void describe(tlm_bus::event_details& event, const transaction_token& token) {
  event.id = token.access->operation->id;
  event.add(token.access->operation->warp.index());
  event.add(token.address);
  event.add(token.bytes);
}

void show(tlm_bus::signal_writer& to, const walk_request_token& token) {
  to.identifier("id", token.instruction_id);
  to.number("address", traced_address_bits, token.address);
}
void describe(tlm_bus::event_details& event, const walk_request_token& token) {
  event.id = token.instruction_id;
  event.add(token.warp.index());
  event.add(token.address);
}

void show(tlm_bus::signal_writer& to, const walk_result_token& token) { to.flag("mapped", token.mapped); }
void describe(tlm_bus::event_details& event, const walk_result_token& token) { event.add(token.mapped ? 1 : 0); }

void show(tlm_bus::signal_writer& to, const payload_token& token) { show(to, token.payload); }
void describe(tlm_bus::event_details& event, const payload_token& token) { describe(event, token.payload); }
void show_values(tlm_bus::signal_writer& to, const payload_token& token) {
  show_values(to, transaction_values::of(token.payload));
}

}  // namespace gt200::model
