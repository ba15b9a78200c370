// Holds the decoded instructions of every warp until they issue. It connects the two loops of the front end.
//
// Each instruction has a dependency vector; the scoreboard defines the meaning of its bits (with Coon's mechanism,
// a scoreboard entry). A release clears a bit in all buffered instructions of the warp, including one that was
// looked up in the same cycle. The oldest instruction of a warp may issue if its vector is 0. Source: Coon et al.
// (US 7,434,032): the vector stays with the instruction in the buffer.
//
// Fetch, decode, issue and the scoreboard change it by transactions, each over a socket of its own. What they look
// at, they ask through ports.
#pragma once

#include <array>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/front_end/buffer_transactions.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/observers.h"
#include "sc_models/sm/slot_share.h"
#include "sc_models/sm/units/unit_list.h"
#include "tlm_bus/injectable.h"
#include "tlm_bus/registered_signal.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/tap.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

class decoded_instructions;
class joined_front_end;

class instruction_buffer final : public sc_core::sc_module,
                                 public tlm_bus::signal_source,
                                 public instruction_buffer_fetch_if,
                                 public instruction_buffer_issue_if,
                                 public instruction_buffer_dependency_if,
                                 public tlm_bus::injectable,
                                 public tlm_bus::transaction_target<buffer_reservation>,
                                 public tlm_bus::transaction_target<buffer_write>,
                                 public tlm_bus::transaction_target<buffer_removal>,
                                 public tlm_bus::transaction_target<dependency_update>,
                                 public tlm_bus::resettable {
 public:
  tlm_bus::transaction_in<buffer_reservation> reservations;       // from fetch
  tlm_bus::transaction_in<buffer_write> writes;                   // from decode
  tlm_bus::transaction_in<buffer_removal> removals;               // from issue
  tlm_bus::transaction_in<dependency_update> dependency_updates;  // from the scoreboard

  // `share`: the warps whose instructions come here.
  instruction_buffer(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                     const config::sm_config& config, const unit_list& units, slot_share share = {});

  void transport(buffer_reservation& reservation) override;
  void transport(buffer_write& write) override;
  void transport(buffer_removal& removal) override;
  void transport(dependency_update& update) override;
  // -- called by decode, in place of a write that nobody else sees --
  // fill(entry) sets what a write carries.
  template <class Fill>
  void enter(warp_slot warp, const Fill& fill);

  // -- called by fetch --
  const warp_signal& room(unsigned entries) const override;
  // -- called by issue --
  const warp_signals& warps() const override { return warps_; }
  const buffered_instruction& oldest(warp_slot warp) const override {
    return slots_[warp.index() * capacity_ + queues_[warp].head];
  }
  std::uint64_t blocking_dependencies(warp_slot warp) const override;
  // -- called by the scoreboard --
  unsigned buffered(warp_slot warp) const override { return queues_[warp].used; }
  const buffered_instruction& at(warp_slot warp, unsigned position) const override {
    return slots_[index_of(warp, position)];
  }

  tlm_bus::tap<instruction_buffer_observer>& observers() { return observers_; }
  void publish(tlm_bus::signal_writer& to) override;
  tlm_bus::part_tap* parts() override { return &parts_; }
  // -- called by observers --
  // Slots that are filled, or reserved for a fetch.
  unsigned reserved(warp_slot warp) const { return queues_[warp].reserved; }
  // As of the last edge.
  warp_mask ready() const { return warps_.oldest.read(domain_.cycle()).ready; }
  warp_mask occupied() const { return warps_.oldest.read(domain_.cycle()).occupied; }

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "instruction_buffer"; }

  // By warp and slot: the words of the instruction, its address, and, with entries in the scoreboard, its
  // dependency vector and the entries that it holds. An instruction with a damaged word is decoded again.
  const char* structure() const override { return "instruction_buffer"; }
  std::uint64_t bits() const override { return slots_in_use() * bits_of_slot(); }
  bool bit(std::uint64_t bit) const override;
  void flip(std::uint64_t bit) override;
  std::string text_of_bit(std::uint64_t bit) const override;
  void add_occupied(std::vector<tlm_bus::bit_range>& to) const override;
  // Who decodes, and how many bits instructions and addresses have. Without it nothing can be flipped.
  // `dependencies`: the instructions have dependency vectors.
  void decode_with(decoded_instructions& decoder, bool dependencies = true) {
    decoder_ = &decoder;
    if (!dependencies) scoreboard_entries_ = 0;
  }

 private:
  friend class joined_front_end;
  struct queue {
    std::uint8_t head = 0;
    std::uint8_t used = 0;
    std::uint8_t reserved = 0;              // filled and reserved slots
    std::uint64_t cleared = 0;              // dependencies cleared in cycle `cleared_at`
    std::uint64_t cleared_from_oldest = 0;  // those among them that the oldest instruction was waiting for
    tlm_bus::cycle_t cleared_at = tlm_bus::no_cycle;
  };
  std::size_t index_of(warp_slot warp, unsigned position) const {
    const unsigned index = queues_[warp].head + position;
    return std::size_t{warp.index()} * capacity_ + (index < capacity_ ? index : index - capacity_);
  }
  [[gnu::noinline]] void tell_entered(warp_slot warp, const buffered_instruction& instruction);
  void set_dependencies(warp_slot warp, unsigned position, std::uint64_t dependencies);
  void clear_dependencies(warp_slot warp, std::uint64_t dependencies);
  queue& cleared_now(warp_slot warp);
  void oldest_freed_of(warp_slot warp, std::uint64_t dependencies);
  void settle_head(warp_slot warp);
  void show_class(warp_slot warp, const buffered_instruction& oldest);
  void hide_class(warp_slot warp, const buffered_instruction& oldest);
  void settle_room(warp_slot warp, unsigned before, unsigned reserved);

  enum class field : std::uint8_t { words, pc, dependencies, allocated };
  struct place {
    warp_slot warp;
    std::size_t slot;  // in slots_
    field of;
    unsigned bit;
  };
  std::size_t slots_in_use() const { return std::size_t{share_.count(warp_slots_)} * capacity_; }
  unsigned word_bits() const;
  unsigned pc_bits() const;
  unsigned bits_of_slot() const;
  place place_of(std::uint64_t bit) const;
  bool is_oldest(const place& at) const;
  bool is_used(const place& at) const;
  void flip_word(const place& at);

  // What every instruction needs is together, for the host's cache.
  alignas(64) tlm_bus::clock_domain& domain_;
  const unit_list& units_;
  std::vector<buffered_instruction> slots_;  // warps x capacity_
  unsigned capacity_;
  mutable bool shows_room_for_two_ = false;  // somebody reads room_two_
  std::uint8_t looks_ = 0;                   // not 0: somebody observes
  tlm_bus::tap<instruction_buffer_observer> observers_;
  tlm_bus::part_tap parts_;
  warp_signal room_one_;
  per_warp<queue> queues_{};
  warp_signals warps_;
  warp_signal room_two_;
  unsigned warp_slots_;
  slot_share share_;
  unsigned scoreboard_entries_;  // 0 if its mechanism has none
  decoded_instructions* decoder_ = nullptr;
  tlm_bus::idle_bits idle_;  // of empty slots, and of the second word of a short instruction
};

