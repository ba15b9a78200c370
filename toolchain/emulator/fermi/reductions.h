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

  // The result of the last barrier that the warp has passed; it is taken once.
  struct outcome {
    const isa::instruction* instruction = nullptr;
    isa::lane_mask lanes = 0;
    arch_state::barrier_totals totals;
  };
  bool has_result(unsigned warp) const { return arrivals_[warp].opened; }
  outcome take(unsigned warp);

 private:
  struct arrival {
    outcome result;
    bool waits = false;
    bool opened = false;
  };
  std::array<arch_state::barrier_totals, 16> totals_{};
  std::vector<arrival> arrivals_;
};

}  // namespace gt200::emulator::fermi
