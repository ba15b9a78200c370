// How long the misses of an SM's cache took, by the part of the chip that had the line. Histograms of the module
// under construction.
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

  // `caches_missed`: levels behind the cache that did not have the line (memory_extension.h).
  void add(unsigned caches_missed, std::uint64_t cycles) {
    switch (caches_missed) {
      case 0: l2.add(cycles); break;
      case 1: l3.add(cycles); break;
      default: dram.add(cycles);
    }
  }
};

}  // namespace gt200::model
