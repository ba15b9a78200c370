// Tracks dependencies on pending results: which buffered instructions may not issue yet.
//
// One of several mechanisms does this (tpc.sm.scoreboard.mechanism): coon_tracker.h, bitmap_tracker.h,
// single_loop_tracker.h; dependency_tracker.h has their common interface. This module adds the policy for a warp
// whose entries are used up: the warp's fetch stops (stall_warp, and discard), or all fetch stops (stall_all).
// Fetch sees a release at t after t. With discard, a refused warp fetches again only after one of its entries has
// been released. If it refetched at once, it could keep all others from fetching, including those for which its own
// entries wait at a barrier. With stall_all, a warp that waits at a barrier stops only its own fetch, until it
// issues again. Its entries may belong to instructions behind the barrier, and the warps it waits for must fetch to
// get there. stall_all_strict has no such exception, and blocks with barriers can hang.
//
// With lookup_latency_cycles, the answer comes some cycles after the look-up. It describes the cycle of the
// look-up. Bits that have been released since are cleared in it, as in the buffered vectors.
//
// The Coon mechanism exists as SystemC model and as RTL (tpc.sm.scoreboard.model, tpc.sm.rtl.sms): rtl_tracker.h
// and lockstep_tracker.h where entries are taken with the look-up, rtl_at_issue.h and lockstep_at_issue.h where
// they are taken at issue. RTL that cannot be made is refused when the SM is built.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/cosimulation/compared_tracker.h"
#include "sc_models/sm/dependency/coon_tracker.h"
#include "sc_models/sm/dependency/dependency_tracker.h"
#include "sc_models/sm/dependency/scoreboard_transactions.h"
#include "sc_models/sm/front_end/buffer_transactions.h"
#include "sc_models/sm/front_end/instruction_buffer.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/observers.h"
#include "sc_models/sm/usual_port.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/injectable.h"
#include "tlm_bus/port.h"
#include "tlm_bus/registered_signal.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/tap.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

class joined_front_end;

