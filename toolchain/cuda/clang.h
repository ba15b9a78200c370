// CUDA C to PTX by clang, with our own header instead of a CUDA toolkit's.
#pragma once

#include <string>

namespace gt200::cuda {

struct clang_options {
  std::string program;  // empty: $GT200_CLANG, else the first of clang-19 down to clang-14, clang that is there
  unsigned address_bits = 64;
};

// True if there is a clang to call.
bool clang_is_there(const clang_options& options = {});

bool is_cuda(const std::string& path);  // by its extension, .cu

// PTX of the device code in `path`; line numbers are those of the file. Throws input_error with what clang said, or
// when there is none.
std::string compile_to_ptx(const std::string& path, const clang_options& options = {});

}  // namespace gt200::cuda
