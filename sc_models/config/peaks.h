// Peak rates of a configured chip, to compare with achieved rates.
#pragma once

#include <cstdint>

#include "sc_models/config/chip_config.h"

namespace gt200::config {

// Bytes per second over the pins of all DRAM devices: a burst per partition and column command interval. GTX 280:
// 141.7e9 (product reviews).
inline double peak_dram_bytes_per_second(const gpu_config& config) {
  const dram_config& dram = config.partition.dram;
  return config.chip.partitions * config.clocks.memory_mhz * 1e6 * dram.burst_bytes / dram.timing.t_ccd;
}

// Lanes of a kind that an SM has, and how often one of them takes an operation.
struct lanes_of_sm {
  double lanes = 0;
  double operations_per_second = 0;  // of a lane
};
inline lanes_of_sm lanes_of_units(const gpu_config& config, std::uint32_t groups,
                                  const execution_unit_config& unit) {
  return {static_cast<double>(groups) * unit.lanes,
          config.clocks.shader_mhz * 1e6 / static_cast<double>(unit.cycles_per_group.count())};
}
// Volta's lanes belong to the processing blocks and run at the core clock.
inline lanes_of_sm lanes_of_blocks(const gpu_config& config, std::uint32_t lanes_of_block) {
  return {static_cast<double>(config.tpc.sm.processing_block.blocks) * lanes_of_block,
          config.clocks.shader_mhz * 1e6 / tesla_clocks.shader_per_core()};
}

// Floating-point operations per second of all SMs if every instruction is a multiply-addition, which counts as two.
inline double peak_flops(const gpu_config& config, const lanes_of_sm& sm) {
  return 2 * config.chip.sms() * sm.lanes * sm.operations_per_second;
}

// GTX 280: 622.1e9 single and 77.8e9 double precision. The advertised 933e9 adds a multiplication on the SFUs to
// each multiply-addition. Half pairs of Volta are not counted: a lane does twice as many operations on them.
inline double peak_single_flops(const gpu_config& config) {
  return peak_flops(config, config.chip.is_volta()
                                ? lanes_of_blocks(config, config.tpc.sm.processing_block.fp32_lanes)
                                : lanes_of_units(config, config.chip.sp_groups(), config.tpc.sm.sp));
}
// 0 before compute capability 1.3: no instruction there has doubles.
inline double peak_double_flops(const gpu_config& config) {
  if (config.chip.compute_capability < compute_capability::cc_1_3) return 0;
  return peak_flops(config, config.chip.is_volta()
                                ? lanes_of_blocks(config, config.tpc.sm.processing_block.fp64_lanes)
                                : lanes_of_units(config, 1, config.tpc.sm.dp));
}

}  // namespace gt200::config
