#include "toolchain/emulator/fermi/reductions.h"

#include <algorithm>

namespace gt200::emulator::fermi {

void reductions::start() {
  totals_ = {};
  std::fill(arrivals_.begin(), arrivals_.end(), arrival{});
}

void reductions::arrive(unsigned warp, const isa::fermi::instruction& i, isa::lane_mask lanes, isa::lane_mask yes) {
  if (i.barrier.waits) arrivals_[warp] = {&i, lanes};
  total& t = totals_[i.barrier.id];
  t.threads += static_cast<std::uint32_t>(__builtin_popcount(lanes));
  t.yes += static_cast<std::uint32_t>(__builtin_popcount(yes & lanes));
}

reductions::outcome reductions::take(unsigned warp) {
  const arrival a = arrivals_[warp];
  arrivals_[warp] = {};
  const total& t = totals_[a.instruction->barrier.id];
  const bool all = a.instruction->barrier_operation == isa::fermi::barrier_mode::and_;
  return {a.instruction, a.lanes, t.yes, all ? t.yes == t.threads : t.yes != 0};
}

}  // namespace gt200::emulator::fermi
