// How a run went over time: where the issue slots of all SMs went, occupancy and DRAM traffic, in equal intervals.
//
// Attached from outside. The intervals double whenever there would be too many, so that a run of any length gives
// between half of `most_intervals` and all of them, and looking costs nothing that could be measured. What is told
// does not depend on the way of clocking.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "driver/device.h"
#include "observe/statistics_counters.h"
#include "sc_models/sm/sm_probe.h"
#include "tlm_bus/clocking.h"

namespace gt200::observe {

class over_time final : private tlm_bus::instant_observer {
 public:
  static constexpr std::size_t most_intervals = 256;
  static constexpr tlm_bus::cycle_t first_interval = 64;  // core cycles

  // The device must outlive it, and gets no further modules.
  explicit over_time(const device& target);
  ~over_time() override;
  over_time(const over_time&) = delete;
  over_time& operator=(const over_time&) = delete;

  // Of the whole run, up to the present instant; the last interval is as long as it came to be. Per interval:
  // "core_cycles" it ended at, "slots" by cause, "resident_warp_cycles", "dram_read_bytes", "dram_written_bytes".
  nlohmann::ordered_json to_json() const;

 private:
  // Since the beginning of the simulation.
  struct sums {
    tlm_bus::cycle_t until = 0;  // core cycles
    model::slot_counts slots{};
    std::uint64_t resident_warp_cycles = 0;
    std::uint64_t read_bytes = 0;
    std::uint64_t written_bytes = 0;
  };

  void edge(const tlm_bus::clock_domain& domain, const std::uint64_t* due) override;
  void instant_ends(tlm_bus::femtoseconds) override {}
  sums sums_until(tlm_bus::cycle_t until) const;

  tlm_bus::clocking& clocks_;
  tlm_bus::femtoseconds core_;  // period
  std::vector<const model::sm_probe*> sms_;
  std::vector<const tlm_bus::counter::attribute*> reads_;
  std::vector<const tlm_bus::counter::attribute*> writes_;
  tlm_bus::cycle_t interval_ = first_interval;
  tlm_bus::femtoseconds next_;  // end of the interval under way
  std::vector<sums> ends_;      // of whole intervals
};

}  // namespace gt200::observe