// -- what happens at every instruction --

// Updates the masks of room after the number of reserved slots has changed from `before`.
[[gnu::always_inline]] inline void instruction_buffer::settle_room(warp_slot warp, unsigned before,
                                                                   unsigned reserved) {
  if ((reserved < capacity_) != (before < capacity_)) room_one_.change(domain_) ^= warp_bit(warp);
  if (shows_room_for_two_ && (reserved + 1 < capacity_) != (before + 1 < capacity_))
    room_two_.change(domain_) ^= warp_bit(warp);
  if (looks_ != 0) parts_.moved(warp.index());
}

inline void instruction_buffer::transport(buffer_reservation& reservation) {
  queue& q = queues_[reservation.warp];
  const unsigned before = q.reserved;
  q.reserved += reservation.entries;
  settle_room(reservation.warp, before, q.reserved);
}

[[gnu::always_inline]] inline void instruction_buffer::transport(buffer_write& write) {
  if (write.what == buffer_write::command::enter)
    return enter(write.warp, [&](buffered_instruction& entry) { entry = write.instruction; });
  queue& q = queues_[write.warp];
  const unsigned before = q.reserved;
  q.reserved -= write.entries;
  settle_room(write.warp, before, q.reserved);
}

// Updates the masks of the oldest instruction.
[[gnu::always_inline]] inline void instruction_buffer::settle_head(warp_slot warp) {
  const oldest_masks& known = warps_.oldest.next();
  const warp_mask bit = warp_bit(warp);
  const bool occupied = queues_[warp].used != 0;
  const bool ready = occupied && oldest(warp).dependencies == 0;
  const warp_mask moved_ready = (known.ready & bit) ^ (ready ? bit : 0);
  const warp_mask moved_occupied = (known.occupied & bit) ^ (occupied ? bit : 0);
  if ((moved_ready | moved_occupied) == 0) return;
  oldest_masks& next = warps_.oldest.change(domain_);
  next.ready ^= moved_ready;
  next.occupied ^= moved_occupied;
}

