// A texture of a launch: the buffer with its texels, and its shape.
//
// Linear memory and pitch-linear images are read in their buffer. An array has memory of its own, in block-linear
// layout; the host copies the buffer into it at the start and whenever a step writes the buffer. Kernels cannot
// write it.
#pragma once

#include <cstdint>
#include <string>

#include "toolchain/sampling/shape.h"

namespace gt200::launch {

struct texture {
  std::string name;  // of a sampler of the program; empty: the unit is given
  std::uint32_t unit = 0;
  std::string buffer;
  sampling::texture_shape shape;
  unsigned line = 0;
};

// A texture with its unit and its address in device memory.
struct bound_texture {
  std::string name;  // for messages
  std::uint32_t unit = 0;
  std::uint32_t address = 0;
  sampling::texture_shape shape;
  unsigned line = 0;
};

}  // namespace gt200::launch
