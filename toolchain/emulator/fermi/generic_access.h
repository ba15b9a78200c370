// Accesses to generic addresses: each lane reaches shared, local or global memory, as its address lies in the
// window of one of them or in none.
#pragma once

#include "toolchain/arch_state/generation.h"
#include "toolchain/arch_state/memory.h"
#include "toolchain/arch_state/memory_access.h"
#include "toolchain/arch_state/step_record.h"

namespace gt200::emulator::fermi {

struct memories {
  arch_state::memory* global = nullptr;
  arch_state::flat_storage shared;
  arch_state::flat_storage local;
  bool atomics_on_chip = false;  // shared memory has atomics, as from Maxwell on
};

// Performs the access of the record for `lanes`. All lanes are checked before the first one acts, memory by memory.
arch_state::access_fault perform_access(arch_state::step_record& r, const memories& m,
                                        const arch_state::generation_values& values, isa::lane_mask lanes);

}  // namespace gt200::emulator::fermi
