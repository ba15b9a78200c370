// Reads the ELF cubins of CUDA 3.0 and later for sm_10 to sm_13, sm_20, sm_21 and sm_70, and those of our own
// writer. Of sm_30 to sm_62 it reads the code alone.
//
// Understood: .text.<kernel>, .nv.shared.<kernel>, .nv.local.<kernel>, .nv.constant<n>[.<kernel>] with
// .rel.nv.constant<n>, .nv.global, .nv.global.init, parameters and textures of .nv.info[.<kernel>], names of the
// symbol table. Other sections are skipped. Relocations that would change initial data are refused; a kernel whose
// code they would change can be listed, not run.
#pragma once

#include <string>
#include <string_view>

#include "toolchain/cubin/limits.h"
#include "toolchain/cubin/module.h"

namespace gt200::cubin {

// `file` is for messages and module.source_file. Throws input_error with file, offset and reason.
// Programs of another generation are refused.
module read_elf_cubin(std::string_view bytes, const std::string& file, const architecture& generation = tesla);

// The generation whose programs the ELF header names; Tesla if it names none.
const architecture& architecture_of(std::string_view bytes);

}  // namespace gt200::cubin
