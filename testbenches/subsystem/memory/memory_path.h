// Crossbar and partitions: the memory side of the chip.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "sc_models/config/load.h"
#include "sc_models/interconnect/crossbar.h"
#include "sc_models/partition/partition.h"

namespace gt200::support {

inline config::gpu_config gt200_preset(const std::vector<std::string>& overrides = {}) {
  return config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200.toml", overrides).values;
}

// Crossbar and partitions; the test binds the sources.
struct memory_path {
  memory_path(const std::string& name, tlm_bus::clock_domain& uncore, tlm_bus::clock_domain& memory,
              const config::gpu_config& config, unsigned source_count)
      : map(config.chip.partitions, config.partition.interleave_bytes, config.partition.hash),
        crossbar((name + "_crossbar").c_str(), uncore, config.interconnect.crossbar, map, source_count) {
    for (unsigned i = 0; i < config.chip.partitions; ++i) {
      partitions.emplace_back((name + "_partition_" + std::to_string(i)).c_str(), uncore, memory, config.partition,
                              map, i);
      crossbar.partitions[i].bind(partitions[i].requests());
    }
  }
  std::size_t outstanding() const {
    std::size_t sum = 0;
    for (const auto& p : partitions) sum += p.outstanding();
    return sum;
  }

  model::address_map map;
  model::crossbar crossbar;
  std::deque<model::partition> partitions;
};

}  // namespace gt200::support
