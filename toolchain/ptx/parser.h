// Parses PTX text into a module_source. Accepts versions 1.0 to 8.5, as far as their grammar serves sm_1x and
// sm_20.
#pragma once

#include <string_view>

#include "toolchain/ptx/ast.h"

namespace gt200::ptx {

// Throws input_error with file, line, column, what was expected, and the offending line.
module_source parse(std::string_view content, const source_file& file);

}  // namespace gt200::ptx
