// Functions in PTX for what a target has no instruction for. Lowering inlines them where they are needed.
#pragma once

#include <string>

#include "toolchain/ptx/ast.h"

namespace gt200::ptx {

inline constexpr const char* library_prefix = "__gt200_";
// Bit fields, counts and 64-bit arithmetic from simpler instructions on integers, for any target.
extern const char* const integer_functions;
module_source parsed_library(const std::string& functions);
bool is_library(const std::string& function);

}  // namespace gt200::ptx
