// Counts the use of the issue slots of an SM. The accounting is complete: each of the (schedulers x core cycles)
// slots has exactly one use (slot_profile.h).
//
// In each cycle in which issue runs, it records a use per scheduler and closes the cycle. The uses also apply to
// the cycles in which issue sleeps afterwards, because everything that can change a cause wakes it. When another
// use follows, a use goes to a journal. A full journal goes to the tables. The tables of all SMs do not fit into
// the host's cache, so they are touched seldom. Attribution rule: docs/statistics.md.
#pragma once

#include <array>

#include "sc_models/sm/cycles.h"
#include "sc_models/sm/front_end/slot_profile.h"

namespace gt200::model {

class slot_accounting {
 public:
  static constexpr unsigned max_schedulers = 2;

  slot_accounting(unsigned schedulers, unsigned warps) : schedulers_(schedulers), profile_(warps) {}

  // Issue runs in `cycle`; until then the last uses apply.
  void begin(core_cycle cycle) {
    if (cycle > charged_until_) charged_until_ = cycle;
  }
  void note(unsigned scheduler, const slot_use& use) {
    if (use == uses_[scheduler]) return;
    settle(scheduler);
    uses_[scheduler] = use;
  }
  // Charges the current cycle. `resident`: number of resident warps. `starved`: how many of them have an empty
  // buffer because their fetch waits for the instruction cache.
  void close(unsigned resident, unsigned starved) {
    if (resident != resident_ || starved != starved_) settle_warps(resident, starved);
    charged_until_ = charged_until_ + core_cycles(1);
  }

  // The use of the scheduler's slot in the last closed cycle.
  const slot_use& use(unsigned scheduler) const { return uses_[scheduler]; }
  // Slots by cause in the core cycles before `until`; the sum of all causes is `until`. If cycles from `until` on
  // are charged already, no warp may have been resident in them or in the cycle before.
  slot_counts slots_until(unsigned scheduler, core_cycle until) const;
  // The same slots of all schedulers by warp and instruction, without those in which no warp was resident.
  slot_profile profile_until(core_cycle until) const;
  // Resident warps, and starved ones, summed over the same cycles.
  std::uint64_t resident_warp_cycles_until(core_cycle until) const {
    return resident_warp_cycles_ + warp_cycles_until(until) * resident_;
  }
  std::uint64_t miss_starved_warp_cycles_until(core_cycle until) const {
    return miss_starved_warp_cycles_ + warp_cycles_until(until) * starved_;
  }

 private:
  struct journal_entry {
    slot_use use;
    std::uint32_t scheduler;
    std::uint64_t cycles;
  };
  // The use of the scheduler's slot goes to the journal.
  void settle(unsigned scheduler) {
    if (journaled_ == journal_.size()) empty_journal();
    journal_[journaled_++] = {uses_[scheduler], scheduler, unsettled(scheduler)};
    since_[scheduler] = charged_until_;
  }
  [[gnu::noinline]] void empty_journal();
  void settle_warps(unsigned resident, unsigned starved);
  std::uint64_t unsettled(unsigned scheduler) const { return (charged_until_ - since_[scheduler]).count(); }
  std::uint64_t warp_cycles_until(core_cycle until) const {
    return (charged_until_ - warps_since_).count() + uncharged(until);
  }
  std::uint64_t uncharged(core_cycle until) const {
    return until > charged_until_ ? (until - charged_until_).count() : 0;
  }
  std::uint64_t charged_beyond(core_cycle until) const {
    return charged_until_ > until ? (charged_until_ - until).count() : 0;
  }

  // What every cycle needs, in one line of the host's cache.
  alignas(64) core_cycle charged_until_;  // cycles before this one are charged
  unsigned resident_ = 0;                 // in every cycle from warps_since_ on
  unsigned starved_ = 0;
  std::array<slot_use, max_schedulers> uses_{};
  std::array<core_cycle, max_schedulers> since_{};  // the use applies from this cycle on
  core_cycle warps_since_;
  unsigned journaled_ = 0;
  unsigned schedulers_;
  std::uint64_t resident_warp_cycles_ = 0;
  std::uint64_t miss_starved_warp_cycles_ = 0;
  std::array<journal_entry, 128> journal_{};  // the first `journaled_` are not in the tables yet
  std::array<slot_counts, max_schedulers> slots_{};
  slot_profile profile_;
};

}  // namespace gt200::model
