// Writes a module as a text cubin, in the layout of the CUDA 1.x compiler.
//
// The container has no place for source lines; they are lost. Parameters become (offset, size) word pairs in a
// `params_SMEM` block of the kernel, which older readers skip. Initial values of global variables go into a `mem`
// block of `reloc`.
#pragma once

#include <iosfwd>

#include "toolchain/cubin/module.h"

namespace gt200::cubin {

void write_text_cubin(const module& source, std::ostream& out);

}  // namespace gt200::cubin
