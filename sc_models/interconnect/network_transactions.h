// What the crossbar and its networks say to each other. Every transaction is answered in its cycle
// (tlm_bus/transaction.h).
#pragma once

#include <cstdint>
#include <tlm>

#include "tlm_bus/time.h"

namespace gt200::tlm_bus {
class signal_writer;
struct event_details;
}  // namespace gt200::tlm_bus

namespace gt200::model {

// A packet at an input of a network. If there is no room for it, it is offered again.
struct packet_offer {
  unsigned input = 0;
  unsigned output = 0;
  unsigned flits = 0;
  tlm::tlm_generic_payload* payload = nullptr;
  tlm_bus::cycle_t at = 0;  // the present cycle

  bool accepted = false;  // the answer
};
inline bool has_effect(const packet_offer& offer) { return offer.accepted; }
void show(tlm_bus::signal_writer& to, const packet_offer& offer);
// Event details: input, output, flits, accepted.
void describe(tlm_bus::event_details& event, const packet_offer& offer);

// A packet at the end of its line. If it is not taken, it is delivered again.
struct packet_delivery {
  unsigned output = 0;
  tlm::tlm_generic_payload* payload = nullptr;

  bool taken = false;  // the answer
};
inline bool has_effect(const packet_delivery& delivery) { return delivery.taken; }
void show(tlm_bus::signal_writer& to, const packet_delivery& delivery);
// Event details: output, taken.
void describe(tlm_bus::event_details& event, const packet_delivery& delivery);

// The clock of a network: a cycle has two steps, and offers come between them.
struct network_cycle {
  enum class half : std::uint8_t { deliver, start };
  half step = half::deliver;  // packets leave at the outputs; packets leave their queues
  tlm_bus::cycle_t at = 0;

  // The answer.
  bool more_arrived = false;   // deliver: behind a packet that left, another one has arrived
  unsigned flits_started = 0;  // start: of packets on their last way, so that each packet counts once
  bool moved = false;          // start: a packet has started on some way, or its tail has left a queue
  tlm_bus::cycle_t next_event =
      tlm_bus::no_cycle;  // start: when a step may have a result without an offer or a taker
};
inline bool has_effect(const network_cycle& cycle) { return cycle.flits_started != 0; }
void show(tlm_bus::signal_writer& to, const network_cycle& cycle);
// Event details: step, flits started.
void describe(tlm_bus::event_details& event, const network_cycle& cycle);

}  // namespace gt200::model
