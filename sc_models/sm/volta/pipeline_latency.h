// When a result of fixed time can be read in a processing block: the generation's table, and what the configuration
// adds to it.
#pragma once

#include "sc_models/config/sm_config.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::model {

inline arch_state::forwarding_table pipeline_latency(const config::sm_config& config,
                                                     const arch_state::generation& generation) {
  arch_state::forwarding_table table = generation.values().forwarding;
  const auto late = static_cast<std::uint8_t>(config.processing_block.late_result_cycles.count());
  for (auto* rows : {&table.registers, &table.predicates})
    for (auto& row : *rows)
      for (std::uint8_t& entry : row) entry = static_cast<std::uint8_t>(entry + late);
  table.longest = static_cast<std::uint8_t>(table.longest + late);
  return table;
}

}  // namespace gt200::model
