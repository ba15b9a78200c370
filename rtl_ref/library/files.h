// The files that RTL is made of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gt200::rtl {

// The folder that holds rtl_ref/ and the headers its shims include: $GT200_RTL_DIR when set, else `rtl` beside the
// executable or in ../share/gt200, else the source tree a program in its build folder was built from. Throws
// input_error if there is none.
std::string source_folder();

// Throws input_error if the file cannot be read.
std::string content_of(const std::string& file);

// The files and what they include in quotation marks, in the order found, each once. `include` and #include are
// looked up beside the including file, then in `folders`. What is not found there belongs to tools.
std::vector<std::string> with_included(const std::vector<std::string>& files,
                                       const std::vector<std::string>& folders);

// FNV-1a, 64 bits, as 16 hexadecimal digits.
std::string hash_of(const std::string& text);

}  // namespace gt200::rtl
