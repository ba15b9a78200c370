// The interface of a DRAM model as a partition uses it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "sc_models/config/dram_config.h"
#include "tlm_bus/memory_port.h"

namespace gt200::model {

class dram_model {
 public:
  virtual ~dram_model() = default;
  // Addresses are those within the partition.
  virtual tlm_bus::memory_target<tlm_bus::base_protocol>& requests() = 0;
  // Bytes read and written so far.
  virtual std::uint64_t bytes_moved() const = 0;
};

// `name`: from policies.def. The model's modules become children of the module under construction.
std::unique_ptr<dram_model> make_dram_model(std::string_view name, tlm_bus::clock_domain& memory,
                                            const config::dram_config& config);

}  // namespace gt200::model
