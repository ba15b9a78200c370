// A module as assembly source. Assembling the output gives the same module: identical words, sizes, constants.
//
// Branch targets get labels. Words that no instruction matches, that lie where no instruction can, that branch out
// of the kernel, or that the assembler would encode otherwise, appear as `.word`. The one thing that does not
// assemble again is a kernel that can run past its last instruction. Address and words of every instruction stand
// in a comment. Names the container does not have (parameters, unnamed constants) are made up.
#pragma once

#include <iosfwd>

#include "toolchain/cubin/module.h"

namespace gt200::assembler {

void disassemble_module(const cubin::module& source, std::ostream& out);

}  // namespace gt200::assembler
