// Reads the text cubins of CUDA 1.x to 2.x.
//
// Understood: architecture, abiversion, modname, consts, sampler, reloc, and per kernel code {name lmem smem reg
// bar bincode const params_SMEM}. Other blocks and keys are skipped: later compilers added some.
//
// A text cubin has no parameter list. When `params_SMEM` holds pairs of words (offset, size) as our writer emits
// them, kernel.parameters is filled; any other content of that block is skipped.
// `reloc` names a variable in global memory, its size, and the c14 word that receives its address; words in an
// optional `mem` block are its initial value.
#pragma once

#include <string>
#include <string_view>

#include "toolchain/cubin/module.h"

namespace gt200::cubin {

// `file` is for messages and module.source_file. Throws input_error with file, line and reason.
module read_text_cubin(std::string_view text, const std::string& file);

}  // namespace gt200::cubin
