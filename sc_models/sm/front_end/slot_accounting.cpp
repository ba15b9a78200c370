#include "sc_models/sm/front_end/slot_accounting.h"

namespace gt200::model {

// Brings the tables up to date.
void slot_accounting::settle() {
  constexpr unsigned ahead = 8;
  unsigned scheduler = 0;
  for (unsigned i = 0; i < logged_; ++i) {
    if (i + ahead < logged_) profile_.prefetch(log_[i + ahead].use);
    const charge_entry& charged = log_[i];
    slots_[scheduler][static_cast<std::size_t>(charged.use.cause)] += charged.cycles;
    if (++scheduler == schedulers_) scheduler = 0;
    profile_.charge(charged.use, charged.cycles);
  }
  logged_ = 0;
}

slot_counts slot_accounting::slots_until(unsigned scheduler, core_cycle until) const {
  slot_counts result = slots_[scheduler];
  for (unsigned i = scheduler; i < logged_; i += schedulers_)
    result[static_cast<std::size_t>(log_[i].use.cause)] += log_[i].cycles;
  std::uint64_t& last_cause = result[static_cast<std::size_t>(uses_[scheduler].cause)];
  last_cause += uncharged(until);
  last_cause -= charged_beyond(until);
  return result;
}

slot_profile slot_accounting::profile_until(core_cycle until) const {
  slot_profile result = profile_;
  for (unsigned i = 0; i < logged_; ++i) result.charge(log_[i].use, log_[i].cycles);
  if (uncharged(until) != 0)
    for (unsigned i = 0; i < schedulers_; ++i) result.charge(uses_[i], uncharged(until));
  return result;
}

}  // namespace gt200::model
