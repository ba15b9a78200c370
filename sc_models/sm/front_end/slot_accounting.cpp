#include "sc_models/sm/front_end/slot_accounting.h"

namespace gt200::model {

void slot_accounting::settle_warps(unsigned resident, unsigned starved) {
  const std::uint64_t cycles = (charged_until_ - warps_since_).count();
  resident_warp_cycles_ += cycles * resident_;
  miss_starved_warp_cycles_ += cycles * starved_;
  warps_since_ = charged_until_;
  resident_ = resident;
  starved_ = starved;
}

void slot_accounting::empty_journal() {
  for (unsigned i = 0; i < journaled_; ++i) {
    const journal_entry& e = journal_[i];
    slots_[e.scheduler][static_cast<std::size_t>(e.use.cause)] += e.cycles;
    profile_.charge(e.use, e.cycles);
  }
  journaled_ = 0;
}

slot_counts slot_accounting::slots_until(unsigned scheduler, core_cycle until) const {
  slot_counts result = slots_[scheduler];
  for (unsigned i = 0; i < journaled_; ++i)
    if (journal_[i].scheduler == scheduler)
      result[static_cast<std::size_t>(journal_[i].use.cause)] += journal_[i].cycles;
  std::uint64_t& last_cause = result[static_cast<std::size_t>(uses_[scheduler].cause)];
  last_cause += unsettled(scheduler) + uncharged(until);
  last_cause -= charged_beyond(until);
  return result;
}

slot_profile slot_accounting::profile_until(core_cycle until) const {
  slot_profile result = profile_;
  for (unsigned i = 0; i < journaled_; ++i) result.charge(journal_[i].use, journal_[i].cycles);
  for (unsigned i = 0; i < schedulers_; ++i) {
    const std::uint64_t cycles = unsettled(i) + uncharged(until);
    if (cycles != 0) result.charge(uses_[i], cycles);
  }
  return result;
}

}  // namespace gt200::model
