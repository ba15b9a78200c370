// Finds out whether the warps of a kernel share registers over time: docs/register_sharing.md.
#pragma once

#include "toolchain/cubin/module.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::launch {

// The registers that regacquire and regrelease of Tesla code name; count 0: the kernel has neither. Throws
// input_error if two of them differ, or if the registers are not the last ones of the kernel.
isa::section_request shared_section(const cubin::kernel& kernel);

}  // namespace gt200::launch
