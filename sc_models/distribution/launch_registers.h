// The launch registers of the command processor: words by offset, and the grid they describe. Plain C++, no time.
//
// registers.h has the map. Writes take effect at once and are not checked, so any content can be read back.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sc_models/distribution/registers.h"
#include "sc_models/grid_descriptor.h"

namespace gt200::model {

class launch_registers {
 public:
  // True if a launch register has this offset (a multiple of 4). LAUNCH and the status registers are not among
  // them.
  static bool contains(std::uint32_t offset);
  // Only offsets for which contains() holds.
  void write(std::uint32_t offset, std::uint32_t value);
  std::uint32_t read(std::uint32_t offset) const { return words_[offset / 4]; }

  // The grid that the registers describe now.
  grid_descriptor grid() const;
  // BLOCK_ALLOC.THREADS, which hardware requires in addition to the dimensions.
  std::uint32_t allocated_threads() const { return read(registers::block_alloc) & 0xffffu; }

 private:
  static constexpr unsigned constant_buffers = 128;

  std::uint64_t wide(std::uint32_t high, std::uint32_t low) const {
    return std::uint64_t{read(high)} << 32 | read(low);
  }
  void define_constant_buffer(std::uint32_t value);
  void bind_constant_buffer(std::uint32_t value);
  void bind_texture(std::uint32_t unit);

  std::array<std::uint32_t, registers::space_bytes / 4> words_{};
  std::array<constant_binding, constant_buffers> buffers_{};
  std::array<int, constant_spaces> space_buffer_ = unbound();  // buffer bound to each space, -1 = none
  std::vector<texture_binding> textures_;

  static std::array<int, constant_spaces> unbound() {
    std::array<int, constant_spaces> none{};
    none.fill(-1);
    return none;
  }
};

}  // namespace gt200::model
