// A texture: an image in memory, and how texture instructions read it.
//
// Linear memory (dimensions 0) is read by integer coordinates, without addressing modes or filtering. Images of 1
// to 3 dimensions lie in memory in one of two layouts:
//   pitch_linear  rows one after the other, `pitch` bytes apart; slices height x pitch bytes apart
//   block_linear  CUDA arrays: gobs of 64 bytes x 4 rows, stored row by row, in blocks of `block_height` gobs by
//                 `block_depth` slices; within a block, gobs go from top to bottom, then by slice; blocks go from
//                 left to right, then from top to bottom, then by slice (envytools, g80-surface). Texels close to
//                 each other in 2D are close in memory.
//
// Limits: CUDA C programming guide 4.2, appendix F.1 (compute capability 1.x).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "toolchain/sampling/texel.h"

namespace gt200::sampling {

inline constexpr std::uint32_t texture_units = 128;
inline constexpr std::uint32_t max_linear_texels = 1u << 27;
// Largest extents of arrays of 1, 2 and 3 dimensions, in texels.
inline constexpr std::array<std::array<std::uint32_t, 3>, 3> max_texture_extent = {
    {{8192, 1, 1}, {65536, 32768, 1}, {2048, 2048, 2048}}};

inline constexpr std::uint32_t gob_width = 64;  // bytes
inline constexpr std::uint32_t gob_height = 4;  // rows
inline constexpr std::uint32_t gob_bytes = gob_width * gob_height;

// Coordinates outside the image: the texel at the edge, the image repeated, the image repeated with every other
// copy reflected, or 0.
enum class texture_addressing : std::uint8_t { clamp, wrap, mirror, border };
enum class texture_filter : std::uint8_t { point, linear };
enum class texture_layout : std::uint8_t { pitch_linear, block_linear };

struct texture_shape {
  unsigned dimensions = 0;                          // 0 = linear memory
  std::array<std::uint32_t, 3> extent = {1, 1, 1};  // texels
  std::uint32_t pitch = 0;                          // bytes from row to row; of a block-linear image: in the buffer
                                                    // from which it is copied
  texel_layout texel;
  std::array<texture_addressing, 3> addressing = {};
  texture_filter filter = texture_filter::point;
  bool normalised_coordinates = false;  // 0..1 is the extent of the image; else 0..extent
  texture_layout layout = texture_layout::pitch_linear;
  std::uint8_t block_height_log = 0;  // gobs of a block in y, log2
  std::uint8_t block_depth_log = 0;   // slices of a block, log2

  // The offset of a texel within the extent, from the first byte of the image in memory.
  std::uint64_t offset(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    return layout == texture_layout::pitch_linear ? offset_in_rows(x, y, z) : offset_in_blocks(x, y, z);
  }
  std::uint64_t offset_in_rows(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
    return (std::uint64_t{z} * extent[1] + y) * pitch + std::uint64_t{x} * texel.bytes();
  }
  // The size of the image in memory.
  std::uint64_t bytes() const {
    return layout == texture_layout::pitch_linear ? bytes_in_rows() : bytes_in_blocks();
  }
  std::uint64_t bytes_in_rows() const {
    return offset_in_rows(extent[0] - 1, extent[1] - 1, extent[2] - 1) + texel.bytes();
  }

 private:
  std::uint64_t offset_in_blocks(std::uint32_t x, std::uint32_t y, std::uint32_t z) const;
  std::uint64_t bytes_in_blocks() const;
};

// Chooses the block size for an image: no higher or deeper than it needs, at most 16 gobs high; for 3D images at
// most 4 gobs high and 8 slices deep (assumption: the driver chooses sizes; those of the nouveau driver are alike).
void use_blocks(texture_shape& shape);

// The image in its memory layout, copied from the rows of a buffer (shape.bytes_in_rows() bytes). Bytes that belong
// to no texel are 0.
std::vector<std::uint8_t> in_blocks(const texture_shape& shape, const std::uint8_t* rows);

}  // namespace gt200::sampling
