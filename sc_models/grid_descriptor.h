// The grid being executed as the chip knows it: the contents of the launch registers, constant during the launch.
//
// The command processor owns it and passes a const pointer with the first block. The pointer is valid until every
// block has retired.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "toolchain/isa/common/instruction.h"
#include "toolchain/launch/launch_parameters.h"
#include "toolchain/sampling/shape.h"

namespace gt200::model {

// A constant space c<n>: `bytes` at `address` in device memory; 0 bytes = not bound.
struct constant_binding {
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
};

using sampling::texel_format;

// State of a texture unit: the image, and how it is sampled.
struct texture_binding {
  bool bound = false;
  std::uint64_t address = 0;  // of the image; multiple of the texel size, of a block-linear one of 256
  sampling::texture_shape shape;

  static texture_binding of(std::uint64_t address, const sampling::texture_shape& shape) {
    return {true, address, shape};
  }
  static texture_binding linear_memory(std::uint64_t address, std::uint32_t texels,
                                       const sampling::texel_layout& texel) {
    sampling::texture_shape shape;
    shape.extent[0] = texels;
    shape.texel = texel;
    return of(address, shape);
  }
};

// c0 .. c17; Tesla has 16.
inline constexpr unsigned constant_spaces = 18;

struct grid_descriptor {
  std::uint64_t launch = 0;  // number of the launch in the run, from 1; caches are invalidated when it changes
  std::uint16_t grid_id = 0;
  launch::grid_size grid;
  std::array<std::uint32_t, 3> block = {1, 1, 1};
  std::uint64_t code_base = 0;   // device address of code byte 0; the program counter is relative to it
  std::uint32_t code_bytes = 0;  // fetches at or beyond it are an invalid_pc fault
  isa::code_address entry = 0;   // first instruction
  std::uint32_t registers = 0;   // per thread, 1..128
  // The first of these, which a warp keeps. The others are in a section that it shares over time; 0: it keeps all.
  std::uint32_t base_registers = 0;
  bool has_paired_sections = false;  // two warps share a section; otherwise all warps of an SM share several
  bool static_warps = false;         // its warps keep their threads on every chip
  bool forms_warps = false;          // the chip forms its warps anew where threads diverge
  std::uint32_t shared_bytes = 0;    // per block as launched: header + parameters + static + dynamic
  std::uint32_t local_bytes = 0;     // per thread, a power of two or 0
  std::uint64_t local_base = 0;      // device address of the local memory of all threads of the chip
  std::uint32_t barriers = 0;
  std::vector<std::uint8_t> parameters;  // bytes from s[0x10]; none in a generation without them
  std::array<constant_binding, constant_spaces> constants = {};
  std::vector<texture_binding> textures;  // by texture unit; at most 128, missing ones are not bound
  std::uint64_t initial_state_seed = 0;   // pattern in registers and shared memory

  std::uint32_t kept_registers() const { return base_registers != 0 ? base_registers : registers; }
  std::uint32_t section_registers() const { return registers - kept_registers(); }
  std::uint32_t threads() const { return block[0] * block[1] * block[2]; }
  std::uint32_t warps_per_block() const { return (threads() + 31) / 32; }
  std::uint32_t blocks() const { return static_cast<std::uint32_t>(grid.blocks()); }
  // The coordinates of the block with this linear number.
  std::array<std::uint32_t, 3> block_at(std::uint32_t number) const {
    return {number % grid[0], number / grid[0] % grid[1], number / grid[0] / grid[1]};
  }
};

}  // namespace gt200::model
