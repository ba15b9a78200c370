// Names of programs by their content: this one, and those of the simulated chip.
#pragma once

#include <string>

#include "toolchain/cubin/module.h"

namespace gt200::apps::study {

// SHA-256 over the executable of this process and every shared object that it has loaded. Throws input_error when
// one of them cannot be read.
const std::string& hash_of_this_program();

// SHA-256 over everything in a loaded program that a run can depend on: code, constants, line tables, but not the
// names of files.
std::string hash_of(const cubin::module& module);

}  // namespace gt200::apps::study
