// A run in equal time intervals: issue slots of all SMs by cause, occupancy and DRAM traffic.
//
// Attached from outside. The intervals double in length whenever there would be too many, so a run of any length
// has between half of `max_intervals` and `max_intervals` of them. The cost is not measurable. The result does not
// depend on the kind of clocking.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "driver/device.h"
#include "observe/statistics_counters.h"
#include "sc_models/sm/sm_probe.h"
#include "tlm_bus/clocking.h"

namespace gt200::observe {

class over_time final : private tlm_bus::interval_observer {
 public:
  static constexpr std::size_t max_intervals = 256;
  static constexpr tlm_bus::cycle_t first_interval = 64;  // core cycles

  // The chip must outlive it, and no modules may be added afterwards. Until its end the chip refuses a reset.
  explicit over_time(const model::chip& chip);
  ~over_time() override;
  over_time(const over_time&) = delete;
  over_time& operator=(const over_time&) = delete;

  // The whole run up to the current instant; the last interval may be shorter. For each interval: the "core_cycles"
  // at its end, "slots" by cause, "resident_warp_cycles", "dram_read_bytes" and "dram_written_bytes".
  nlohmann::ordered_json to_json();

 private:
  // Sums since the beginning of the simulation.
  struct sums {
    tlm_bus::cycle_t until = 0;  // core cycles
    model::slot_counts slots{};
    std::uint64_t resident_warp_cycles = 0;
    std::uint64_t read_bytes = 0;
    std::uint64_t written_bytes = 0;
  };

  tlm_bus::femtoseconds interval_end() const override { return next_; }
  void interval_ends() override;
  sums sums_until(tlm_bus::cycle_t until) const;

  model::chip& chip_;
  tlm_bus::clocking& clocks_;
  tlm_bus::femtoseconds core_;  // period
  std::vector<const model::sm_probe*> sms_;
  std::vector<const tlm_bus::counter::attribute*> reads_;
  std::vector<const tlm_bus::counter::attribute*> writes_;
  tlm_bus::cycle_t interval_ = first_interval;
  tlm_bus::femtoseconds next_;  // end of the current interval
  std::vector<sums> ends_;      // of completed intervals
};

}  // namespace gt200::observe
