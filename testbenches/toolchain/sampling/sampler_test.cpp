// Addressing and filtering of textures: CUDA C programming guide 4.2, appendix E.
#include "toolchain/sampling/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace gt200::sampling {
namespace {

class textures : public testing::Test {
 protected:
  // An array of floats whose texel (x, y, z) holds x + 10 y + 100 z.
  textures() { set_extent(1, {4, 1, 1}); }
  void set_extent(unsigned dimensions, const std::array<std::uint32_t, 3>& extent) {
    shape.dimensions = dimensions;
    shape.extent = extent;
    shape.pitch = extent[0] * 4;
    image.clear();
    for (std::uint32_t z = 0; z < extent[2]; ++z)
      for (std::uint32_t y = 0; y < extent[1]; ++y)
        for (std::uint32_t x = 0; x < extent[0]; ++x) image.push_back(static_cast<float>(x + 10 * y + 100 * z));
  }
  float value(const texel_value& texel) const {
    float result;
    std::memcpy(&result, &texel.component[0], 4);
    return result;
  }
  float value_of(const footprint& f) const {
    return value(filtered(shape.texel, f, [&](unsigned k) {
      EXPECT_LT(f.offset[k], 4 * image.size());
      return reinterpret_cast<const std::uint8_t*>(image.data()) + f.offset[k];
    }));
  }
  float sample(float x, float y = 0, float z = 0) const {
    return value_of(sampling::sample(shape, offset, {x, y, z}));
  }
  float fetch(std::int32_t x, std::int32_t y = 0, std::int32_t z = 0) const {
    return value_of(sampling::fetch(shape, offset, {x, y, z}));
  }

