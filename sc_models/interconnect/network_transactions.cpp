#include "sc_models/interconnect/network_transactions.h"

#include "sc_models/memory_transaction.h"
#include "tlm_bus/token_trace.h"

namespace gt200::model {
namespace {

std::uint64_t id_of(const tlm::tlm_generic_payload* payload) {
  const memory_extension* extension = payload == nullptr ? nullptr : extension_of(*payload);
  return extension == nullptr ? 0 : extension->transaction_id;
}

}  // namespace

void show(tlm_bus::signal_writer& to, const packet_offer& offer) {
  to.number("input", 6, offer.input);
  to.number("output", 6, offer.output);
  to.number("flits", 8, offer.flits);
  to.flag("accepted", offer.accepted);
  show(to, offer.payload);
}
void describe(tlm_bus::event_details& event, const packet_offer& offer) {
  event.id = id_of(offer.payload);
  event.add(offer.input);
  event.add(offer.output);
  event.add(offer.flits);
  event.add(offer.accepted ? 1 : 0);
}

void show(tlm_bus::signal_writer& to, const packet_delivery& delivery) {
  to.number("output", 6, delivery.output);
  to.flag("taken", delivery.taken);
  show(to, delivery.payload);
}
void describe(tlm_bus::event_details& event, const packet_delivery& delivery) {
  event.id = id_of(delivery.payload);
  event.add(delivery.output);
  event.add(delivery.taken ? 1 : 0);
}

void show(tlm_bus::signal_writer& to, const network_cycle& cycle) {
  to.flag("start", cycle.step == network_cycle::half::start);
  to.number("flits_started", 16, cycle.flits_started);
}
void describe(tlm_bus::event_details& event, const network_cycle& cycle) {
  event.add(static_cast<std::uint64_t>(cycle.step));
  event.add(cycle.flits_started);
}

}  // namespace gt200::model
