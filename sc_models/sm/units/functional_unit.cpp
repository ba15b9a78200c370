#include "sc_models/sm/units/functional_unit.h"

#include <algorithm>

namespace gt200::model {
namespace {

// Lane n of the result for bit n of `places`, counting the set bits of `lanes` from the lowest one on.
isa::lane_mask lanes_at_places(isa::lane_mask places, isa::lane_mask lanes) {
  isa::lane_mask result = 0;
  for (; lanes != 0; lanes &= lanes - 1, places >>= 1)
    if ((places & 1) != 0) result |= lanes & ~(lanes - 1);
  return result;
}

}  // namespace

functional_unit::functional_unit(const sc_core::sc_module_name& name, unsigned number, unsigned unit_count,
                                 unsigned lanes_per_unit)
    : sc_core::sc_module(name), group("group"), unit_count_(unit_count) {
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    if (lane / lanes_per_unit % unit_count == number) served_ |= isa::lane_mask{1} << lane;
}

isa::lane_mask functional_unit::lanes_at(shader_cycle cycle) const {
  const unit_activity* activity = group->activity_at(cycle);
  if (activity == nullptr) return 0;
  const unit_activity& a = *activity;
  const unsigned per_step = std::max(1u, a.lanes_per_step / unit_count_);
  const auto lanes = a.packed ? static_cast<unsigned>(__builtin_popcount(a.executed)) : isa::warp_size;
  const unsigned steps = std::max(1u, (lanes + a.lanes_per_step - 1) / a.lanes_per_step);
  const unsigned step = static_cast<unsigned>((cycle - a.started_at) * steps / a.occupied_for);
  isa::lane_mask result = 0;
  isa::lane_mask rest = a.packed ? lanes_at_places(served_, a.executed) : served_;
  for (unsigned i = 0; i < (step + 1) * per_step && rest != 0; ++i, rest &= rest - 1)
    if (i >= step * per_step) result |= rest & ~(rest - 1);
  return result & a.executed;
}

}  // namespace gt200::model
