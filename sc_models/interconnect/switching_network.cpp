#include "sc_models/interconnect/switching_network.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "toolchain/bits.h"

namespace gt200::model {

using tlm_bus::cycle_t;
using tlm_bus::no_cycle;

namespace {

constexpr std::uint64_t bit(unsigned i) { return std::uint64_t{1} << i; }

}  // namespace

switching_network::switching_network(const parameters& p)
    : inputs_(p.inputs),
      outputs_(p.outputs),
      latency_(p.latency),
      queue_flits_(p.queue_flits),
      largest_packet_(p.largest_packet),
      line_flits_(p.latency + p.largest_packet),
      arbitration_(p.arbitration),
      queues_(std::size_t{p.inputs} * p.outputs),
      queued_flits_(p.inputs, 0),
      requests_(p.outputs, 0),
      input_free_at_(p.inputs, 0),
      output_free_at_(p.outputs, 0),
      output_turn_(p.outputs, tlm_bus::round_robin(p.inputs)),
      input_turn_(p.inputs, tlm_bus::round_robin(p.outputs)),
      lines_(p.outputs),
      arrival_at_(p.outputs, no_cycle) {
  if (inputs_ == 0 || inputs_ > 64 || outputs_ == 0 || outputs_ > 64 || latency_ < 3)
    throw std::invalid_argument("switching network: 1 to 64 ports and a latency of at least 3 cycles");
  for (auto& line : lines_) line.packets.resize(line_flits_ + 1);
  packets_.reserve(std::size_t{inputs_} * std::min(queue_flits_ + 1, 1024u));
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
    requests_[output] |= bit(input);
    waiting_mask_ |= bit(output);
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

unsigned switching_network::arbitrate(cycle_t now) {
  if (waiting_mask_ == 0) return 0;
  const std::uint64_t free = free_inputs(now);
  return arbitration_ == config::crossbar_arbitration::islip ? arbitrate_islip(now, free)
                                                             : arbitrate_in_turn(now, free);
}

int switching_network::choose(unsigned output, std::uint64_t candidates) const {
  if (arbitration_ == config::crossbar_arbitration::round_robin) return output_turn_[output].choose(candidates);
  int best = -1;
  cycle_t oldest = no_cycle;
  for (const unsigned input : set_bits(candidates)) {
    const cycle_t since = packets_[static_cast<std::size_t>(queue(input, output).head)].at;
    if (since >= oldest) continue;
    oldest = since;
    best = static_cast<int>(input);
  }
  return best;
}

unsigned switching_network::arbitrate_in_turn(cycle_t now, std::uint64_t free) {
  unsigned started = 0;
  // The output that chooses first changes with the cycle, so that no output always has the first choice.
  const auto first = static_cast<unsigned>(now % outputs_);
  for (const std::uint64_t half :
       {waiting_mask_ & (~std::uint64_t{0} << first), waiting_mask_ & (bit(first) - 1)}) {
    for (const unsigned output : set_bits(half)) {
      if (!output_ready(output, now)) continue;
      const int input = choose(output, requests_[output] & free);
      if (input < 0) continue;
      free &= ~bit(static_cast<unsigned>(input));
      output_turn_[output].granted(input);
      started += start(static_cast<unsigned>(input), output, now);
    }
  }
  return started;
}

unsigned switching_network::arbitrate_islip(cycle_t now, std::uint64_t free) {
  std::array<std::uint64_t, 64> grants{};  // per input: outputs that grant it
  std::uint64_t granted = 0;
  for (const unsigned output : set_bits(waiting_mask_)) {
    if (!output_ready(output, now)) continue;
    const int input = output_turn_[output].choose(requests_[output] & free);
    if (input < 0) continue;
    grants[static_cast<unsigned>(input)] |= bit(output);
    granted |= bit(static_cast<unsigned>(input));
  }
  unsigned started = 0;
  for (const unsigned input : set_bits(granted)) {
    const int output = input_turn_[input].choose(grants[input]);
    input_turn_[input].granted(output);
    output_turn_[static_cast<unsigned>(output)].granted(static_cast<int>(input));
    started += start(input, static_cast<unsigned>(output), now);
  }
  return started;
}

unsigned switching_network::start(unsigned input, unsigned output, cycle_t now) {
  fifo& q = queue(input, output);
  const int index = q.head;
  packet& p = packets_[static_cast<std::size_t>(index)];
  const unsigned flits = p.flits;
  q.head = p.next;
  if (q.head < 0) {
    requests_[output] &= ~bit(input);
    if (requests_[output] == 0) waiting_mask_ &= ~bit(output);
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

}  // namespace gt200::model
