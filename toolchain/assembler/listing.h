// Machine code as text without a container: listings of cuobjdump -sass, and plain hexadecimal words.
//
// SASS listing: lines "/*ADDRESS*/ ... /*ENCODING*/". The encoding follows the instruction as one 64-bit number
// (CUDA 5 and later: second word first) or precedes it (earlier: words in the order of the code); short
// instructions have 8 digits. "Function : NAME" starts a kernel, "code for sm_1x" gives the target. The text of the
// instructions is ignored.
//
// Hex listing: words of up to 8 hexadecimal digits, with or without 0x, separated by blanks or commas. A line may
// start with its address ("0010:"). `//`, `#` and `;` start a comment.
//
// Neither has a header. Both may contain directives of the assembly language, on lines of their own, for what the
// code does not show (.literal, .const, .global, .param, .smem ...). The directives of a kernel come before it or
// inside it. The rest is deduced:
//   name       .entry, else the name of the file
//   target     the instruction with the highest demand, where neither .target nor "code for" gives it
//   registers  highest one written + 1
//   barriers   highest number used
//   shared     16 KB if any access is indexed (its extent is unknown), else the end of the highest access, but room
//              for the 256 bytes that parameters can take
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
