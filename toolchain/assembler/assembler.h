// The file-level assembler: directives, labels and symbols around the instruction syntax of toolchain/isa.
// The language is described in docs/assembler.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "toolchain/assembler/source_line.h"
#include "toolchain/cubin/module.h"

namespace gt200::assembler {

// `file` is for messages and module.source_file. Throws input_error with file, line and reason.
cubin::module assemble(std::string_view text, const std::string& file);

// The same for lines that split_source() has already split.
cubin::module assemble_lines(const std::vector<source_text>& lines, const std::string& file);

cubin::module assemble_file(const std::string& path);

}  // namespace gt200::assembler
