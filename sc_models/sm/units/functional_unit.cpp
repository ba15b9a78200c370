#include "sc_models/sm/units/functional_unit.h"

#include <algorithm>

namespace gt200::model {

functional_unit::functional_unit(const sc_core::sc_module_name& name, unsigned number, unsigned unit_count,
                                 unsigned lanes_per_unit)
    : sc_core::sc_module(name), group("group"), unit_count_(unit_count) {
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    if (lane / lanes_per_unit % unit_count == number) served_ |= isa::lane_mask{1} << lane;
}

isa::lane_mask functional_unit::lanes_at(tlm_bus::cycle_t cycle) const {
  const unit_activity* activity = group->activity_at(cycle);
  if (activity == nullptr) return 0;
  const unit_activity& a = *activity;
  const unsigned per_step = std::max(1u, a.lanes_per_step / unit_count_);
  const auto lanes = static_cast<unsigned>(__builtin_popcount(served_));
  const unsigned steps = (lanes + per_step - 1) / per_step;
  const unsigned step = static_cast<unsigned>(cycle - a.started_at) * steps / a.cycles;
  isa::lane_mask result = 0;
  isa::lane_mask rest = served_;
  for (unsigned i = 0; i < (step + 1) * per_step && rest != 0; ++i, rest &= rest - 1)
    if (i >= step * per_step) result |= rest & ~(rest - 1);
  return result & a.executed;
}

}  // namespace gt200::model
