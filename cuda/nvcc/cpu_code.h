// Device code for the host's processor: edits the LLVM code that clang makes of it.
//
// clang compiles device code for the processor as it does for the chip, with toolchain/cuda/gt200_cpu.h. Some
// things it cannot know: how to call a kernel with parameters that lie in memory, that all dynamic shared memory is
// one, that the chip's quotients are no exact ones, that the host names variables of the device that are static,
// and that threads of a warp run in step, on which programs rely in volatile accesses.
#pragma once

#include <string>

#include "toolchain/cubin/module.h"

namespace gt200::cuda {

// `code`: text of LLVM, of the source `file`. `module`: what the same source is on the chip. The result has a
// function gt200_cpu_call.NAME for every kernel of the module; it takes the address of the parameters.
// `exact_quotients`: quotients of floats stay as they are. Throws input_error if the source has assembly of the
// chip.
std::string with_entries(const std::string& code, const std::string& file, const cubin::module& module,
                         bool exact_quotients);

}  // namespace gt200::cuda
