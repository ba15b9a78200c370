#include "sc_models/interconnect/topologies/routed_network.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "tlm_bus/state_image.h"

namespace gt200::model {

using tlm_bus::cycle_t;
using tlm_bus::no_cycle;

seats seats_of(unsigned sources, unsigned partitions) {
  seats result;
  unsigned place = 0;
  while (result.of_source.size() < sources || result.of_partition.size() < partitions) {
    const std::uint64_t source = 2 * result.of_source.size() + 1;
    const std::uint64_t partition = 2 * result.of_partition.size() + 1;
    const bool next_is_source = result.of_partition.size() == partitions ||
                                (result.of_source.size() < sources && source * partitions <= partition * sources);
    (next_is_source ? result.of_source : result.of_partition).push_back(place++);
  }
  return result;
}

routed_network::routed_network(const network_context& context, const router_plan& plan)
    : network(context.name.c_str()),
      inputs_(context.inputs()),
      outputs_(context.outputs()),
      latency_(context.latency),
      largest_packet_(context.largest_packet),
      has_circle_(plan.has_circle) {
  // One packet, and the room that an entering one leaves.
  const unsigned of_link = std::max(context.topology.buffer_flits, 2 * largest_packet_);
  for (const unsigned router : plan.router_of_input) buffers_.push_back({router, context.queue_flits, 0, 0, {}});
  // The end of an output holds what one pipeline of the crossbar holds.
  for (const unsigned router : plan.router_of_output)
    buffers_.push_back({router, latency_ + largest_packet_, 0, 0, {}});
  for (const router_plan::link& l : plan.links) buffers_.push_back({l.to, of_link, 0, 0, {}});

  const auto add_channel = [&](unsigned router, unsigned into, unsigned delay, bool to_output) {
    channel c;
    c.into = into;
    c.delay = delay;
    c.to_output = to_output;
    for (unsigned b = 0; b < buffers_.size(); ++b)
      if (buffers_[b].router == router && (b < inputs_ || b >= inputs_ + outputs_)) c.contenders.push_back(b);
    channels_.push_back(std::move(c));
  };
  for (unsigned o = 0; o < outputs_; ++o) add_channel(plan.router_of_output[o], inputs_ + o, 1, true);
  for (unsigned l = 0; l < plan.links.size(); ++l)
    add_channel(plan.links[l].from, inputs_ + outputs_ + l, context.topology.hop_cycles, false);

  channel_of_.resize(std::size_t{plan.routers} * outputs_);
  for (unsigned r = 0; r < plan.routers; ++r)
    for (unsigned o = 0; o < outputs_; ++o) {
      const unsigned destination = plan.router_of_output[o];
      channel_of_[r * outputs_ + o] = r == destination ? o : outputs_ + plan.way[r * plan.routers + destination];
    }
}

void routed_network::transport(packet_offer& offer) {
  if (offer.flits == 0 || offer.flits > largest_packet_)
    throw std::logic_error(std::string(name()) + ": a packet larger than the largest one");
  buffer& queue = buffers_[offer.input];
  // A packet larger than the whole queue enters when the queue is empty.
  offer.accepted = queue.flits == 0 || queue.flits + offer.flits <= queue.capacity;
  if (!offer.accepted) return;
  // The ports and the output take the other 3 cycles of the latency.
  queue.packets.push_back({offer.payload, offer.output, offer.flits, offer.at + latency_ - 3});
  queue.flits += offer.flits;
  if (counters_ != nullptr) (*counters_)[offer.input].entered(offer.at, offer.flits);
}

void routed_network::transport(network_cycle& cycle) {
  if (cycle.step == network_cycle::half::deliver) return deliver(cycle);
  start(cycle);
  if (!cycle.moved) cycle.next_event = next_event(cycle.at);
}

void routed_network::deliver(network_cycle& cycle) {
  for (unsigned o = 0; o < outputs_; ++o) {
    buffer& end = buffers_[inputs_ + o];
    if (end.packets.empty() || end.packets.front().ready_at > cycle.at) continue;
    packet_delivery delivery{o, end.packets.front().payload};
    outputs.send(delivery);
    if (!delivery.taken) continue;
    end.flits -= end.packets.front().flits;
    end.packets.pop_front();
    cycle.more_arrived |= !end.packets.empty() && end.packets.front().ready_at <= cycle.at;
  }
}

// Buffers whose packet's tail has left. True if there is one: whoever offers a packet may find room now.
bool routed_network::release_left(cycle_t now) {
  bool released = false;
  for (channel& c : channels_) {
    if (c.leaving == router_plan::none || c.free_at > now) continue;
    buffers_[c.leaving].flits -= room_of(c.leaving, c.leaving_flits);
    if (is_injection(c.leaving) && counters_ != nullptr) (*counters_)[c.leaving].left(now, c.leaving_flits);
    c.leaving = router_plan::none;
    released = true;
  }
  return released;
}

void routed_network::start(network_cycle& cycle) {
  cycle.moved = release_left(cycle.at);
  for (unsigned number = 0; number < channels_.size(); ++number) {
    channel& c = channels_[number];
    if (c.free_at > cycle.at) continue;
    const auto count = static_cast<unsigned>(c.contenders.size());
    for (unsigned i = 0; i < count; ++i) {
      const unsigned position = c.turn + i < count ? c.turn + i : c.turn + i - count;
      if (!start_from(c.contenders[position], c, number, cycle)) continue;
      c.turn = position + 1 == count ? 0 : position + 1;
      break;
    }
  }
}

// True if the oldest packet of the buffer starts.
bool routed_network::start_from(unsigned source, channel& over, unsigned number, network_cycle& cycle) {
  buffer& from = buffers_[source];
  if (from.packets.empty() || from.free_at > cycle.at) return false;
  packet p = from.packets.front();
  if (p.ready_at > cycle.at || channel_of_[from.router * outputs_ + p.output] != number) return false;
  buffer& into = buffers_[over.into];
  const unsigned room = room_of(over.into, p.flits);
  const unsigned kept_free = has_circle_ && !over.to_output && is_injection(source) ? largest_packet_ : 0;
  if (into.flits + room + kept_free > into.capacity) return false;

  from.packets.pop_front();
  over.leaving = source;
  over.leaving_flits = p.flits;
  over.free_at = from.free_at = cycle.at + p.flits;
  // An output hands on whole packets, a router their heads.
  p.ready_at = cycle.at + over.delay + (over.to_output ? p.flits - 1 : 0);
  into.flits += room;
  into.packets.push_back(p);
  if (over.to_output) cycle.flits_started += p.flits;
  cycle.moved = true;
  return true;
}

// A packet that waits for room or its turn goes on when another one has left or was taken.
cycle_t routed_network::next_event(cycle_t now) const {
  cycle_t next = no_cycle;
  const auto consider = [&](cycle_t at) {
    if (at > now) next = std::min(next, at);
  };
  for (const channel& c : channels_)
    if (c.leaving != router_plan::none) consider(c.free_at);
  for (const buffer& b : buffers_)
    if (!b.packets.empty()) consider(std::max(b.packets.front().ready_at, b.free_at));
  return next;
}

void routed_network::publish(tlm_bus::signal_writer& to) {
  for (unsigned i = 0; i < inputs_; ++i) {
    to.enter("input", i);
    to.outstanding().number("queued_flits", 16, buffers_[i].flits);
    to.leave();
  }
  for (unsigned b = inputs_ + outputs_; b < buffers_.size(); ++b) {
    to.enter("link", b - inputs_ - outputs_);
    unsigned flits = 0;
    for (const packet& p : buffers_[b].packets) flits += p.flits;
    to.outstanding().number("queued_flits", 16, flits);
    to.leave();
  }
}

void routed_network::visit_state(tlm_bus::state_image& state) {
  state.fixed(inputs_, outputs_, latency_, largest_packet_, has_circle_, channel_of_, counters_);
  state(buffers_, channels_);
}

}  // namespace gt200::model
