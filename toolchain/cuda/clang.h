// Compiles CUDA C to PTX with clang, using our own header instead of a CUDA toolkit's.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "toolchain/error.h"

namespace gt200::cuda {

struct clang_options {
  std::string program;  // empty: $GT200_CLANG, else the first of clang-19 down to clang-14, clang that is there
  unsigned address_bits = 64;
  // Compute capability x 10 of the hardware. From 20 on, clang contracts products and sums to fused multiply-adds,
  // and divides as IEEE 754 says.
  unsigned capability = 13;
};

// Complaints of clang about a program: its first error, and the others, each in one line with its place.
class clang_refusal : public input_error {
 public:
  clang_refusal(const std::string& reason, std::vector<std::string> further)
      : input_error(reason), further_(std::move(further)) {}
  const std::vector<std::string>& further() const { return further_; }

 private:
  std::vector<std::string> further_;
};

// The programs to try, in order.
std::vector<std::string> clang_candidates(const clang_options& options = {});
// Throws std::system_error (ENOMEM) if one of the programs is there and this process has a limit of memory, so that
// it could not be started. To be called when none of them was.
void require_memory_for(const std::vector<std::string>& programs);
// Options with which clang lets a function get an argument that has no value: `if (leader) v = atomicAdd(...);
// v = __shfl_sync(mask, v, 0);` is common, and clang would drop the branch. Their name changed with clang 15. Empty
// if the program takes none or is not there.
std::vector<std::string> options_for_undefined_arguments(const std::string& program);
// True if clang can be called.
bool clang_available(const clang_options& options = {});

bool is_cuda(const std::string& path);  // by its extension, .cu

// The PTX of the device code in `path`; line numbers are those of the file. Throws clang_refusal, or
// input_error when there is no clang.
std::string compile_to_ptx(const std::string& path, const clang_options& options = {});

}  // namespace gt200::cuda
