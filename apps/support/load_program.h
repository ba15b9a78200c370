// Loads any program a user may name: what program::load reads, and PTX and CUDA C (.cu), which are compiled.
#pragma once

#include <string>

#include "toolchain/cubin/module.h"
#include "toolchain/ptx/compile.h"

namespace gt200::apps {

// `capability`: of the chip that PTX and CUDA C are compiled for, see ptx::compile_options. `types`, if
// given, gets the types of parameters that PTX and CUDA C declare; the program is then read anew. Throws
// input_error.
cubin::module load_program(const std::string& path, unsigned capability = ptx::compile_options{}.capability,
                           ptx::parameter_types* types = nullptr);

// From now on this process reads and compiles every program once: load_program() returns copies of what it read
// first, even if the file changes. For processes whose forks run the same programs many times.
void share_programs();
// The result of load_program() without a copy; reads it if need be. Requires share_programs().
const cubin::module& shared_program(const std::string& path, unsigned capability);

}  // namespace gt200::apps
