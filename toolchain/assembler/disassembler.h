// Writes a module as assembly source. Assembling the output gives the same module: same words, sizes and constants.
//
// Branch targets get labels. Words appear as `.word` if they match no instruction, if no instruction can lie there,
// if they branch out of the kernel, or if the assembler would encode them differently. Only a kernel that can run
// past its last instruction does not assemble again. A comment gives the address and words of each instruction.
// Names the container lacks (parameters, unnamed constants) are generated.
#pragma once

#include <iosfwd>

#include "toolchain/cubin/module.h"

namespace gt200::assembler {

void disassemble_module(const cubin::module& source, std::ostream& out);

}  // namespace gt200::assembler
