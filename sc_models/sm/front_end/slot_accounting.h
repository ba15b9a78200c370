// Counts the use of the issue slots of an SM. The accounting is complete: each of the (schedulers x core cycles)
// slots has exactly one use (slot_profile.h).
//
// In each cycle in which issue runs, it records a use per scheduler and closes the cycle. The uses also apply to
// the cycles in which issue sleeps afterwards, because everything that can change a cause wakes it. Attribution
// rule: docs/statistics.md.
#pragma once

#include <array>

#include "sc_models/sm/cycles.h"
#include "sc_models/sm/front_end/slot_profile.h"

namespace gt200::model {

class slot_accounting {
 public:
  static constexpr unsigned max_schedulers = 2;

  slot_accounting(unsigned schedulers, unsigned warps) : schedulers_(schedulers), profile_(warps) {}

  // Issue runs in `cycle`: charges the cycles since it last ran.
  void begin(core_cycle cycle) {
    if (cycle > charged_until_) charge(cycle - charged_until_);
  }
  void note(unsigned scheduler, const slot_use& use) { uses_[scheduler] = use; }
  // Charges the current cycle. `resident`: number of resident warps. `starved`: how many of them have an empty
  // buffer because their fetch waits for the instruction cache.
  void close(unsigned resident, unsigned starved) {
    resident_ = resident;
    starved_ = starved;
    charge(core_cycles(1));
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
    return resident_warp_cycles_ + uncharged(until) * resident_;
  }
  std::uint64_t miss_starved_warp_cycles_until(core_cycle until) const {
    return miss_starved_warp_cycles_ + uncharged(until) * starved_;
  }

 private:
  // What was charged to one slot: `cycles` times.
  struct charge_entry {
    slot_use use;
    std::uint64_t cycles = 0;
  };
  void charge(core_cycles cycles) {
    log_[logged_++] = {uses_[0], cycles.count()};
    if (schedulers_ == 2) log_[logged_++] = {uses_[1], cycles.count()};
    resident_warp_cycles_ += cycles.count() * resident_;
    miss_starved_warp_cycles_ += cycles.count() * starved_;
    charged_until_ = charged_until_ + cycles;
    if (logged_ == log_.size()) settle();
  }
  void settle();
  std::uint64_t uncharged(core_cycle until) const {
    return until > charged_until_ ? (until - charged_until_).count() : 0;
  }
  std::uint64_t charged_beyond(core_cycle until) const {
    return charged_until_ > until ? (charged_until_ - until).count() : 0;
  }

  // What every cycle needs, in one line of the host's cache.
  alignas(64) core_cycle charged_until_;  // cycles before this one are charged
  unsigned resident_ = 0;                 // in every cycle from charged_until_ on
  unsigned starved_ = 0;
  std::uint64_t resident_warp_cycles_ = 0;
  std::uint64_t miss_starved_warp_cycles_ = 0;
  std::array<slot_use, max_schedulers> uses_{};
  unsigned schedulers_;
  unsigned logged_ = 0;
  // Charges, one per scheduler in turn, that are not in the tables yet: those are large, and are fetched into the
  // host's cache once in a while.
  std::array<charge_entry, 32 * max_schedulers> log_;
  std::array<slot_counts, max_schedulers> slots_{};
  slot_profile profile_;
};

}  // namespace gt200::model
