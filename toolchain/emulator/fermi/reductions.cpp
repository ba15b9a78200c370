#include "toolchain/emulator/fermi/reductions.h"

namespace gt200::emulator::fermi {

void reductions::start() {
  totals_ = {};
  for (std::vector<arrival>& a : arrivals_) a.clear();
}

void reductions::arrive(unsigned warp, const isa::instruction& i, isa::lane_mask lanes, isa::lane_mask holds) {
  if (i.barrier.waits) arrivals_[warp].push_back({{&i, lanes, {}}, false});
  arch_state::barrier_totals& t = totals_[i.barrier.id];
  t.threads += static_cast<std::uint32_t>(__builtin_popcount(lanes));
  t.holds += static_cast<std::uint32_t>(__builtin_popcount(holds & lanes));
}

void reductions::open(unsigned barrier) {
  for (std::vector<arrival>& of_warp : arrivals_) {
    if (of_warp.empty()) continue;
    arrival& a = of_warp.back();
    if (a.opened || a.result.instruction->barrier.id != barrier) continue;
    a.opened = true;
    a.result.totals = totals_[barrier];
    if (a.result.instruction->result_count == 0) of_warp.pop_back();
  }
  totals_[barrier] = {};
}

reductions::outcome reductions::take(unsigned warp) {
  const outcome first = arrivals_[warp].front().result;
  arrivals_[warp].erase(arrivals_[warp].begin());
  return first;
}

}  // namespace gt200::emulator::fermi