  texture_shape shape;
  texel_offsets offset{};
  std::vector<float> image;
};

TEST_F(textures, point_takes_the_texel_the_coordinate_lies_in) {
  EXPECT_EQ(sample(0.0f), 0);
  EXPECT_EQ(sample(1.999f), 1);
  EXPECT_EQ(sample(2.0f), 2);
}

TEST_F(textures, clamp_reads_the_edge) {
  for (const texture_filter filter : {texture_filter::point, texture_filter::linear}) {
    shape.filter = filter;
    EXPECT_EQ(sample(-3.0f), 0);
    EXPECT_EQ(sample(4.0f), 3);
    EXPECT_EQ(sample(-1e30f), 0);
    EXPECT_EQ(sample(1e30f), 3);
    EXPECT_EQ(sample(std::numeric_limits<float>::infinity()), 3);
    EXPECT_EQ(sample(std::numeric_limits<float>::quiet_NaN()), 0);
  }
}

TEST_F(textures, normalised_coordinates_span_the_array) {
  shape.normalised_coordinates = true;
  EXPECT_EQ(sample(0.0f), 0);
  EXPECT_EQ(sample(0.25f), 1);
  EXPECT_EQ(sample(0.99f), 3);
  EXPECT_EQ(sample(1.0f), 3) << "clamped";
}

TEST_F(textures, wrap_repeats_the_array) {
  shape.normalised_coordinates = true;
  shape.addressing[0] = texture_addressing::wrap;
  EXPECT_EQ(sample(1.25f), 1);
  EXPECT_EQ(sample(-0.25f), 3);
  EXPECT_EQ(sample(-7.0f), 0);
  shape.filter = texture_filter::linear;
  EXPECT_EQ(sample(0.0f), 1.5f) << "between the last and the first texel";
}

TEST_F(textures, mirror_repeats_the_array_with_every_other_copy_reflected) {
  shape.normalised_coordinates = true;
  shape.addressing[0] = texture_addressing::mirror;
  EXPECT_EQ(sample(0.3f), 1);
  EXPECT_EQ(sample(-0.3f), 1) << "reflected";
  EXPECT_EQ(sample(1.1f), 3) << "reflected";
  EXPECT_EQ(sample(1.9f), 0) << "reflected";
  EXPECT_EQ(sample(2.3f), 1) << "not reflected";
  EXPECT_EQ(sample(-1.75f), 1) << "not reflected";
  EXPECT_EQ(sample(1.25f), 3) << "1 - 0.25 is where the last texel begins";
  EXPECT_EQ(sample(1.0f), 3);
  EXPECT_EQ(sample(-1.0f), 3);
  EXPECT_EQ(sample(std::numeric_limits<float>::infinity()), 0);
  EXPECT_EQ(sample(std::numeric_limits<float>::quiet_NaN()), 0);
}

TEST_F(textures, mirror_mixes_a_texel_at_the_edge_with_itself) {
  shape.normalised_coordinates = true;
  shape.addressing[0] = texture_addressing::mirror;
  shape.filter = texture_filter::linear;
  EXPECT_EQ(sample(0.0f), 0);
  EXPECT_EQ(sample(1.0f), 3);
  EXPECT_EQ(sample(-0.25f), 0.5f);
  EXPECT_EQ(sample(1.25f), 2.5f);
  EXPECT_EQ(sample(2.25f), 0.5f);
}

TEST_F(textures, mirror_turns_the_offsets_of_the_instruction_in_a_reflected_copy) {
  shape.normalised_coordinates = true;
  shape.addressing[0] = texture_addressing::mirror;
  offset = {1, 0, 0};
  EXPECT_EQ(sample(0.3f), 2);
  EXPECT_EQ(sample(-0.3f), 0) << "where it goes on to the right";
  EXPECT_EQ(sample(0.9f), 3) << "texel 4 is 3 again";
  offset = {3, 0, 0};
  EXPECT_EQ(sample(0.6f), 2) << "texel 5 is 2 again";
}

TEST_F(textures, border_is_0) {
  shape.addressing[0] = texture_addressing::border;
  for (float& texel : image) texel += 1;
  EXPECT_EQ(sample(0.0f), 1);
  EXPECT_EQ(sample(3.9f), 4);
  EXPECT_EQ(sample(4.0f), 0);
  EXPECT_EQ(sample(-0.1f), 0);
  EXPECT_EQ(sample(-1e30f), 0);
  EXPECT_EQ(sample(std::numeric_limits<float>::infinity()), 0);
  EXPECT_EQ(sample(std::numeric_limits<float>::quiet_NaN()), 1);
  EXPECT_EQ(sampling::sample(shape, offset, {4.0f, 0, 0}).taps, 0u) << "nothing is read";
  offset = {1, 0, 0};
  EXPECT_EQ(sample(3.0f), 0);
  EXPECT_EQ(sample(-1.0f), 1);
  offset = {};
  shape.normalised_coordinates = true;
  EXPECT_EQ(sample(0.9f), 4);
  EXPECT_EQ(sample(1.0f), 0);
}

TEST_F(textures, border_is_mixed_in_by_a_linear_filter) {
  shape.addressing[0] = texture_addressing::border;
  shape.filter = texture_filter::linear;
  for (float& texel : image) texel += 1;
  EXPECT_EQ(sample(0.5f), 1);
  EXPECT_EQ(sample(0.0f), 0.5f);
  EXPECT_EQ(sample(-0.25f), 0.25f);
  EXPECT_EQ(sample(-0.5f), 0);
  EXPECT_EQ(sample(3.75f), 3);
  EXPECT_EQ(sample(4.25f), 1);
  EXPECT_EQ(sample(4.5f), 0);
  EXPECT_EQ(sampling::sample(shape, offset, {0, 0, 0}).taps, 2u);
  EXPECT_EQ(sampling::sample(shape, offset, {4.5f, 0, 0}).taps, 0u);
}

TEST_F(textures, dimensions_have_modes_of_their_own) {
  set_extent(2, {4, 3, 1});
  shape.normalised_coordinates = true;
  shape.addressing = {texture_addressing::border, texture_addressing::mirror, texture_addressing::clamp};
  EXPECT_EQ(sample(0.3f, -0.5f), 11);
  EXPECT_EQ(sample(0.3f, 1.1f), 21);
  EXPECT_EQ(sample(1.1f, 1.1f), 0);
}

TEST_F(textures, linear_mixes_in_256_steps) {
  shape.filter = texture_filter::linear;
  EXPECT_EQ(sample(0.5f), 0) << "the middle of a texel";
  EXPECT_EQ(sample(1.0f), 0.5f);
  for (int step = 0; step <= 512; ++step) {
    const float alpha = static_cast<float>(step) / 512;
    EXPECT_EQ(sample(1.5f + alpha), 1 + std::floor(alpha * 256 + 0.5f) / 256) << step;
  }
  EXPECT_EQ(sample(2.4995f), 2) << "a weight that rounds to 1 is exact";
}

TEST_F(textures, linear_in_two_and_three_dimensions) {
  shape.filter = texture_filter::linear;
  set_extent(2, {4, 3, 1});
  EXPECT_EQ(sample(2.0f, 1.0f), 1.5f + 5);
  EXPECT_EQ(sample(1.75f, 2.25f), 1.25f + 17.5f);
  set_extent(3, {4, 3, 2});
  EXPECT_EQ(sample(2.0f, 1.0f, 1.0f), 1.5f + 5 + 50);
  shape.filter = texture_filter::point;
  EXPECT_EQ(sample(3.5f, 2.5f, 1.5f), 123);
}

TEST_F(textures, unused_infinite_texels_have_no_effect) {
  shape.filter = texture_filter::linear;
  image[2] = std::numeric_limits<float>::infinity();
  EXPECT_EQ(sample(1.5f), 1);
}

TEST_F(textures, rows_are_a_pitch_apart) {
  set_extent(2, {4, 3, 1});
  shape.extent[0] = 3;
  EXPECT_EQ(shape.bytes(), (2 * 4 + 3) * 4u);
  EXPECT_EQ(sample(9.0f, 1.0f), 12);
}

TEST_F(textures, offsets_of_the_instruction_count_texels) {
  set_extent(2, {4, 3, 1});
  offset = {1, -2, 0};
  EXPECT_EQ(sample(1.5f, 2.5f), 2);
  EXPECT_EQ(sample(3.5f, 0.5f), 3) << "clamped";
  EXPECT_EQ(fetch(1, 2), 2);
}

TEST_F(textures, integer_fetches_outside_read_zero) {
  EXPECT_EQ(fetch(3), 3);
  EXPECT_EQ(fetch(4), 0);
  EXPECT_EQ(fetch(-1), 0);
  shape.dimensions = 0;
  EXPECT_EQ(fetch(2), 2);
}

TEST(texture_units, are_numbers_of_the_instruction_or_handles_of_the_lanes) {
  isa::texture_access access;
  isa::lane_bundle values{};
  access.unit = 3;
  EXPECT_EQ(unit_of(access, values, 1), 3u);
  access.by_handle = true;
  values.source[2][0].lane[4] = 9;
  values.source[2][0].lane[6] = 9;
  EXPECT_EQ(unit_of(access, values, 0x50), 9u) << "of the lanes that take part";
  EXPECT_EQ(unit_of(access, values, 0x70), std::nullopt) << "different handles";
}

}  // namespace
}  // namespace gt200::sampling
