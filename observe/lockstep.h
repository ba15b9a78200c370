// Ends the run, at the end of the window, when RTL and model differ, in an SM or in the coalescer for an access of
// it (sc_models/sm/cosimulation/lockstep_comparison.h).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "driver/device.h"
#include "sc_models/sm/cosimulation/lockstep_comparison.h"

namespace gt200::observe {

// True if RTL in lockstep is compared with the model somewhere in the chip.
bool has_lockstep(const model::chip& chip);

class lockstep {
 public:
  // Create it before the first launch. Chip and lockstep must outlive the simulation. A device is stopped at a
  // difference; with a chip alone `stop` says what to do then. Any thread that runs a part of the chip may call it.
  explicit lockstep(device& target);
  lockstep(model::chip& chip, const std::function<void()>& stop);

  // The earliest difference of all SMs. Ties go to the lowest-numbered SM.
  std::optional<model::lockstep_difference> difference() const;
  std::uint64_t compared() const;  // number of compared answers
  unsigned sms() const;            // number of SMs with compared answers
  // Compared answers by port, such as "scoreboard.release_3", added up over the SMs; empty if nothing is compared.
  std::map<std::string, std::uint64_t> ports() const;
  // "12,345 answers compared on 13 ports, of these never used: scoreboard.release_3"; empty without ports.
  std::string summary() const;

 private:
  const model::chip& chip_;
};

}  // namespace gt200::observe
