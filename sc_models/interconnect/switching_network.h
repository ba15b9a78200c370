// One direction of the crossbar: an input-queued switch with a fixed latency.
//
// Plain C++; the crossbar drives it once per cycle. Every input has one FIFO per output (no head-of-line blocking
// between outputs); the FIFOs share the input's buffer. A packet of n flits occupies its input and its output for n
// cycles. Packets that have won arbitration travel in order to the end of their output and wait there until they
// are taken. An output accepts new packets only while it holds fewer flits than its pipeline plus one packet, so
// back-pressure reaches the inputs.
//
// Which packets start in a cycle is decided by one of the arbitrations of arbitration/policies.def.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <tlm>
#include <vector>

#include "sc_models/config/interconnect_config.h"
#include "sc_models/interconnect/arbitration/arbitration.h"
#include "tlm_bus/queue_counter.h"
#include "tlm_bus/time.h"

namespace gt200::tlm_bus {
class state_image;
}

namespace gt200::model {

class switching_network {
 public:
  struct parameters {
    unsigned inputs;   // 1..64
    unsigned outputs;  // 1..64
    unsigned latency;  // cycles from the sender's port to the receiver's, >= 3
    unsigned queue_flits;
    unsigned largest_packet;  // flits
    config::crossbar_arbitration arbitration;
    const config::crossbar_config* config =
        nullptr;  // for the keys of an added arbitration; must outlive the network
  };
  explicit switching_network(const parameters& p);

  // True if an input has room for a packet. A packet larger than the whole buffer enters when the buffer is empty.
  bool can_accept(unsigned input, unsigned flits) const {
    return queued_flits_[input] == 0 || queued_flits_[input] + flits <= queue_flits_;
  }
  void accept(unsigned input, unsigned output, tlm::tlm_generic_payload& payload, unsigned flits,
              tlm_bus::cycle_t now);

  // Starts packets at `now`; returns the number of flits started.
  unsigned arbitrate(tlm_bus::cycle_t now);

  // Outputs at whose end a packet has arrived, as a bit mask.
  std::uint64_t arrivals(tlm_bus::cycle_t now) const {
    std::uint64_t mask = 0;
    for (unsigned o = 0; o < outputs_; ++o) mask |= std::uint64_t{arrival_at_[o] <= now} << o;
    return mask;
  }
  bool has_arrived(unsigned output, tlm_bus::cycle_t now) const { return arrival_at_[output] <= now; }
  // The oldest packet on the way to `output`; only when one has arrived.
  tlm::tlm_generic_payload& arrived(unsigned output) const {
    return *lines_[output].packets[lines_[output].head].payload;
  }
  void pop(unsigned output);

  // The earliest cycle after `now` at which arbitrate() or arrivals() may have a new result without accept() or
  // pop(); no_cycle if there is none.
  tlm_bus::cycle_t next_event(tlm_bus::cycle_t now) const;

  // From now on counters[n], which must outlive the network, counts how full input n is.
  void count_in(std::deque<tlm_bus::queue_counter>& counters) { counters_ = &counters; }

  // When the oldest packet of this way was accepted; there must be one.
  tlm_bus::cycle_t waiting_since(unsigned input, unsigned output) const {
    return packets_[static_cast<std::size_t>(queue(input, output).head)].at;
  }
  bool idle() const;
  unsigned queued_flits(unsigned input) const { return queued_flits_[input]; }
  void visit_state(tlm_bus::state_image& state);

 private:
  std::unique_ptr<switch_arbitration> make_arbitration() const;
  struct packet {
    tlm::tlm_generic_payload* payload = nullptr;
    tlm_bus::cycle_t at = 0;  // in a queue: time of acceptance; in a delay line: time of arrival at its end
    unsigned flits = 0;
    int next = -1;  // in the same FIFO
  };
  struct fifo {
    int head = -1;
    int tail = -1;
  };
  struct delay_line {
    std::vector<packet> packets;  // ring
    unsigned head = 0;
    unsigned used = 0;
    unsigned flits = 0;
  };

  fifo& queue(unsigned input, unsigned output) { return queues_[input * outputs_ + output]; }
  const fifo& queue(unsigned input, unsigned output) const { return queues_[input * outputs_ + output]; }
  std::uint64_t free_inputs(tlm_bus::cycle_t now) const;
  bool output_ready(unsigned output, tlm_bus::cycle_t now) const {
    return output_free_at_[output] <= now && lines_[output].flits < line_flits_;
  }
  std::uint64_t ready_outputs(tlm_bus::cycle_t now) const;
  unsigned start(unsigned input, unsigned output, tlm_bus::cycle_t now);

  unsigned inputs_;
  unsigned outputs_;
  unsigned latency_;
  unsigned queue_flits_;
  unsigned largest_packet_;
  unsigned line_flits_;  // an output accepts no packet while this many flits are on its line
  std::unique_ptr<switch_arbitration> arbitration_;

  std::vector<packet> packets_;  // storage of the FIFOs
  int free_packet_ = -1;
  std::vector<fifo> queues_;                                // [input][output]
  std::vector<unsigned> queued_flits_;                      // per input
  std::deque<tlm_bus::queue_counter>* counters_ = nullptr;  // per input
  std::vector<std::uint64_t> requests_;                     // per output: inputs with a packet for it
  std::uint64_t waiting_mask_ = 0;                          // outputs with a request
  std::vector<tlm_bus::cycle_t> input_free_at_;             // per input
  std::vector<tlm_bus::cycle_t> output_free_at_;            // per output
  std::vector<delay_line> lines_;                           // per output
  std::vector<tlm_bus::cycle_t> arrival_at_;  // per output: of the oldest packet on the way; no_cycle if none
  const parameters made_of_;
};

}  // namespace gt200::model
