#include "sc_models/partition/dram/dram.h"

namespace gt200::model {

dram::dram(const sc_core::sc_module_name& name, tlm_bus::clock_domain& memory, const config::dram_config& config)
    : sc_core::sc_module(name) {
  if (config.model == config::dram_model::fixed_latency) {
    fixed_latency_controller_ = std::make_unique<fixed_latency_controller>("controller", memory, config);
    return;
  }
  controller_ = std::make_unique<dram_controller>("controller", memory, config);
  devices_ = std::make_unique<dram_devices>("devices", config);
  controller_->devices.bind(devices_->pins);
}

tlm_bus::memory_target<tlm_bus::base_protocol>& dram::requests() {
  return controller_ != nullptr ? controller_->requests : fixed_latency_controller_->requests;
}

std::uint64_t dram::bytes_moved() const {
  return controller_ != nullptr
             ? controller_->read_bytes.value() + controller_->written_bytes.value()
             : fixed_latency_controller_->read_bytes.value() + fixed_latency_controller_->written_bytes.value();
}

}  // namespace gt200::model
