// The DRAM of a partition: controller and devices, or the model with a fixed latency (partition.dram.model).
#pragma once

#include <memory>
#include <systemc>

#include "sc_models/config/dram_config.h"
#include "sc_models/partition/dram/controller.h"
#include "sc_models/partition/dram/devices.h"
#include "sc_models/partition/dram/fixed_latency_controller.h"

namespace gt200::model {

class dram : public sc_core::sc_module {
 public:
  dram(const sc_core::sc_module_name& name, tlm_bus::clock_domain& memory, const config::dram_config& config);

  tlm_bus::memory_target<tlm_bus::base_protocol>& requests();

  // Read and written so far.
  std::uint64_t bytes_moved() const;

  const char* kind() const override { return "dram"; }

 private:
  std::unique_ptr<dram_controller> controller_;  // with `timing`
  std::unique_ptr<dram_devices> devices_;
  std::unique_ptr<fixed_latency_controller> fixed_latency_controller_;  // with `fixed_latency`
};

}  // namespace gt200::model
