// Textures for test programs: linear memory, images and arrays that together have every layout, dimension,
// addressing mode, filter and kind of coordinate. A generator of programs only needs to know the units.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/device.h"
#include "toolchain/arch_state/memory.h"
#include "toolchain/launch/texture.h"

namespace gt200::support {

inline constexpr unsigned test_texture_units = 7;   // from 0
inline constexpr unsigned linear_test_texture = 0;  // read by integers only

class test_textures {
 public:
  // Binds all units. Unit 0 is linear memory of 4096 pairs of u16 at `buffer`; 1 and 2 are pitch-linear images
  // there, with arbitrary content. The others are arrays of their own.
  test_textures(device& board, std::uint32_t buffer);

  // The same for an emulator: bindings, and the memory of the arrays.
  const std::vector<launch::bound_texture>& bound() const { return bound_; }
  void map_arrays(arch_state::memory& memory) const;

 private:
  struct array {
    std::uint32_t address;
    std::vector<std::uint8_t> bytes;
  };
  void bind(device& board, std::uint32_t address, const sampling::texture_shape& shape);
  void add_array(device& board, sampling::texture_shape shape);

  std::vector<launch::bound_texture> bound_;
  std::vector<array> arrays_;
};

}  // namespace gt200::support