// The class masks matter only for warps in ready(), so they need no registered update.
[[gnu::always_inline]] inline void instruction_buffer::show_class(warp_slot warp,
                                                                  const buffered_instruction& oldest) {
  const warp_mask bit = warp_bit(warp);
  warps_.first[warp] = &oldest;
  warps_.of_class[as_index(oldest.collector)] |= bit;
  if (oldest.alternatives == 0) return;
  for (const unsigned alternative : set_bits(oldest.alternatives)) warps_.of_alternative[alternative] |= bit;
}

[[gnu::always_inline]] inline void instruction_buffer::hide_class(warp_slot warp,
                                                                  const buffered_instruction& oldest) {
  const warp_mask bit = warp_bit(warp);
  warps_.of_class[as_index(oldest.collector)] &= ~bit;
  if (oldest.alternatives == 0) return;
  for (const unsigned alternative : set_bits(oldest.alternatives)) warps_.of_alternative[alternative] &= ~bit;
}

template <class Fill>
[[gnu::always_inline]] inline void instruction_buffer::enter(warp_slot warp, const Fill& fill) {
  queue& q = queues_[warp];
  buffered_instruction& entry = slots_[index_of(warp, q.used)];
  fill(entry);
  if (looks_ != 0) tell_entered(warp, entry);
  entry.collector = units_.collector_of(*entry.instruction);
  entry.alternatives = static_cast<std::uint8_t>(units_.alternatives_of(*entry.instruction));
  if (q.cleared_at == domain_.cycle()) entry.dependencies &= ~q.cleared;
  if (q.used++ == 0) {
    show_class(warp, entry);
    settle_head(warp);
  }
}

[[gnu::always_inline]] inline void instruction_buffer::transport(buffer_removal& removal) {
  const warp_slot warp = removal.warp;
  queue& q = queues_[warp];
  hide_class(warp, oldest(warp));
  q.head = q.head + 1u == capacity_ ? 0 : static_cast<std::uint8_t>(q.head + 1);
  --q.used;
  if (q.used != 0) show_class(warp, oldest(warp));
  settle_head(warp);
  const unsigned before = q.reserved--;
  settle_room(warp, before, q.reserved);
}

// Returns the queue with its record of the dependencies cleared in this cycle.
inline instruction_buffer::queue& instruction_buffer::cleared_now(warp_slot warp) {
  queue& q = queues_[warp];
  if (q.cleared_at != domain_.cycle()) {
    q.cleared_at = domain_.cycle();
    q.cleared = q.cleared_from_oldest = 0;
  }
  return q;
}

// With fewer dependencies the warp may have another stall cause, even if some are left.
inline void instruction_buffer::oldest_freed_of(warp_slot warp, std::uint64_t dependencies) {
  settle_head(warp);
  if (looks_ != 0) parts_.moved(warp.index());
  if (dependencies == 0) return;
  queue& q = cleared_now(warp);
  if (q.cleared_from_oldest == 0) warps_.oldest.change(domain_).freed ^= warp_bit(warp);
  q.cleared_from_oldest |= dependencies;
}

[[gnu::always_inline]] inline void instruction_buffer::transport(dependency_update& update) {
  switch (update.what) {
    case dependency_update::command::clear: return clear_dependencies(update.warp, update.dependencies);
    case dependency_update::command::set:
      return set_dependencies(update.warp, update.position, update.dependencies);
  }
}

[[gnu::always_inline]] inline void instruction_buffer::clear_dependencies(warp_slot warp,
                                                                          std::uint64_t dependencies) {
  queue& q = cleared_now(warp);
  q.cleared |= dependencies;
  if (q.used == 0) return;
  const std::uint64_t freed = oldest(warp).dependencies & dependencies;
  for (unsigned i = 0; i < q.used; ++i) slots_[index_of(warp, i)].dependencies &= ~dependencies;
  if (freed != 0) oldest_freed_of(warp, freed);
}

}  // namespace gt200::model
