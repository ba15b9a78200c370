#include "sc_models/interconnect/network.h"

#include "toolchain/bits.h"

namespace gt200::model {

network::network(const sc_core::sc_module_name& name, const switching_network::parameters& p)
    : sc_core::sc_module(name),
      inputs("inputs", *this),
      clock("clock", *this),
      outputs("outputs"),
      input_count_(p.inputs),
      switch_(p) {}

void network::transport(packet_offer& offer) {
  offer.accepted = switch_.can_accept(offer.input, offer.flits);
  if (offer.accepted) switch_.accept(offer.input, offer.output, *offer.payload, offer.flits, offer.at);
}

void network::transport(network_cycle& cycle) {
  if (cycle.step == network_cycle::half::deliver) return deliver(cycle);
  cycle.flits_started = switch_.arbitrate(cycle.at);
  if (cycle.flits_started == 0) cycle.next_event = switch_.next_event(cycle.at);
}

void network::deliver(network_cycle& cycle) {
  for (const unsigned output : set_bits(switch_.arrivals(cycle.at))) {
    packet_delivery delivery{output, &switch_.arrived(output)};
    outputs.send(delivery);
    if (!delivery.taken) continue;
    switch_.pop(output);
    cycle.more_arrived |= switch_.has_arrived(output, cycle.at);
  }
}

void network::publish(tlm_bus::signal_writer& to) {
  for (unsigned i = 0; i < input_count_; ++i) {
    to.enter("input", i);
    to.outstanding().number("queued_flits", 16, switch_.queued_flits(i));
    to.leave();
  }
}

}  // namespace gt200::model
