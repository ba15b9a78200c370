// The two ends of one direction of an AT connection: the sender's BEGIN and the receiver's END.
//
// memory_initiator and memory_target use them for requests and, with exchanged roles, for responses. Rules:
// - At most one BEGIN per cycle of the sender, and none before the END of the previous one is visible.
// - The END is returned in the call if and only if a slot of the receiver's queue was free at the beginning of the
//   receiver's cycle. A slot freed at the instant of the call does not count. Otherwise the END follows in a call
//   of its own when a slot is free.
// - A BEGIN or END at t is visible to the other side strictly after t.
// With depth 2 this carries one transaction per cycle.
//
// Across the border between two edge drivers the sender holds credits for the receiver's queue (border.h). A BEGIN
// needs a visible credit, and its END is returned in the call. The receiver sees the BEGIN after its latency, and
// the credit of a slot returns one window after the slot became free.
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "tlm_bus/border.h"
#include "tlm_bus/edge_driver.h"
#include "tlm_bus/stage.h"
#include "tlm_bus/stall_injection.h"

namespace gt200::tlm_bus {

class queue_counter;

// The time at which a transport call takes effect for a stage. Foreign components may call at any time and annotate
// a delay. So this is the time of the stage's driver, not that of its domain, which stands still while the domain
// sleeps.
struct call_instant {
  call_instant(const stage& s, const sc_core::sc_time& delay)
      : call_instant(s, s.domain().driver().now(), delay.value()) {}
  call_instant(const stage& s, femtoseconds at, femtoseconds delay) : now(at), effective(at + delay) {
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

  using payload_queue = crossing_queue<tlm::tlm_generic_payload*>;
  // The receiver belongs to another driver and has `depth` slots; `to` gets the payloads. Returns what gets the
  // credits.
  border_credits& cross_border(crossing_target<tlm::tlm_generic_payload*>& to, unsigned depth);
  bool crosses_border() const { return border_ != nullptr; }
  // Sends `payload` over the border, with its END. Instead of begin().
  void cross(tlm::tlm_generic_payload& payload);
  void visit_state(state_image& state) { state(awaited_, wanted_, free_at_, sent_cycle_, border_); }

 private:
  stage& owner_;
  const tlm::tlm_generic_payload* awaited_ = nullptr;  // BEGIN sent, END outstanding
  bool wanted_ = false;
  cycle_t free_at_ = 0;
  cycle_t sent_cycle_ = no_cycle;
  struct border {
    border_credits credits;
    payload_queue payloads;
    void visit_state(state_image& state) { state(credits, payloads); }
  };
  std::unique_ptr<border> border_;  // null within a driver
};

class handshake_receiver {
 public:
  // `depth` >= 1 slots; `latency` >= 1 cycles of the owner until a payload is visible.
  handshake_receiver(stage& owner, unsigned depth, unsigned latency);
  // `name`: of the port, for errors and stalls; must outlive the receiver.
  void set_name(const char* name) {
    name_ = name;
    name_hash_ = name_hash_of(name);
  }
  // From now on `c` counts the entries of the queue. A payload whose END is outstanding is not counted.
  void count_in(queue_counter& c) { counter_ = &c; }

  // A BEGIN arrives and is visible from at.first (+ latency - 1) on. Returns true if the END goes back in the call.
  bool arrive(tlm::tlm_generic_payload& payload, const call_instant& at);
  // A payload arrives for which no END is due, so it cannot be held back: it enters the queue even beyond the
  // depth. While overfull(), the caller starts nothing that could cause another one.
  void arrive_without_end(tlm::tlm_generic_payload& payload, const call_instant& at);
  bool overfull() const { return used_ > depth_; }
  // The sender belongs to another driver: its credits go to `sender`.
  void cross_border(border_credits& sender);
  // A payload arrives over the border that was sent at `sent_at`.
  void arrive_over_border(tlm::tlm_generic_payload& payload, femtoseconds sent_at);
  // The payload whose late END must be sent now, or null. Call this at the start of every access by the owner.
  tlm::tlm_generic_payload* settle();
  // Oldest visible payload or null.
  tlm::tlm_generic_payload* front();
  // Removes and returns the payload that front() returned in this cycle.
  tlm::tlm_generic_payload& pop();

  unsigned occupancy() const { return used_; }
  unsigned depth() const { return depth_; }
  unsigned latency() const { return latency_; }
  void visit_state(state_image& state) {
    state.fixed(depth_, latency_, name_, name_hash_, counter_);  // the counter belongs to the owner
    state(queue_, head_, used_, waiting_, waiting_first_, popped_at_, popped_, border_, not_counted_);
  }

 private:
  struct entry {
    cycle_t visible_at = 0;
    tlm::tlm_generic_payload* payload = nullptr;
    cycle_t counted_at = 0;  // over a border: one window after the payload was sent
  };
  // Counts the payloads that have come over the border up to `cycle`.
  void count_arrivals(cycle_t cycle);
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
  const char* name_ = "";
  std::uint64_t name_hash_ = 0;
  queue_counter* counter_ = nullptr;
  std::unique_ptr<crossing_queue<credit>> border_;  // null within a driver
  unsigned not_counted_ = 0;                        // youngest payloads that counter_ does not contain yet
};

}  // namespace gt200::tlm_bus
