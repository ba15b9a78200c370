#include "sc_models/config/quiet_time.h"

#include "sc_models/config/schema.h"

namespace gt200::config {
namespace {

tlm_bus::femtoseconds period_of(const clocks_config& clocks, unit in) {
  switch (in) {
    case unit::shader_cycles: return clocks.shader_period();
    case unit::core_cycles: return clocks.core_period();
    case unit::uncore_cycles: return clocks.uncore_period();
    case unit::memory_cycles: return clocks.memory_period();
    case unit::nanoseconds: return 1'000'000;
    default: return 0;
  }
}

}  // namespace

tlm_bus::femtoseconds quiet_time(const gpu_config& config) {
  gpu_config copy = config;  // descriptions need members that can be written
  tlm_bus::femtoseconds sum = 0;
  for (const key_info& key : schema(copy).keys) {
    const auto* number = std::get_if<number_ref>(&key.value);
    if (number == nullptr || key.path == "simulation.watchdog_idle_cycles") continue;
    sum += std::visit([](const auto* value) -> std::uint64_t { return *value; }, number->value) *
           period_of(config.clocks, key.about.in);
  }
  return 2 * sum;
}

}  // namespace gt200::config
