// Meaning of the bounds of a kernel's launches (__launch_bounds__, .maxntid, .minnctapersm, .maxnreg) for its
// registers.
#pragma once

#include <cstdint>

#include "toolchain/ptx/ast.h"

namespace gt200::ptx {

// The registers of an SM, and how blocks take them: for warps in multiples of `warps`, in multiples of `granule`.
struct register_file {
  std::uint32_t registers = 0;
  std::uint32_t granule = 1;
  std::uint32_t warps = 1;
  std::uint32_t block_threads = 0;  // most threads of a block
};

// The most registers per thread, up to `most`, with which as many blocks of the largest size as `bounds` say fit
// into an SM: at least one. Not below 1.
unsigned registers_within(const launch_bounds& bounds, const register_file& file, std::uint32_t blocks,
                          unsigned most);

}  // namespace gt200::ptx
