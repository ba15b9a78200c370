// The compiler driver behind `gt200 nvcc`: CUDA C with host code becomes programs, in two passes of clang.
//
// The first pass makes PTX of the device code; ours compiles it, to report what cannot run, and packs it into a
// container. The second pass makes the object file of the host code with that container in it. With -cpu there is
// one more, which compiles the device code for the host's processor (cpu_code.h). All see our headers and those of
// the system; a CUDA toolkit that happens to be installed is never used.
#pragma once

#include "cuda/nvcc/options.h"

namespace gt200::cuda {

// Returns the exit code of the first program that failed, else 0. Messages of clang go to the error output. Throws
// input_error.
int run_nvcc(const nvcc_options& options);

}  // namespace gt200::cuda
