// Flips bits of a running chip at given core cycles, and reads them back.
//
// It stops the chip between two clock edges (tlm_bus::interval_observer): everything before the cycle has been
// executed and nothing at or after it, whatever the number of threads and the order of modules. Sites of one cycle
// flip in the order in which they are given. Without an injector a run is not slower.
//
// It needs due clocking; with the reference clocking the constructor throws input_error.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "driver/device.h"
#include "inject/fault_space.h"
#include "inject/site.h"
#include "tlm_bus/clocking.h"

namespace gt200::inject {

struct injection {
  site at;  // with the full name of the module
  std::string structure;
  bool done = false;  // the rest is valid
  std::string place;  // what the bit belonged to
  bool occupied = false;
  bool before = false, after = false;  // as read back
};

class fault_injector final : private tlm_bus::interval_observer {
 public:
  // Throws input_error for a site that the chip does not have. The device must outlive it.
  fault_injector(device& target, const std::vector<site>& sites);
  ~fault_injector() override;
  fault_injector(const fault_injector&) = delete;
  fault_injector& operator=(const fault_injector&) = delete;

  // Called before a bit flips. It may read everything and must change nothing.
  void call_before(std::function<void(const injection&)> act) { before_ = std::move(act); }

  // In the order in which they are done.
  const std::vector<injection>& injections() const { return injections_; }

 private:
  tlm_bus::femtoseconds interval_end() const override;
  void interval_ends() override;
  void inject(injection& i);
  // Brings the clock of the module to the last edge before `cycle`.
  void bring_clock_to(const std::string& module, std::uint64_t cycle);

  model::chip& chip_;
  fault_space space_;
  std::vector<injection> injections_;
  std::size_t next_ = 0;
  std::function<void(const injection&)> before_;
};

// "not done" or "$place: 0 -> 1".
std::string describe(const injection& i);

}  // namespace gt200::inject
