// A run in equal time intervals: issue slots of all SMs by cause, occupancy, DRAM traffic, and series of single
// parts.
//
// Attached from outside. The intervals double in length whenever there would be too many, so a run of any length
// has between half of `max_intervals` and `max_intervals` of them. The cost is not measurable. The result does not
// depend on the kind of clocking.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
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
  // at its end, "slots" by cause, "resident_warp_cycles", "dram_read_bytes" and "dram_written_bytes". "series": by
  // path, what single parts of the chip did in each interval; a series without anything but zeros is left out:
  //   of every SM           issued (warp instructions), resident_warp_cycles, memory_port.queue.occupancy
  //   of every partition    data_cycles of its DRAM, and the occupancy of its queues
  //   of every DRAM bank    row_hits and row_misses
  //   of all caches of a kind, under the path without numbers (tpc.l2.hits): hits, misses and merged look-ups
  // An occupancy counts the time of an entry when an entry enters or leaves (tlm_bus/queue_counter.h).
  nlohmann::ordered_json to_json();

 private:
  // Sums since the beginning of the simulation.
  struct sums {
    tlm_bus::cycle_t until = 0;  // core cycles
    model::slot_counts slots{};
    std::uint64_t resident_warp_cycles = 0;
    std::uint64_t read_bytes = 0;
    std::uint64_t written_bytes = 0;
    std::vector<std::uint64_t> series;  // in the order of series_
  };
  // The sum of some counters. The first two of every SM have none: its probe has their figures.
  struct series {
    std::string path;
    std::vector<const tlm_bus::counter::attribute*> counters;
  };

  tlm_bus::femtoseconds interval_end() const override { return next_; }
  void interval_ends() override;
  sums sums_until(tlm_bus::cycle_t until) const;
  void add_series(const counter_entry& counter);

  model::chip& chip_;
  tlm_bus::clocking& clocks_;
  tlm_bus::femtoseconds core_;  // period
  std::vector<const model::sm_probe*> sms_;
  std::vector<const tlm_bus::counter::attribute*> reads_;
  std::vector<const tlm_bus::counter::attribute*> writes_;
  std::vector<series> series_;
  tlm_bus::cycle_t interval_ = first_interval;
  tlm_bus::femtoseconds next_;  // end of the current interval
  std::vector<sums> ends_;      // of completed intervals
};

}  // namespace gt200::observe
