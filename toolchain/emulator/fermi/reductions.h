// The results of barriers that combine a predicate of all threads: how many threads hold it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "toolchain/arch_state/generation.h"

namespace gt200::emulator::fermi {

class reductions {
 public:
  explicit reductions(unsigned warps) : arrivals_(warps) {}
  void start();

  // The warp arrives with these lanes; `holds`: those whose predicate is true.
  void arrive(unsigned warp, const isa::instruction& i, isa::lane_mask lanes, isa::lane_mask holds);
  // All warps have reached the barrier: those that wait there get its totals, and it counts from zero again.
  void open(unsigned barrier);

  // The results of the barriers that the warp has passed, in order; each is taken once. A warp may reach its next
  // barrier before it has taken the result of the last one.
  struct outcome {
    const isa::instruction* instruction = nullptr;
    isa::lane_mask lanes = 0;
    arch_state::barrier_totals totals;
  };
  bool has_result(unsigned warp) const { return !arrivals_[warp].empty() && arrivals_[warp].front().opened; }
  outcome take(unsigned warp);

 private:
  struct arrival {
    outcome result;
    bool opened = false;  // else the warp waits
  };
  std::array<arch_state::barrier_totals, 16> totals_{};
  std::vector<std::vector<arrival>> arrivals_;  // per warp; the last one may wait
};

}  // namespace gt200::emulator::fermi
