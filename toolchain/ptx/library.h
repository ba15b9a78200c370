// Functions in PTX for what the hardware has no instruction for: bit fields, 64-bit division, IEEE division and
// square root, the fused multiply-add. Lowering inlines them where they are needed.
#pragma once

#include <string>

#include "toolchain/ptx/ast.h"

namespace gt200::ptx {

inline constexpr const char* library_prefix = "__gt200_";
module_source library();
bool is_library(const std::string& function);

}  // namespace gt200::ptx
