// Writes a module as an ELF cubin, in the layout of CUDA 3.0 and later. For compute capability 1.x the file has 32
// bits; for 2.x it has as many as the pointers of the module.
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
