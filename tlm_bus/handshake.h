// The two ends of one direction of an AT connection: the sender's BEGIN and the receiver's END.
//
// memory_initiator and memory_target use them for requests and, with exchanged roles, for responses. Rules:
// - At most one BEGIN per cycle of the sender, and none before the END of the previous one is visible.
// - The END is returned in the call if and only if a slot of the receiver's queue was free at the beginning of the
//   receiver's cycle. A slot freed at the instant of the call does not count. Otherwise the END follows in a call
//   of its own when a slot is free.
// - A BEGIN or END at t is visible to the other side strictly after t.
// With depth 2 this carries one transaction per cycle.
#pragma once

#include <cstdint>
#include <systemc>
#include <tlm>
#include <vector>

#include "tlm_bus/stage.h"
#include "tlm_bus/stall_injection.h"

namespace gt200::tlm_bus {

class queue_counter;

// The time at which a transport call takes effect for a stage. Foreign components may call at any time and annotate
// a delay. So this is SystemC's time, not that of the stage's domain, which stands still while the domain sleeps.
struct call_instant {
  call_instant(const stage& s, const sc_core::sc_time& delay)
      : now(sc_core::sc_time_stamp().value()), effective(now + delay.value()) {
    next = s.domain().first_edge_after(now);
    first = effective == now ? next : s.domain().first_edge_after(effective);
  }
  femtoseconds now;        // of the call
  femtoseconds effective;  // with the annotated delay
  cycle_t next;            // first edge of the stage strictly after `now`
  cycle_t first;           // first edge of the stage strictly after `effective`: what was sent is visible there
};

class handshake_sender {
 public:
  explicit handshake_sender(stage& owner) : owner_(owner) {}

  // True if a BEGIN may be sent in this cycle. Otherwise the owner becomes due when that may have changed.
  bool can_send();
  // Records that the BEGIN of `payload` is sent now. Call it before the transport call, which may return the END.
  void begin(const tlm::tlm_generic_payload& payload);
  // Records the END of `payload`. Returns false if this END is not outstanding because it came before.
  bool ended(const tlm::tlm_generic_payload& payload, const call_instant& at);

 private:
  stage& owner_;
  const tlm::tlm_generic_payload* awaited_ = nullptr;  // BEGIN sent, END outstanding
  bool wanted_ = false;
  cycle_t free_at_ = 0;
  cycle_t sent_cycle_ = no_cycle;
};

class handshake_receiver {
 public:
  // `depth` >= 1 slots; `latency` >= 1 cycles of the owner until a payload is visible.
  handshake_receiver(stage& owner, unsigned depth, unsigned latency);
  void set_name(const char* name) { name_hash_ = name_hash_of(name); }
  // From now on `c` counts the entries of the queue. A payload whose END is outstanding is not counted.
  void count_in(queue_counter& c) { counter_ = &c; }

  // A BEGIN arrives and is visible from at.first (+ latency - 1) on. Returns true if the END goes back in the call.
  bool arrive(tlm::tlm_generic_payload& payload, const call_instant& at);
  // A payload arrives for which no END is due, so it cannot be held back: it enters the queue even beyond the
  // depth. While overfull(), the caller starts nothing that could cause another one.
  void arrive_without_end(tlm::tlm_generic_payload& payload, const call_instant& at);
  bool overfull() const { return used_ > depth_; }
  // The payload whose late END must be sent now, or null. Call this at the start of every access by the owner.
  tlm::tlm_generic_payload* settle();
  // Oldest visible payload or null.
  tlm::tlm_generic_payload* front();
  // Removes and returns the payload that front() returned in this cycle.
  tlm::tlm_generic_payload& pop();

  unsigned occupancy() const { return used_; }
  unsigned depth() const { return depth_; }

 private:
  struct entry {
    cycle_t visible_at = 0;
    tlm::tlm_generic_payload* payload = nullptr;
  };
  // Slots in use at the beginning of the instant `now`. Slots freed at this instant still count.
  unsigned used_at_start(femtoseconds now) const { return used_ + (popped_at_ == now ? popped_ : 0); }
  void push(tlm::tlm_generic_payload& payload, cycle_t visible_at, cycle_t now);

  stage& owner_;
  unsigned depth_;
  unsigned latency_;
  std::vector<entry> queue_;  // ring of depth + 1: see arrive_without_end
  unsigned head_ = 0;
  unsigned used_ = 0;
  tlm::tlm_generic_payload* waiting_ = nullptr;  // its END is outstanding
  cycle_t waiting_first_ = 0;                    // first edge at which its END may be sent
  femtoseconds popped_at_ = no_time;
  unsigned popped_ = 0;  // slots freed at popped_at_
  std::uint64_t name_hash_ = 0;
  queue_counter* counter_ = nullptr;
};

}  // namespace gt200::tlm_bus
