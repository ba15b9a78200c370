// When and where values pass lane by lane (tpc.sm.units). Both levels of detail give the same cycles and values.
//
// `warp`: a warp instruction passes as one transaction. `lane`: each lane is a transaction of its own, in the
// shader cycle in which its unit takes it. The detail of an instruction is fixed when a unit starts it.
#pragma once

#include "sc_models/config/sm_config.h"
#include "tlm_bus/clock_domain.h"

namespace gt200::model {

// The cycles, on one clock of an SM, in which values pass lane by lane; none by default.
class detail_window {
 public:
  detail_window() = default;
  // The window of `units`, as cycles of `domain`. `cycles_per_core_cycle`: of this clock. Never open unless the
  // configuration selects the detail for this SM (its number in the chip).
  detail_window(const config::units_config& units, unsigned sm_in_chip, const tlm_bus::clock_domain& domain,
                std::uint64_t cycles_per_core_cycle)
      : domain_(units.lane_by_lane(sm_in_chip) ? &domain : nullptr),
        first_(units.first_cycle * cycles_per_core_cycle),
        last_(units.last_cycle * cycles_per_core_cycle + (cycles_per_core_cycle - 1)) {}

  // Always open.
  static detail_window always(const tlm_bus::clock_domain& domain) {
    detail_window window;
    window.domain_ = &domain;
    window.last_ = tlm_bus::no_cycle;
    return window;
  }

  // Whether it opens at all: what values pass through then is only there if it does.
  bool ever_opens() const { return domain_ != nullptr; }
  // In the current cycle.
  bool is_open() const {
    if (domain_ == nullptr) return false;
    const tlm_bus::cycle_t now = domain_->cycle();
    return now >= first_ && now <= last_;
  }

 private:
  const tlm_bus::clock_domain* domain_ = nullptr;
  tlm_bus::cycle_t first_ = 0;
  tlm_bus::cycle_t last_ = 0;
};

}  // namespace gt200::model
