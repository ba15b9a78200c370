// Latency of the misses of an SM's cache, by the level of the chip that had the line. The histograms belong to the
// module under construction.
#pragma once

#include <cstdint>

#include "sc_models/memory_transaction.h"
#include "tlm_bus/histogram.h"

namespace gt200::model {

struct fill_latencies {
  tlm_bus::histogram l2{"latency.l2", "core cycles",
                        "misses that the L2 had, from the miss until the line is there"};
  tlm_bus::histogram l3{"latency.l3", "core cycles",
                        "misses that the L3 had, from the miss until the line is there"};
  tlm_bus::histogram dram{"latency.dram", "core cycles",
                          "misses that went to the DRAM, from the miss until the line is there"};

  // `caches_missed`: number of levels behind the cache that did not have the line (memory_extension.h).
  void add(unsigned caches_missed, std::uint64_t cycles) {
    switch (caches_missed) {
      case 0: l2.add(cycles); break;
      case 1: l3.add(cycles); break;
      default: dram.add(cycles);
    }
  }
};

}  // namespace gt200::model
