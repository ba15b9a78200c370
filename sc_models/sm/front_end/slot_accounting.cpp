#include "sc_models/sm/front_end/slot_accounting.h"

namespace gt200::model {

void slot_accounting::charge(tlm_bus::cycle_t cycles) {
  for (scheduler_slots& s : schedulers_) {
    s.slots[static_cast<std::size_t>(s.use.cause)] += cycles;
    profile_.charge(s.use, cycles);
  }
  resident_warp_cycles_ += cycles * resident_;
  miss_starved_warp_cycles_ += cycles * starved_;
  charged_until_ += cycles;
}

slot_counts slot_accounting::slots_until(unsigned scheduler, tlm_bus::cycle_t until) const {
  const scheduler_slots& s = schedulers_[scheduler];
  slot_counts result = s.slots;
  result[static_cast<std::size_t>(s.use.cause)] += uncharged(until);
  return result;
}

slot_profile slot_accounting::profile_until(tlm_bus::cycle_t until) const {
  slot_profile result = profile_;
  if (uncharged(until) != 0)
    for (const scheduler_slots& s : schedulers_) result.charge(s.use, uncharged(until));
  result.settle();
  return result;
}

}  // namespace gt200::model
