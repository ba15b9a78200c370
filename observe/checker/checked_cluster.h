// State that the checker keeps for the SMs of one cluster (tlm_bus/clocking.h). While the cluster runs by itself,
// only the thread that runs it changes this; at the end of the window the checker puts the clusters together.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "observe/checker/checker.h"
#include "observe/checker/in_flight.h"
#include "tlm_bus/edge_driver.h"
#include "tlm_bus/pool.h"

namespace gt200::observe {

// A difference, and the time of the event that shows it.
struct timed_difference {
  tlm_bus::femtoseconds at = 0;
  mismatch found;
};

struct checked_cluster {
  explicit checked_cluster(const tlm_bus::edge_driver& d) : driver(&d) {}

  struct begun_block {
    tlm_bus::femtoseconds at = 0;
    std::uint32_t block_id = 0;
    unsigned sm = 0;  // number in the chip
  };

  const tlm_bus::edge_driver* driver;  // whose time is that of the events
  check_counts counts;
  tlm_bus::pool<in_flight> pool;
  // The lanes of one block, while an instruction with threads of several blocks is executed.
  std::unique_ptr<arch_state::step_record> part = std::make_unique<arch_state::step_record>();

  std::vector<begun_block> begun;  // since the end of the last window

  // Differences of this launch. Nothing is compared after a difference or a fault.
  std::optional<timed_difference> difference;           // the first one
  tlm_bus::femtoseconds faulted_at = tlm_bus::no_time;  // the model has found a fault that the reference expects
  bool compares() const { return !difference && faulted_at == tlm_bus::no_time; }
  std::uint64_t blocks_ended = 0;
  bool fault_expected = false;  // the reference has found a fault
};

}  // namespace gt200::observe
