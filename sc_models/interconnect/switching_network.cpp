#include "sc_models/interconnect/switching_network.h"

#include <algorithm>
#include <stdexcept>

#include "tlm_bus/state_image.h"
#include "toolchain/bits.h"

namespace gt200::model {

using tlm_bus::cycle_t;
using tlm_bus::no_cycle;

namespace {

constexpr std::uint64_t port_bit(unsigned i) { return std::uint64_t{1} << i; }

}  // namespace

switching_network::switching_network(const parameters& p)
    : inputs_(p.inputs),
      outputs_(p.outputs),
      latency_(p.latency),
      queue_flits_(p.queue_flits),
      largest_packet_(p.largest_packet),
      line_flits_(p.latency + p.largest_packet),
      queues_(std::size_t{p.inputs} * p.outputs),
      queued_flits_(p.inputs, 0),
      requests_(p.outputs, 0),
      input_free_at_(p.inputs, 0),
      output_free_at_(p.outputs, 0),
      lines_(p.outputs),
      arrival_at_(p.outputs, no_cycle),
      made_of_(p) {
  if (inputs_ == 0 || inputs_ > 64 || outputs_ == 0 || outputs_ > 64 || latency_ < 3)
    throw std::invalid_argument("switching network: 1 to 64 ports and a latency of at least 3 cycles");
  arbitration_ = make_arbitration();
  for (auto& line : lines_) line.packets.resize(line_flits_ + 1);
  packets_.reserve(std::size_t{inputs_} * std::min(queue_flits_ + 1, 1024u));
}

std::unique_ptr<switch_arbitration> switching_network::make_arbitration() const {
  static const config::crossbar_config without_keys;
  return make_switch_arbitration(made_of_.arbitration.name(), inputs_, outputs_,
                                 made_of_.config == nullptr ? without_keys : *made_of_.config);
}

void switching_network::accept(unsigned input, unsigned output, tlm::tlm_generic_payload& payload, unsigned flits,
                               cycle_t now) {
  if (flits == 0 || flits > largest_packet_ || !can_accept(input, flits))
    throw std::logic_error("switching network: no room for a packet");
  int index = free_packet_;
  if (index >= 0) {
    free_packet_ = packets_[static_cast<std::size_t>(index)].next;
  } else {
    index = static_cast<int>(packets_.size());
    packets_.emplace_back();
  }
  packets_[static_cast<std::size_t>(index)] = {&payload, now, flits, -1};
  fifo& q = queue(input, output);
  if (q.head < 0) {
    q.head = index;
    requests_[output] |= port_bit(input);
    waiting_mask_ |= port_bit(output);
  } else {
    packets_[static_cast<std::size_t>(q.tail)].next = index;
  }
  q.tail = index;
  queued_flits_[input] += flits;
  if (counters_ != nullptr) (*counters_)[input].entered(now, flits);
}

std::uint64_t switching_network::free_inputs(cycle_t now) const {
  std::uint64_t free = 0;
  for (unsigned i = 0; i < inputs_; ++i) free |= std::uint64_t{input_free_at_[i] <= now} << i;
  return free;
}

std::uint64_t switching_network::ready_outputs(cycle_t now) const {
  std::uint64_t ready = 0;
  for (const unsigned output : set_bits(waiting_mask_)) ready |= std::uint64_t{output_ready(output, now)} << output;
  return ready;
}

unsigned switching_network::arbitrate(cycle_t now) {
  if (waiting_mask_ == 0) return 0;
  const std::uint64_t ready = ready_outputs(now);
  if (ready == 0) return 0;
  switch_matches matches;
  arbitration_->match({*this, requests_.data(), ready, free_inputs(now), outputs_, now}, matches);
  unsigned started = 0;
  for (const switch_matches::match& m : matches) started += start(m.input, m.output, now);
  return started;
}

unsigned switching_network::start(unsigned input, unsigned output, cycle_t now) {
  fifo& q = queue(input, output);
  const int index = q.head;
  packet& p = packets_[static_cast<std::size_t>(index)];
  const unsigned flits = p.flits;
  q.head = p.next;
  if (q.head < 0) {
    requests_[output] &= ~port_bit(input);
    if (requests_[output] == 0) waiting_mask_ &= ~port_bit(output);
  }
  queued_flits_[input] -= flits;
  if (counters_ != nullptr) (*counters_)[input].left(now, flits);
  input_free_at_[input] = output_free_at_[output] = now + flits;
  delay_line& line = lines_[output];
  const auto size = static_cast<unsigned>(line.packets.size());
  unsigned tail = line.head + line.used;
  if (tail >= size) tail -= size;
  // The hop from the sender into the switch and the one to the receiver are one cycle each of the latency.
  line.packets[tail] = {p.payload, now + (latency_ - 2) + (flits - 1), flits, -1};
  if (line.used++ == 0) arrival_at_[output] = line.packets[tail].at;
  line.flits += flits;
  p.next = free_packet_;
  free_packet_ = index;
  return flits;
}

void switching_network::pop(unsigned output) {
  delay_line& line = lines_[output];
  line.flits -= line.packets[line.head].flits;
  line.head = line.head + 1 == line.packets.size() ? 0 : line.head + 1;
  arrival_at_[output] = --line.used == 0 ? no_cycle : line.packets[line.head].at;
}

bool switching_network::idle() const {
  return waiting_mask_ == 0 &&
         std::all_of(arrival_at_.begin(), arrival_at_.end(), [](cycle_t at) { return at == no_cycle; });
}

cycle_t switching_network::next_event(cycle_t now) const {
  cycle_t next = no_cycle;
  for (const cycle_t at : arrival_at_)
    // a packet that has arrived waits for its receiver, which announces when it takes it
    if (at > now) next = std::min(next, at);
  for (const unsigned output : set_bits(waiting_mask_)) {
    if (lines_[output].flits >= line_flits_) continue;  // blocked until a pop
    cycle_t input_free = no_cycle;
    for (const unsigned input : set_bits(requests_[output]))
      input_free = std::min(input_free, input_free_at_[input]);
    next = std::min(next, std::max({now + 1, output_free_at_[output], input_free}));
  }
  return next;
}

void switching_network::visit_state(tlm_bus::state_image& state) {
  state.fixed(inputs_, outputs_, latency_, queue_flits_, largest_packet_, line_flits_, counters_);
  state.remake(arbitration_, [this] { return make_arbitration(); });
  state(packets_, free_packet_, queues_, queued_flits_, requests_, waiting_mask_, input_free_at_, output_free_at_,
        lines_, arrival_at_);
}

}  // namespace gt200::model
