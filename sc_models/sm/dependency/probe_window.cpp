#include "sc_models/sm/dependency/probe_window.h"

#include <algorithm>

namespace gt200::model {
namespace {

unsigned count_of(warp_mask warps) { return static_cast<unsigned>(__builtin_popcountll(warps)); }

// The warp `steps` places behind the first one from `first` on, round robin.
warp_slot warp_behind(warp_mask warps, warp_slot first, std::uint64_t steps) {
  const unsigned before = count_of(warps & ~warps_from(first));
  for (auto skip = static_cast<unsigned>((before + steps) % count_of(warps)); skip != 0; --skip) warps &= warps - 1;
  return lowest_warp(warps);
}

}  // namespace

unsigned probe_window::per_cycle() const { return std::min(limit_, count_of(occupied_)); }

std::uint64_t probe_window::probes_until(core_cycle until) const {
  return probes_ + (until > cycle_ ? (until - cycle_).count() * per_cycle() : 0);
}

warp_mask probe_window::at(core_cycle cycle, warp_mask occupied) {
  if (cycle != cycle_) {
    probes_ = probes_until(cycle);
    if (count_of(occupied_) > limit_)
      first_ = warp_after(warp_behind(occupied_, first_, (cycle - cycle_).count() * limit_ - 1));
    cycle_ = cycle;
  }
  occupied_ = occupied;
  if (count_of(occupied) <= limit_) return occupied;
  const warp_slot begin = warp_behind(occupied, first_, 0);
  // From `begin` on, then from 0 on.
  warp_mask window = 0;
  warp_mask late = occupied & warps_from(begin);
  warp_mask early = occupied & ~late;
  for (unsigned n = 0; n < limit_; ++n) {
    warp_mask& rest = late != 0 ? late : early;
    window |= rest & (~rest + 1);
    rest &= rest - 1;
  }
  return window;
}

}  // namespace gt200::model
