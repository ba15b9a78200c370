// Any program a user may name on the command line, as a module.
#pragma once

#include <string>

#include "toolchain/cubin/module.h"

namespace gt200::program {

// A path ending in .s is assembled; everything else is loaded as a cubin, recognised by content.
// Throws input_error.
cubin::module load(const std::string& path);

}  // namespace gt200::program
