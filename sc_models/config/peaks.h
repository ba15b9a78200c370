// Peak rates of a configured chip, to compare with achieved rates.
#pragma once

#include "sc_models/config/chip_config.h"

namespace gt200::config {

inline constexpr double threads_per_warp = 32;

// Bytes per second over the pins of all GDDR3 devices: a burst per partition and column command interval. GTX 280:
// 141.7e9 (product reviews).
inline double peak_dram_bytes_per_second(const gpu_config& config) {
  const dram_config& dram = config.partition.dram;
  return config.chip.partitions * config.clocks.memory_mhz * 1e6 * dram.burst_bytes / dram.timing.t_ccd;
}

// Warp instructions of a unit per second, all SMs together.
inline double peak_warp_instructions_per_second(const gpu_config& config, const execution_unit_config& unit) {
  return config.chip.sms() * config.clocks.shader_mhz * 1e6 / static_cast<double>(unit.interval_cycles().count());
}

// Floating-point operations per second if all instructions are multiply-additions, which count as two. GTX 280:
// 622.1e9 single and 77.8e9 double precision. The advertised 933e9 adds a multiplication on the SFUs to each
// multiply-addition.
inline double peak_single_flops(const gpu_config& config) {
  return config.chip.sp_groups() * 2 * threads_per_warp *
         peak_warp_instructions_per_second(config, config.tpc.sm.sp);
}
inline double peak_double_flops(const gpu_config& config) {
  return 2 * threads_per_warp * peak_warp_instructions_per_second(config, config.tpc.sm.dp);
}

}  // namespace gt200::config
