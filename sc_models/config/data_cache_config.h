// Parameters of a cache of data: tpc.memory.l1, partition.l2
#pragma once

#include <cstdint>

#include "sc_models/config/cache_config.h"
#include "sc_models/config/parameter.h"

namespace gt200::config {

struct data_cache_config : cache_config {
  bool enabled{};
  std::uint32_t miss_queue_entries{};

  void describe(visitor& v, source geometry, source latency, source outstanding) {
    v.flag("enabled", enabled, "the cache exists; without it accesses go to the next level",
           documented("CUDA C Programming Guide 4.2, appendix F: from compute capability 2.0 on"));
    cache_config::describe(v, unit::uncore_cycles, geometry, latency, {128, 256}, outstanding);
    v.number(
        "miss_queue_entries", miss_queue_entries, unit::none, between(1, 1024),
        "fills, write-backs and passing transactions that wait for the way to memory; a fill and its write-back "
        "enter together",
        documented("GPGPU-Sim, configuration SM2_GTX480: 8"));
  }
};

}  // namespace gt200::config
