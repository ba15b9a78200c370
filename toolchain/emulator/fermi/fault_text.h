// Describes the instruction of a fault, for kernels from sm_20 on.
#pragma once

#include <cstdint>

#include "toolchain/arch_state/fault.h"
#include "toolchain/arch_state/generation.h"
#include "toolchain/cubin/module.h"

namespace gt200::emulator::fermi {

// Fills in the source line and the text of the instruction at fault.pc. The detail names block.z, which has no
// place of its own, and why the instruction is illegal or unsupported.
void explain_fault(const arch_state::generation& generation, const cubin::kernel& kernel, std::uint32_t block_z,
                   arch_state::fault& fault);

}  // namespace gt200::emulator::fermi
