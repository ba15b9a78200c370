// Draws sites uniformly over the bits in use and the cycles of a run, while the run goes on: in every cycle each
// site that is being drawn moves to that cycle with the probability that keeps all bits and cycles so far equally
// likely. In a run longer than `max_cycles` only every k-th cycle is looked at.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/device.h"
#include "inject/draw.h"
#include "inject/fault_space.h"
#include "inject/random_numbers.h"
#include "tlm_bus/clocking.h"

namespace gt200::inject {

class occupied_sites final : private tlm_bus::interval_observer {
 public:
  static constexpr std::uint64_t max_cycles = 16384;

  // The cycles are those of the same run, done before. The device must outlive it.
  occupied_sites(device& target, const std::vector<cycle_range>& cycles, std::uint64_t seed, std::size_t count);
  ~occupied_sites() override;
  occupied_sites(const occupied_sites&) = delete;
  occupied_sites& operator=(const occupied_sites&) = delete;

  struct drawn {
    std::string structure;
    std::vector<site> sites;  // none if nothing was ever in use
    double share_in_use = 0;  // of bits x cycles
  };
  // By structure, in the order of the chip.
  std::vector<drawn> result() const;

 private:
  struct state {
    const structure* of;
    random_numbers random;
    std::uint64_t seen = 0;  // bits x cycles in use
    std::vector<site> sites;
  };
  tlm_bus::femtoseconds interval_end() const override;
  void interval_ends() override;
  void look(state& s, std::uint64_t cycle);

  model::chip& chip_;
  fault_space space_;
  std::vector<cycle_range> cycles_;
  std::size_t count_;
  std::uint64_t step_;
  std::uint64_t next_ = 0;  // index of the next cycle to look at
  std::uint64_t looks_ = 0;
  std::vector<state> states_;
};

}  // namespace gt200::inject
