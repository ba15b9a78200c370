// Functions in PTX for what Tesla has no instruction for: bit fields, 64-bit division, IEEE division and square
// root, the fused multiply-add.
#pragma once

#include "toolchain/ptx/ast.h"

namespace gt200::ptx::tesla {

module_source library();

}  // namespace gt200::ptx::tesla
