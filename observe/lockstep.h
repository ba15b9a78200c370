// Ends the run when RTL and model of an SM differ (sc_models/sm/cosimulation/lockstep_comparison.h).
#pragma once

#include <cstdint>
#include <optional>

#include "driver/device.h"
#include "sc_models/sm/cosimulation/lockstep_comparison.h"

namespace gt200::observe {

class lockstep {
 public:
  // Before the first launch; both must outlive the simulation.
  explicit lockstep(device& target);

  // The earliest difference of all SMs, of those of one cycle that of the lowest SM.
  std::optional<model::lockstep_difference> difference() const;
  std::uint64_t compared() const;  // answers
  unsigned sms() const;            // SMs in which answers were compared

 private:
  const device& device_;
};

}  // namespace gt200::observe
