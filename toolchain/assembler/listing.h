// Machine code as text without a container: listings of cuobjdump -sass, and plain hexadecimal words.
//
// SASS listing: lines "/*ADDRESS*/ ... /*ENCODING*/". The encoding stands behind the instruction as one 64-bit
// number (CUDA 5 and later: second word first) or before it (earlier: words in the order of the code); short
// instructions have 8 digits. "Function : NAME" starts a kernel, "code for sm_1x" gives the target. The text of the
// instructions is not read.
//
// Hex listing: words of up to 8 hexadecimal digits, with or without 0x, separated by blanks or commas, optionally
// with their address ("0010:") in front of a line. `//`, `#` and `;` start a comment.
//
// Neither has a header. Directives of the assembly language may stand in both, on lines of their own, and give what
// the code cannot tell (.literal, .const, .global, .param, .smem ...); those of a kernel stand before it or in it.
// What they leave open is deduced:
//   name       .entry, else the name of the file
//   target     the instruction with the highest demand, where neither .target nor "code for" gives it
//   registers  highest one written + 1
//   barriers   highest number used
//   shared     16 KB when any access is indexed (its size cannot be seen), else the highest access, but room for
//              the 256 bytes parameters can have
//   local      highest access; indexed accesses need .local
// Without .param the parameter list stays empty, as for text cubins.
#pragma once

#include <string>
#include <string_view>

#include "toolchain/cubin/module.h"

namespace gt200::assembler {

bool is_sass_listing(std::string_view text);
bool is_hex_listing(std::string_view text);

// `file` is for messages and module.source_file. Throw input_error with file, line and reason.
cubin::module read_sass_listing(std::string_view text, const std::string& file);
cubin::module read_hex_listing(std::string_view text, const std::string& file);

}  // namespace gt200::assembler
