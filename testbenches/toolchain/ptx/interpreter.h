// Defines what a PTX program must compute, independently of the compiler: executes every statement as written, on
// 64-bit values, one thread after the other between barriers and votes.
//
// Arithmetic follows the target of the module. sm_13, as PTX 1.4 says: .f32 flushes subnormal numbers, mad.f32
// truncates its product. sm_20: .ftz flushes them, mad.f32 is fused. The bits of NaNs are those that docs/ptx.md
// guarantees. Understands what random_program writes; anything else throws
// std::logic_error.
#pragma once

#include <cstdint>
#include <vector>

#include "toolchain/ptx/ast.h"

namespace gt200::ptx {

struct global_image {
  std::uint32_t base = 0;  // address of the first byte
  std::vector<std::uint8_t> bytes;
};

struct reference_grid {
  unsigned blocks = 1;
  unsigned threads = 32;                 // per block, in one dimension
  std::vector<std::uint8_t> parameters;  // of the only entry, each aligned to its size
};

void interpret(const module_source& program, const reference_grid& grid, global_image& memory);

}  // namespace gt200::ptx
