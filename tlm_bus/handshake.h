// The two halves of one direction of an AT connection: a BEGIN from the sender, an END from the receiver.
//
// Used by memory_initiator and memory_target for requests and, with the roles exchanged, for responses. Rules:
// - At most one BEGIN per cycle of the sender, and none before the END of the one before it is visible.
// - The END is returned in the call if and only if a slot of the receiver's queue was free at the beginning of the
//   receiver's cycle; otherwise it follows by a call of its own once a slot is free.
// - A BEGIN or END at t is visible to the other side strictly after t.
// With depth 2 this carries one transaction per cycle.
#pragma once

#include <cstdint>
#include <tlm>
#include <vector>

#include "tlm_bus/stage.h"
#include "tlm_bus/stall_injection.h"

namespace gt200::tlm_bus {

class handshake_sender {
 public:
  explicit handshake_sender(stage& owner) : owner_(owner) {}

  // True when a BEGIN may be sent in this cycle; otherwise the owner becomes due when that may have changed.
  bool can_send();
  // A BEGIN was sent in this cycle; `ended` = its END came back in the call.
  void sent(bool ended);
  // The END came by a call of its own and is visible from `visible_at` on. Ignored when none is awaited.
  void ended(cycle_t visible_at);

 private:
  stage& owner_;
  bool awaiting_end_ = false;
  bool wanted_ = false;
  cycle_t free_at_ = 0;
  cycle_t sent_cycle_ = no_cycle;
};

class handshake_receiver {
 public:
  // `depth` >= 1 slots; `latency` >= 1 cycles of the owner until a payload is visible.
  handshake_receiver(stage& owner, unsigned depth, unsigned latency);
  void set_name(const char* name) { name_hash_ = name_hash_of(name); }

  // A BEGIN arrives, visible from `first` (+ latency - 1) on. True: the END goes back in the call.
  bool arrive(tlm::tlm_generic_payload& payload, cycle_t first, femtoseconds at);
  // The payload of a late END to be sent now, if any; call at the start of every access by the owner.
  tlm::tlm_generic_payload* settle();
  // Oldest visible payload or null.
  tlm::tlm_generic_payload* front();
  void pop();

  unsigned occupancy() const { return used_; }
  unsigned depth() const { return static_cast<unsigned>(queue_.size()); }

 private:
  struct entry {
    cycle_t visible_at = 0;
    tlm::tlm_generic_payload* payload = nullptr;
  };
  // Slots in use at the beginning of the instant `at`: those freed in this very instant still count.
  unsigned used_at_start(femtoseconds at) const { return used_ + (popped_at_ == at ? popped_ : 0); }
  void push(tlm::tlm_generic_payload& payload, cycle_t visible_at);

  stage& owner_;
  unsigned latency_;
  std::vector<entry> queue_;  // ring
  unsigned head_ = 0;
  unsigned used_ = 0;
  tlm::tlm_generic_payload* waiting_ = nullptr;  // its END is outstanding
  cycle_t waiting_visible_at_ = 0;
  femtoseconds popped_at_ = no_time;
  unsigned popped_ = 0;  // slots freed at popped_at_
  std::uint64_t name_hash_ = 0;
};

}  // namespace gt200::tlm_bus
