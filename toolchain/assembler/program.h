// Loads any program a user may name on the command line, as a module.
#pragma once

#include <string>
#include <string_view>

#include "toolchain/cubin/module.h"

namespace gt200::program {

enum class format { text_cubin, elf_cubin, sass_listing, hex_listing, assembly, unknown };

// Looks at the content alone. Assembly is text with a directive that opens a kernel or may precede one.
format recognise(std::string_view content);

// "an ELF cubin" and the like, for messages.
const char* name_of(format f);

// `file` is for messages and module.source_file. Throws input_error: unknown format, malformed content.
cubin::module read(std::string_view content, const std::string& file);

// Also throws input_error for a file that cannot be read.
cubin::module load(const std::string& path);

}  // namespace gt200::program
