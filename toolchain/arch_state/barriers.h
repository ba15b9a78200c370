// The barriers of one block that is executed without timing.
//
// A barrier counts warps (envytools isa.rst): each arriving warp adds one. Once all live warps of the block have
// arrived, the count returns to zero and the waiting warps go on.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "toolchain/isa/common/instruction.h"

namespace gt200::arch_state {

class barriers {
 public:
  static constexpr unsigned count = 16;

  explicit barriers(unsigned warps) : waits_(warps, nowhere) {}

  void start(unsigned warps) {
    arrived_.fill(0);
    opened_.fill(0);
    waits_.assign(waits_.size(), nowhere);
    live_ = warps;
  }
  // Counts how often each barrier has opened, for owners that attach something to it.
  unsigned opened(unsigned id) const { return opened_[id]; }
  unsigned opened_in_all() const { return std::accumulate(opened_.begin(), opened_.end(), 0u); }

  bool waits(unsigned warp) const { return waits_[warp] != nowhere; }
  unsigned waits_at(unsigned warp) const { return waits_[warp]; }

  void execute(unsigned warp, const isa::barrier_action& action) {
    const unsigned id = action.id;
    if (action.arrives && ++arrived_[id] >= live_) return open(id);
    if (action.waits && arrived_[id] != 0) waits_[warp] = static_cast<std::uint8_t>(id);
  }
  // The same for several at once; where warps are formed anew, these are threads.
  void execute_together(const std::vector<unsigned>& threads, const isa::barrier_action& action) {
    const unsigned id = action.id;
    if (action.arrives && (arrived_[id] += static_cast<unsigned>(threads.size())) >= live_) return open(id);
    if (!action.waits || arrived_[id] == 0) return;
    for (const unsigned thread : threads) waits_[thread] = static_cast<std::uint8_t>(id);
  }
  // A warp that has ended no longer has to arrive.
  void warp_ended() {
    --live_;
    for (unsigned id = 0; id < count; ++id)
      if (arrived_[id] != 0 && arrived_[id] >= live_) open(id);
  }

 private:
  static constexpr std::uint8_t nowhere = 0xff;

  void open(unsigned id) {
    arrived_[id] = 0;
    ++opened_[id];
    for (std::uint8_t& at : waits_)
      if (at == id) at = nowhere;
  }

  std::array<unsigned, count> arrived_{};
  std::array<unsigned, count> opened_{};
  std::vector<std::uint8_t> waits_;  // per warp: barrier number
  unsigned live_ = 0;
};

}  // namespace gt200::arch_state
