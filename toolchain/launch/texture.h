// A texture of a launch: the buffer with its texels, and its shape.
//
// Linear memory and pitch-linear images are read where their buffer lies. An array has memory of its own, in
// block-linear layout, into which the host copies its buffer: at the start and whenever a step writes the buffer.
// Kernels do not reach it.
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

// With its unit and its place in device memory.
struct bound_texture {
  std::string name;  // for messages
  std::uint32_t unit = 0;
  std::uint32_t address = 0;
  sampling::texture_shape shape;
  unsigned line = 0;
};

}  // namespace gt200::launch
