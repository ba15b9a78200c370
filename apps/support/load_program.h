// Any program a user may name: what program::load reads, and PTX and CUDA C (.cu), which are compiled.
#pragma once

#include <string>

#include "toolchain/cubin/module.h"

namespace gt200::apps {

// Throws input_error.
cubin::module load_program(const std::string& path);

}  // namespace gt200::apps
