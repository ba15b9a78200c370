// A network of one's own: a bus that all sources and partitions share, in each direction. One packet is on it at a
// time; inputs take turns. Everything is in this file.
#include <deque>
#include <memory>
#include <vector>

#include "sc_models/plugin.h"

namespace {

using namespace gt200;
using tlm_bus::cycle_t;

class bus_network final : public model::network {
 public:
  explicit bus_network(const model::network_context& c)
      : network(c.name.c_str()),
        latency_(c.latency),
        capacity_(c.queue_flits),
        flits_per_cycle_(static_cast<unsigned>(c.keys.number("flits_per_cycle"))),
        inputs_(c.inputs()),
        arrived_(c.outputs()) {}

  void count_in(std::deque<tlm_bus::queue_counter>& counters) override { counters_ = &counters; }
  void publish(tlm_bus::signal_writer& to) override {
    for (unsigned i = 0; i < inputs_.size(); ++i) {
      to.enter("input", i);
      to.outstanding().number("queued_flits", 16, inputs_[i].flits);
      to.leave();
    }
  }

 private:
  struct packet {
    tlm::tlm_generic_payload* payload;
    unsigned output;
    unsigned flits;
    cycle_t at;  // in a queue: may start; behind the bus: has arrived
  };
  struct input {
    std::deque<packet> packets;
    unsigned flits = 0;
  };

  void transport(model::packet_offer& offer) override {
    input& in = inputs_[offer.input];
    offer.accepted = in.flits == 0 || in.flits + offer.flits <= capacity_;
    if (!offer.accepted) return;
    in.packets.push_back({offer.payload, offer.output, offer.flits, offer.at});
    in.flits += offer.flits;
    if (counters_ != nullptr) (*counters_)[offer.input].entered(offer.at, offer.flits);
  }

  void transport(model::network_cycle& cycle) override {
    if (cycle.step == model::network_cycle::half::deliver) return deliver(cycle);
    if (free_at_ <= cycle.at && !is_full()) start(cycle);
    if (!cycle.moved) cycle.next_event = next_event(cycle.at);
  }

  void deliver(model::network_cycle& cycle) {
    for (unsigned o = 0; o < arrived_.size(); ++o) {
      std::deque<packet>& line = arrived_[o];
      if (line.empty() || line.front().at > cycle.at) continue;
      model::packet_delivery delivery{o, line.front().payload};
      outputs.send(delivery);
      if (!delivery.taken) continue;
      line.pop_front();
      cycle.more_arrived |= !line.empty() && line.front().at <= cycle.at;
    }
  }

  void start(model::network_cycle& cycle) {
    for (unsigned i = 0; i < inputs_.size(); ++i) {
      const auto number = static_cast<unsigned>((turn_ + i) % inputs_.size());
      input& in = inputs_[number];
      if (in.packets.empty()) continue;
      packet p = in.packets.front();
      in.packets.pop_front();
      in.flits -= p.flits;
      if (counters_ != nullptr) (*counters_)[number].left(cycle.at, p.flits);
      turn_ = number + 1;
      const unsigned cycles = (p.flits + flits_per_cycle_ - 1) / flits_per_cycle_;
      free_at_ = cycle.at + cycles;
      p.at = cycle.at + latency_ - 2 + cycles - 1;  // the two hops to and from the ports are the other cycles
      arrived_[p.output].push_back(p);
      cycle.flits_started = p.flits;
      cycle.moved = true;
      return;
    }
  }

  // The bus stops while some output holds many packets that nobody takes.
  bool is_full() const {
    for (const std::deque<packet>& line : arrived_)
      if (line.size() >= latency_ + 1) return true;
    return false;
  }

  cycle_t next_event(cycle_t now) const {
    cycle_t next = tlm_bus::no_cycle;
    const auto consider = [&](cycle_t at) {
      if (at > now && at < next) next = at;
    };
    for (const input& in : inputs_)
      if (!in.packets.empty()) consider(free_at_);
    for (const std::deque<packet>& line : arrived_)
      if (!line.empty()) consider(line.front().at);
    return next;
  }

  unsigned latency_;
  unsigned capacity_;
  unsigned flits_per_cycle_;
  std::vector<input> inputs_;
  std::vector<std::deque<packet>> arrived_;  // by output: on the bus or behind it
  std::deque<tlm_bus::queue_counter>* counters_ = nullptr;
  cycle_t free_at_ = 0;
  unsigned turn_ = 0;
};

const added<model::network_topologies> here(
    {"bus",
     "one bus for all requests and one for all replies",
     {config::number_key("flits_per_cycle", 4, config::unit::none, config::between(1, 64), "width of a bus")}},
    [](const model::network_context& context) { return std::make_unique<bus_network>(context); });

}  // namespace

GT200_PLUGIN("bus")
