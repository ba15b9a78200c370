// Functions in PTX for what sm_20 has no instruction for: division, IEEE reciprocal and square root, and 64-bit
// integers.
#pragma once

#include "toolchain/ptx/ast.h"

namespace gt200::ptx::fermi {

module_source library();

}  // namespace gt200::ptx::fermi