class scoreboard final : public sc_core::sc_module,
                         public tlm_bus::signal_source,
                         public scoreboard_decode_if,
                         public scoreboard_fetch_if,
                         public scoreboard_issue_if,
                         public tlm_bus::injectable,
                         public tlm_bus::transaction_target<scoreboard_lookup>,
                         public tlm_bus::transaction_target<scoreboard_answer>,
                         public tlm_bus::transaction_target<scoreboard_allocation>,
                         public tlm_bus::transaction_target<scoreboard_release>,
                         private dependency_vectors,
                         public tlm_bus::resettable {
 public:
  tlm_bus::transaction_in<scoreboard_lookup> lookups;          // from decode
  tlm_bus::transaction_in<scoreboard_answer> answers;          // from decode, with a look-up latency
  tlm_bus::transaction_in<scoreboard_allocation> allocations;  // from issue
  tlm_bus::transaction_in<scoreboard_release> releases;        // from write-back

  // To the instruction buffer. From here on stands what every instruction needs, together for the host's cache.
  alignas(64) tlm_bus::transaction_out<dependency_update, gt200::model::instruction_buffer> dependency_updates;
  usual_port<instruction_buffer_dependency_if, gt200::model::instruction_buffer> instruction_buffer;

  tlm_bus::counter dependent{"dependent", "warp instructions",
                             "coon, entries taken with the look-up: look-ups that found a pending register"};

  scoreboard(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
             unsigned sm_in_chip = 0, const arch_state::generation_values& generation = {});

  void transport(scoreboard_lookup& lookup) override;
  void transport(scoreboard_answer& fetched) override;
  void transport(scoreboard_allocation& allocation) override;
  void transport(scoreboard_release& release) override;

  // -- called by decode --
  const tlm_bus::registered_event& release() const override { return release_; }
  // -- called by fetch --
  const warp_signal& has_room() const override { return has_room_; }
  // -- called by issue --
  warp_mask probed(warp_mask occupied) override { return tracker_->probed(occupied, core_cycle(domain_.cycle())); }
  const warp_signal& full() const override { return full_; }
  stall_cause cause_of(warp_slot warp, scoreboard_entry dependency) const override {
    return tracker_->cause_of(warp, dependency);
  }

  // -- called by observers --
  // The hardware of this SM, and the look-ups made before core cycle `until`.
  tracking_cost cost() const { return tracker_->cost(); }
  std::uint64_t probes_until(core_cycle until) const { return tracker_->probes_until(until); }

  // Replaces the mechanism, before the first instruction enters; returns the old one.
  std::unique_ptr<dependency_tracker> use(std::unique_ptr<dependency_tracker> tracker) {
    tracker_.swap(tracker);
    make_tracker_ = nullptr;
    recognise_tracker();
    return tracker;
  }

  // The comparison with the RTL; null if this SM has none.
  compared_tracker* lockstep() const { return lockstep_; }

  tlm_bus::tap<scoreboard_observer>& observers() { return observers_; }

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "scoreboard"; }

  // The storage of the mechanism, by warp.
  const char* structure() const override { return "scoreboard"; }
  std::uint64_t bits() const override { return std::uint64_t{warp_slots_} * tracker_->bits(); }
  bool bit(std::uint64_t bit) const override;
  void flip(std::uint64_t bit) override;
  std::string text_of_bit(std::uint64_t bit) const override;
  void add_occupied(std::vector<tlm_bus::bit_range>& to) const override;
  void publish(tlm_bus::signal_writer& to) override;
  tlm_bus::part_tap* parts() override { return &parts_; }

 private:
  friend class joined_front_end;
  // A look-up in flight.
  struct asked {
    const isa::instruction* instruction = nullptr;
    std::uint64_t cleared = 0;      // since the look-up, including its cycle
    std::uint64_t cleared_now = 0;  // in cycle cleared_at
    tlm_bus::cycle_t cleared_at = tlm_bus::no_cycle;
  };
  // What the mechanism sees and changes in the instruction buffer.
  unsigned buffered(warp_slot warp) const override { return instruction_buffer->buffered(warp); }
  const buffered_instruction& at(warp_slot warp, unsigned position) const override {
    return instruction_buffer->at(warp, position);
  }
  void set_dependencies(warp_slot warp, unsigned position, std::uint64_t dependencies) override;
  void clear_dependencies(warp_slot warp, std::uint64_t dependencies) override;

  void end_of_elaboration() override { instruction_buffer.resolve(); }
  void recognise_tracker();
  // Where the mechanism is not the usual one.
  [[gnu::noinline]] void look_up_otherwise(scoreboard_lookup& lookup);
  [[gnu::noinline]] void allocate_otherwise(scoreboard_allocation& allocation);
  [[gnu::noinline]] void release_otherwise(const scoreboard_release& release);
  void ask(const scoreboard_lookup& lookup);
  void note_cleared(warp_slot warp, std::uint64_t dependencies);
  void settle_entered(warp_slot warp, const isa::instruction& instruction, const lookup_answer& result);
  [[gnu::noinline]] void tell_entered(warp_slot warp, const isa::instruction& instruction,
                                      const lookup_answer& result);
  void settle_released(warp_slot warp, std::uint64_t entries);
  void settle_room(warp_slot warp);
  void settle_at_barrier(warp_slot warp, const isa::instruction& issued);
  void publish_room();
  void publish_full();
  void settle_refused(warp_slot warp, bool refused);

  tlm_bus::clock_domain& domain_;
  std::unique_ptr<dependency_tracker> tracker_;
  joined_front_end* joined_ = nullptr;  // has the entries, if not null
  coon_tracker* coon_ = nullptr;        // *tracker_ if it is this one, which is then called without a virtual call
  // The mechanism is Coon's, without RTL; entries are taken with the look-up, whose answer comes at once; and a
  // warp without a free entry stops no other.
  bool usual_ = false;
  std::uint8_t looks_ = 0;                // not 0: somebody observes
  compared_tracker* lockstep_ = nullptr;  // *tracker_ if it is one, else null
  warp_mask without_entry_ = 0;           // warps without a free entry
  warp_mask refused_ = 0;                 // warps whose next instruction was refused
  warp_mask held_ = 0;                    // with discard: refused warps of which no entry has been released since
  bool stall_all_;
  bool excepts_barriers_;
  bool discards_;
  bool counts_dependent_;
  bool answers_later_;
  tlm_bus::cycle_t released_at_ = tlm_bus::no_cycle;
  warp_mask released_ = 0;  // at released_at_
  tlm_bus::tap<scoreboard_observer> observers_;
  tlm_bus::part_tap parts_;
  tlm_bus::registered_event release_;
  warp_signal has_room_;
  warp_signal full_;  // refused, or without a free entry
  unsigned warp_slots_;
  std::vector<asked> asked_;  // by warp, with a look-up latency
  warp_mask at_barrier_ = 0;  // with stall_all: warps whose last instruction was one that waits at a barrier
  std::function<std::unique_ptr<dependency_tracker>()> make_tracker_;  // null: use() has replaced it
};

