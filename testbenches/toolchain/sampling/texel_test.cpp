#include "toolchain/sampling/texel.h"

#include <gtest/gtest.h>

#include <cstring>

namespace gt200::sampling {
namespace {

texel_layout layout(texel_format format, unsigned components, bool normalised = false) {
  return {format, static_cast<std::uint8_t>(components), normalised};
}
float as_float(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

TEST(texel, integers_are_extended_to_32_bits) {
  const std::uint8_t bytes[4] = {0x01, 0x80, 0xff, 0x7f};
  const texel_value u8 = read_texel(layout(texel_format::u8, 4), bytes);
  const texel_value s8 = read_texel(layout(texel_format::s8, 4), bytes);
  EXPECT_EQ(u8.component[1], 0x80u);
  EXPECT_EQ(s8.component[1], 0xffffff80u);
  EXPECT_EQ(s8.component[2], 0xffffffffu);
  EXPECT_EQ(s8.component[3], 0x7fu);
  EXPECT_EQ(read_texel(layout(texel_format::u16, 2), bytes).component[0], 0x8001u);
  EXPECT_EQ(read_texel(layout(texel_format::s16, 2), bytes).component[0], 0xffff8001u);
  EXPECT_EQ(read_texel(layout(texel_format::s16, 2), bytes).component[1], 0x7fffu);
  EXPECT_EQ(read_texel(layout(texel_format::s32, 1), bytes).component[0], 0x7fff8001u);
}

TEST(texel, normalised_values_reach_both_ends_exactly) {
  const std::uint8_t bytes[4] = {0x00, 0xff, 0x80, 0x7f};
  const texel_value u8 = read_texel(layout(texel_format::u8, 4, true), bytes);
  EXPECT_EQ(as_float(u8.component[0]), 0.0f);
  EXPECT_EQ(as_float(u8.component[1]), 1.0f);
  EXPECT_EQ(as_float(u8.component[2]), 128.0f / 255.0f);
  const texel_value s8 = read_texel(layout(texel_format::s8, 4, true), bytes);
  EXPECT_EQ(as_float(s8.component[1]), -1.0f / 127.0f);
  EXPECT_EQ(as_float(s8.component[2]), -1.0f);  // -128 as -127
  EXPECT_EQ(as_float(s8.component[3]), 1.0f);
  EXPECT_EQ(as_float(read_texel(layout(texel_format::u16, 1, true), bytes + 1).component[0]), 33023.0f / 65535.0f);
}

TEST(texel, missing_components_are_0_0_1_of_the_kind_read) {
  const std::uint8_t bytes[4] = {1, 0, 0, 0};
  const texel_value integer = read_texel(layout(texel_format::u32, 1), bytes);
  EXPECT_EQ(integer.component[1], 0u);
  EXPECT_EQ(integer.component[2], 0u);
  EXPECT_EQ(integer.component[3], 1u);
  EXPECT_EQ(as_float(read_texel(layout(texel_format::f32, 1), bytes).component[3]), 1.0f);
  EXPECT_EQ(as_float(read_texel(layout(texel_format::u8, 2, true), bytes).component[3]), 1.0f);
}

}  // namespace
}  // namespace gt200::sampling
