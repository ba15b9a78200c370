// The network of one switch (switching_network.h).
#include "sc_models/interconnect/switching_network.h"
#include "sc_models/interconnect/topologies/policies.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/state_image.h"
#include "toolchain/bits.h"

namespace gt200::model {
namespace {

class switch_network final : public network, public tlm_bus::resettable {
 public:
  explicit switch_network(const network_context& c)
      : network(c.name.c_str()),
        input_count_(c.inputs()),
        switch_({c.inputs(), c.outputs(), c.latency, c.queue_flits, c.largest_packet,
                 config::chosen_at(config::crossbar_arbitrations, this->name(), c.config.arbitration.name()),
                 &c.config}) {}

  void count_in(std::deque<tlm_bus::queue_counter>& counters) override { switch_.count_in(counters); }
  void publish(tlm_bus::signal_writer& to) override {
    for (unsigned i = 0; i < input_count_; ++i) {
      to.enter("input", i);
      to.outstanding().number("queued_flits", 16, switch_.queued_flits(i));
      to.leave();
    }
  }
  void visit_state(tlm_bus::state_image& state) override {
    state.fixed(input_count_);
    state(switch_);
  }

 private:
  void transport(packet_offer& offer) override {
    offer.accepted = switch_.can_accept(offer.input, offer.flits);
    if (offer.accepted) switch_.accept(offer.input, offer.output, *offer.payload, offer.flits, offer.at);
  }
  void transport(network_cycle& cycle) override {
    if (cycle.step == network_cycle::half::deliver) return deliver(cycle);
    cycle.flits_started = switch_.arbitrate(cycle.at);
    cycle.moved = cycle.flits_started != 0;
    if (!cycle.moved) cycle.next_event = switch_.next_event(cycle.at);
  }
  void deliver(network_cycle& cycle) {
    for (const unsigned output : set_bits(switch_.arrivals(cycle.at))) {
      packet_delivery delivery{output, &switch_.arrived(output)};
      outputs.send(delivery);
      if (!delivery.taken) continue;
      switch_.pop(output);
      cycle.more_arrived |= switch_.has_arrived(output, cycle.at);
    }
  }

  unsigned input_count_;
  switching_network switch_;
};

}  // namespace

std::unique_ptr<network> make_crossbar(const network_context& c) { return std::make_unique<switch_network>(c); }

}  // namespace gt200::model
