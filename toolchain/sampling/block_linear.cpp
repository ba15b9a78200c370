#include <algorithm>
#include <cstring>

#include "toolchain/sampling/shape.h"

namespace gt200::sampling {

namespace {

constexpr std::uint64_t divided_up(std::uint64_t value, std::uint64_t by) { return (value + by - 1) / by; }

// log2 of the smallest power of two that is not below `value`, at most `max_log`.
std::uint8_t log_covering(std::uint32_t value, std::uint8_t max_log) {
  std::uint8_t log = 0;
  while (log < max_log && (1u << log) < value) ++log;
  return log;
}

}  // namespace

std::uint64_t texture_shape::offset_in_blocks(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
  const std::uint64_t in_row = std::uint64_t{x} * texel.bytes();
  const unsigned block_rows_log = 2u + block_height_log;
  const std::uint64_t blocks_x = divided_up(std::uint64_t{extent[0]} * texel.bytes(), gob_width);
  const std::uint64_t blocks_y = divided_up(extent[1], std::uint64_t{1} << block_rows_log);
  const std::uint64_t block =
      ((z >> block_depth_log) * blocks_y + (y >> block_rows_log)) * blocks_x + in_row / gob_width;
  const std::uint32_t slice_in_block = z & ((1u << block_depth_log) - 1);
  const std::uint32_t gob_in_slice = y / gob_height & ((1u << block_height_log) - 1);
  const std::uint64_t gob = (block << (block_height_log + block_depth_log)) +
                            (std::uint64_t{slice_in_block} << block_height_log) + gob_in_slice;
  return gob * gob_bytes + y % gob_height * gob_width + in_row % gob_width;
}

std::uint64_t texture_shape::bytes_in_blocks() const {
  const std::uint64_t blocks = divided_up(std::uint64_t{extent[0]} * texel.bytes(), gob_width) *
                               divided_up(extent[1], std::uint64_t{gob_height} << block_height_log) *
                               divided_up(extent[2], std::uint64_t{1} << block_depth_log);
  return (blocks * gob_bytes) << (block_height_log + block_depth_log);
}

void use_blocks(texture_shape& shape) {
  const bool flat = shape.dimensions < 3;
  const auto gobs = static_cast<std::uint32_t>(divided_up(shape.extent[1], gob_height));
  shape.layout = texture_layout::block_linear;
  shape.block_height_log = log_covering(gobs, flat ? 4 : 2);
  shape.block_depth_log = flat ? std::uint8_t{0} : log_covering(shape.extent[2], 3);
}

std::vector<std::uint8_t> in_blocks(const texture_shape& shape, const std::uint8_t* rows) {
  std::vector<std::uint8_t> result(shape.bytes());
  const std::uint32_t texel = shape.texel.bytes();
  const std::uint32_t texels_per_gob_row = gob_width / texel;
  for (std::uint32_t z = 0; z < shape.extent[2]; ++z)
    for (std::uint32_t y = 0; y < shape.extent[1]; ++y)
      for (std::uint32_t x = 0; x < shape.extent[0]; x += texels_per_gob_row) {
        const std::uint32_t texels = std::min(texels_per_gob_row, shape.extent[0] - x);
        std::memcpy(&result[shape.offset(x, y, z)], rows + shape.offset_in_rows(x, y, z),
                    std::size_t{texels} * texel);
      }
  return result;
}

}  // namespace gt200::sampling
