// The sizes of a chip that special registers return.
#pragma once

#include "sc_models/config/chip_config.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::model {

inline arch_state::machine_size machine_size_of(const config::gpu_config& config) {
  return {config.chip.sms_per_tpc, config.chip.sms(), config.tpc.sm.limits.warps};
}

}  // namespace gt200::model
