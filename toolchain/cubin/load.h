// Reads a compiled program in any container.
#pragma once

#include <string>
#include <string_view>

#include "toolchain/cubin/module.h"

namespace gt200::cubin {

enum class container { text_cubin, elf_cubin, unknown };

// Looks at the first bytes only.
container recognise(std::string_view content);

// The whole file as bytes. Throws input_error when it cannot be read.
std::string read_file(const std::string& path);

// Chooses the reader by content. `file` is for messages. Throws input_error for an unknown container and malformed
// content.
module read_module(std::string_view content, const std::string& file);

}  // namespace gt200::cubin
