// Writes a module as a 32-bit ELF cubin, in the layout of CUDA 3.0 and later for compute capability 1.x.
//
// Reading the file gives the same module, except that source lines are lost and initial bytes that are all zero
// become uninitialised ones. The same module always gives the same bytes. Throws input_error for more kernels than
// an ELF file has sections.
#pragma once

#include <iosfwd>

#include "toolchain/cubin/module.h"

namespace gt200::cubin {

void write_elf_cubin(const module& source, std::ostream& out);

}  // namespace gt200::cubin
