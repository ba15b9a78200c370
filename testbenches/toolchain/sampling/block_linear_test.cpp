// The layout of the texels of CUDA arrays: envytools, g80-surface.
#include <gtest/gtest.h>

#include <set>

#include "toolchain/sampling/shape.h"

namespace gt200::sampling {
namespace {

texture_shape array_of(unsigned dimensions, const std::array<std::uint32_t, 3>& extent, const texel_layout& texel) {
  texture_shape shape;
  shape.dimensions = dimensions;
  shape.extent = extent;
  shape.texel = texel;
  shape.pitch = extent[0] * texel.bytes();
  use_blocks(shape);
  return shape;
}
const texel_layout word = {texel_format::u32, 1, false};

TEST(block_linear, a_gob_is_64_bytes_by_4_rows) {
  const texture_shape s = array_of(2, {16, 4, 1}, word);
  EXPECT_EQ(s.offset(15, 0, 0), 60u);
  EXPECT_EQ(s.offset(0, 1, 0), 64u);
  EXPECT_EQ(s.offset(15, 3, 0), 252u);
  EXPECT_EQ(s.bytes(), 256u);
}

TEST(block_linear, gobs_lie_below_each_other_in_a_block_and_blocks_beside_each_other) {
  const texture_shape s = array_of(2, {40, 30, 1}, word);  // 8 gobs high: blocks of 2 KB, 3 of them in a row
  EXPECT_EQ(s.block_height_log, 3u);
  EXPECT_EQ(s.offset(0, 4, 0), 256u);
  EXPECT_EQ(s.offset(0, 29, 0), 7 * 256u + 64);
  EXPECT_EQ(s.offset(16, 0, 0), 2048u);
  EXPECT_EQ(s.offset(39, 29, 0), 2 * 2048 + 7 * 256 + 64 + 28u);
  EXPECT_EQ(s.bytes(), 3 * 2048u);
}

TEST(block_linear, slices_lie_behind_each_other_in_a_block) {
  const texture_shape s = array_of(3, {16, 8, 3}, word);  // 2 gobs high, 4 slices deep
  EXPECT_EQ(s.offset(0, 0, 1), 512u);
  EXPECT_EQ(s.offset(0, 4, 2), 2 * 512 + 256u);
  EXPECT_EQ(s.bytes(), 2048u);
}

TEST(block_linear, blocks_are_no_higher_than_16_gobs_and_in_3d_than_4) {
  EXPECT_EQ(array_of(2, {8, 1000, 1}, word).block_height_log, 4u);
  EXPECT_EQ(array_of(2, {8, 1000, 1}, word).offset(0, 64, 0), 4096u);
  EXPECT_EQ(array_of(3, {8, 1000, 100}, word).block_height_log, 2u);
  EXPECT_EQ(array_of(3, {8, 1000, 100}, word).block_depth_log, 3u);
  EXPECT_EQ(array_of(1, {8192, 1, 1}, word).block_height_log, 0u);
}

TEST(block_linear, every_texel_has_a_place_of_its_own_within_one_row_of_a_gob) {
  for (const unsigned dimensions : {1u, 2u, 3u})
    for (const std::uint8_t components : {1, 2, 4})
      for (const texel_format format : {texel_format::u8, texel_format::s16, texel_format::f32}) {
        const texture_shape s = array_of(dimensions, {37, dimensions > 1 ? 21u : 1u, dimensions > 2 ? 11u : 1u},
                                         {format, components, false});
        std::set<std::uint64_t> places;
        for (std::uint32_t z = 0; z < s.extent[2]; ++z)
          for (std::uint32_t y = 0; y < s.extent[1]; ++y)
            for (std::uint32_t x = 0; x < s.extent[0]; ++x) {
              const std::uint64_t at = s.offset(x, y, z);
              EXPECT_EQ(at % s.texel.bytes(), 0u);
              EXPECT_LE(at + s.texel.bytes(), s.bytes());
              EXPECT_TRUE(places.insert(at).second);
            }
      }
}

TEST(block_linear, an_image_is_copied_from_rows_a_pitch_apart) {
  texture_shape s = array_of(3, {7, 5, 3}, {texel_format::u16, 1, false});
  s.pitch = 20;
  std::vector<std::uint8_t> rows(s.bytes_in_rows());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<std::uint8_t>(i * 7 + 1);
  const std::vector<std::uint8_t> image = in_blocks(s, rows.data());
  ASSERT_EQ(image.size(), s.bytes());
  for (std::uint32_t z = 0; z < 3; ++z)
    for (std::uint32_t y = 0; y < 5; ++y)
      for (std::uint32_t x = 0; x < 14; ++x)
        EXPECT_EQ(image[s.offset(x / 2, y, z) + x % 2], rows[(z * 5 + y) * 20 + x]);
}

}  // namespace
}  // namespace gt200::sampling
