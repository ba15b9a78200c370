#include "toolchain/emulator/fermi/reductions.h"

#include <algorithm>

namespace gt200::emulator::fermi {

void reductions::start() {
  totals_ = {};
  std::fill(arrivals_.begin(), arrivals_.end(), arrival{});
}

void reductions::arrive(unsigned warp, const isa::instruction& i, isa::lane_mask lanes, isa::lane_mask holds) {
  if (i.barrier.waits) arrivals_[warp] = {{&i, lanes, {}}, true, false};
  arch_state::barrier_totals& t = totals_[i.barrier.id];
  t.threads += static_cast<std::uint32_t>(__builtin_popcount(lanes));
  t.holds += static_cast<std::uint32_t>(__builtin_popcount(holds & lanes));
}

void reductions::open(unsigned barrier) {
  for (arrival& a : arrivals_) {
    if (!a.waits || a.result.instruction->barrier.id != barrier) continue;
    a.waits = false;
    a.opened = a.result.instruction->result_count != 0;
    a.result.totals = totals_[barrier];
  }
  totals_[barrier] = {};
}

reductions::outcome reductions::take(unsigned warp) {
  arrivals_[warp].opened = false;
  return arrivals_[warp].result;
}

}  // namespace gt200::emulator::fermi