// -- what happens at every instruction --

[[gnu::always_inline]] inline void scoreboard::transport(scoreboard_lookup& lookup) {
  if (!usual_) return look_up_otherwise(lookup);
  lookup.answer = coon_->look_up(lookup.warp, *lookup.instruction);
  if (!lookup.answer.entered || (refused_ & warp_bit(lookup.warp)) != 0)
    settle_refused(lookup.warp, !lookup.answer.entered);
  if (lookup.answer.allocated != 0) settle_room(lookup.warp);
  settle_entered(lookup.warp, *lookup.instruction, lookup.answer);
}

[[gnu::always_inline]] inline void scoreboard::clear_dependencies(warp_slot warp, std::uint64_t dependencies) {
  if (answers_later_) note_cleared(warp, dependencies);
  dependency_update update{dependency_update::command::clear, warp, 0, dependencies};
  dependency_updates.send(update);
}

[[gnu::always_inline]] inline void scoreboard::settle_entered(warp_slot warp, const isa::instruction& instruction,
                                                              const lookup_answer& result) {
  if (counts_dependent_ && result.dependencies != 0) ++dependent;
  if (looks_ != 0) tell_entered(warp, instruction, result);
}

inline void scoreboard::transport(scoreboard_allocation& allocation) {
  if (!usual_) return allocate_otherwise(allocation);
  const warp_slot warp = allocation.warp;
  allocation.entries = instruction_buffer.pass([warp](auto& buffer) { return buffer.at(warp, 0).allocated; });
  if (looks_ != 0) parts_.moved(warp.index());
}

[[gnu::always_inline]] inline void scoreboard::transport(scoreboard_release& release) {
  if (!usual_) return release_otherwise(release);
  if (looks_ != 0) parts_.moved(release.warp.index());
  if (release.entries == 0) return;
  coon_->give_back(release.warp, release.entries);
  clear_dependencies(release.warp, release.entries);
  settle_released(release.warp, release.entries);
}

// These entries of the warp are free again.
[[gnu::always_inline]] inline void scoreboard::settle_released(warp_slot warp, std::uint64_t entries) {
  settle_room(warp);
  if (looks_ != 0)
    observers_.notify(
        [&](scoreboard_observer& o) { o.released(core_cycle(domain_.cycle()), warp, entries, without_entry_); });
  if (released_at_ != domain_.cycle()) released_ = 0;
  released_at_ = domain_.cycle();
  released_ |= warp_bit(warp);
  if ((held_ & warp_bit(warp)) != 0) {
    held_ &= ~warp_bit(warp);
    publish_room();
  }
  if (refused_ != 0) release_.notify(domain_);
}

inline void scoreboard::settle_room(warp_slot warp) {
  const bool full = coon_ != nullptr ? coon_->full(warp) : tracker_->full(warp);
  if (((without_entry_ & warp_bit(warp)) != 0) == full) return;
  without_entry_ ^= warp_bit(warp);
  publish_room();
}

}  // namespace gt200::model
