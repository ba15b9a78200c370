// A texture of a launch: an image in a buffer, and how texture instructions read it.
//
// Linear memory (dimensions 0) is read by integer coordinates, without addressing modes or filtering. Arrays have 1
// to 3 dimensions. Hardware stores CUDA arrays in a block-linear order that programs never see; here the rows of an
// array lie one behind the other in its buffer, `pitch` bytes apart, and the slices of a 3D array height x pitch
// bytes.
//
// Limits: CUDA C programming guide 4.2, appendix F.1 (compute capability 1.x).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "toolchain/launch/texel.h"

namespace gt200::launch {

inline constexpr std::uint32_t texture_units = 128;
inline constexpr std::uint32_t max_linear_texels = 1u << 27;
// Largest extents of arrays of 1, 2 and 3 dimensions, in texels.
inline constexpr std::array<std::array<std::uint32_t, 3>, 3> max_texture_extent = {
    {{8192, 1, 1}, {65536, 32768, 1}, {2048, 2048, 2048}}};

// Coordinates outside the array: the texel at the edge, or the array repeated.
enum class texture_addressing : std::uint8_t { clamp, wrap };
enum class texture_filter : std::uint8_t { point, linear };

struct texture_shape {
  unsigned dimensions = 0;                          // 0 = linear memory
  std::array<std::uint32_t, 3> extent = {1, 1, 1};  // texels
  std::uint32_t pitch = 0;                          // bytes
  texel_layout texel;
  std::array<texture_addressing, 3> addressing = {};
  texture_filter filter = texture_filter::point;
  bool normalised_coordinates = false;  // 0..1 is the extent of the array; else 0..extent

  // Of a texel within the extent, from the first byte of the buffer.
  std::uint64_t offset(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    return (std::uint64_t{z} * extent[1] + y) * pitch + std::uint64_t{x} * texel.bytes();
  }
  // Of the whole image.
  std::uint64_t bytes() const { return offset(extent[0] - 1, extent[1] - 1, extent[2] - 1) + texel.bytes(); }
};

struct texture {
  std::string name;  // of a sampler of the program; empty: the unit is given
  std::uint32_t unit = 0;
  std::string buffer;
  texture_shape shape;
  unsigned line = 0;
};

// With its unit and its place in device memory.
struct bound_texture {
  std::string name;  // for messages
  std::uint32_t unit = 0;
  std::uint32_t address = 0;
  texture_shape shape;
  unsigned line = 0;
};

}  // namespace gt200::launch
