// Writes a module as a 32-bit ELF cubin, in the layout of CUDA 3.0 and later for compute capability 1.x.
//
// Reading it again gives the same module, but for source lines, which are lost, and initial bytes that are all
// zero, which become uninitialised ones. Same module, same bytes. Throws input_error: more kernels than an ELF file
// has sections.
#pragma once

#include <iosfwd>

#include "toolchain/cubin/module.h"

namespace gt200::cubin {

void write_elf_cubin(const module& source, std::ostream& out);

}  // namespace gt200::cubin
