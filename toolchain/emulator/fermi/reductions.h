// The results of barriers that combine a predicate of all threads: number of true ones, all, any.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "toolchain/isa/fermi/instruction.h"

namespace gt200::emulator::fermi {

class reductions {
 public:
  explicit reductions(unsigned warps) : arrivals_(warps) {}
  void start();

  // The warp arrives with these lanes; `yes`: those whose predicate is true.
  void arrive(unsigned warp, const isa::fermi::instruction& i, isa::lane_mask lanes, isa::lane_mask yes);
  // True if the warp has arrived and has not got its result yet.
  bool awaits(unsigned warp) const { return arrivals_[warp].instruction != nullptr; }

  unsigned barrier_of(unsigned warp) const { return arrivals_[warp].instruction->barrier.id; }

  struct outcome {
    const isa::fermi::instruction* instruction = nullptr;
    isa::lane_mask lanes = 0;
    std::uint32_t count = 0;
    bool truth = false;
  };
  // The result for a warp that awaits one. All warps of a barrier take it before the barrier is used again.
  outcome take(unsigned warp);
  void reset(unsigned barrier) { totals_[barrier] = {}; }

 private:
  struct arrival {
    const isa::fermi::instruction* instruction = nullptr;
    isa::lane_mask lanes = 0;
  };
  struct total {
    std::uint32_t threads = 0;
    std::uint32_t yes = 0;
  };
  std::array<total, 16> totals_{};
  std::vector<arrival> arrivals_;
};

}  // namespace gt200::emulator::fermi
