// Pointer chases and instruction chases by one thread on the whole chip, as run on silicon.
//
// Method: Wong et al., ISPASS 2010, and their program cudabmk. Element i of an array holds the place of element (i
// + stride) mod N. A first pass warms caches and TLBs; $clock times the second. All results are shader cycles per
// hop. `bytes` is the size of the array and `stride` the distance of its elements, multiples of 4. Every chase runs
// in a child process.
#pragma once

#include <cstdint>

#include "sc_models/config/chip_config.h"

namespace gt200::timing {

struct chase {
  std::uint32_t bytes = 0;
  std::uint32_t stride = 0;
};

double global_hop(const config::gpu_config& config, const chase& array);
double texture_hop(const config::gpu_config& config, const chase& array);  // tex1Dfetch
// A read of c[] and a shift into $a. Up to 64 KB.
double constant_hop(const config::gpu_config& config, const chase& array);

// 512 threads whose half-warps read `count` distinct constants (a power of two up to 16), all in the L1. Shader
// cycles per warp instruction.
double distinct_constants(const config::gpu_config& config, unsigned count);

// Straight-line code of `bytes` in a loop. Shader cycles per instruction of 8 bytes.
double instruction_hop(const config::gpu_config& config, unsigned bytes);

}  // namespace gt200::timing
