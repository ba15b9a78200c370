// Functions in PTX for what sm_20 and sm_70 have no instruction for: division, IEEE reciprocal and square root, and
// 64-bit integers.
#pragma once

#include "toolchain/ptx/ast.h"

namespace gt200::ptx {

module_source native_library();

}  // namespace gt200::ptx
