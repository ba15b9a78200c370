// Textures on the chip: every format, dimension, addressing mode, filter and layout gives the result of
// toolchain/sampling for the rows of the image; caches are 2D and not coherent.
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "sc_models/texture/texture_unit.h"
#include "testbenches/system/checked/checked_board.h"
#include "toolchain/sampling/sampler.h"

namespace gt200 {
namespace {

using support::checked_program;

constexpr unsigned threads = 64;
constexpr unsigned plane = 0x4000;  // bytes between the coordinates x, y and z of a thread

// Reads a texture at the coordinates of the thread and stores the four components.
std::string sampling_program(const char* instruction, unsigned dimensions) {
  std::string coordinates = "$r8";
  for (unsigned d = 1; d < dimensions; ++d) coordinates += ":$r" + std::to_string(8 + d);
  return checked_program(R"(
  ld b32 $r8 g14[$r3]
  add b32 $r5 $r3 0x4000
  ld b32 $r9 g14[$r5]
  add b32 $r5 $r5 0x4000
  ld b32 $r10 g14[$r5]
  )" + std::string(instruction) +
                         " all $r8:$r9:$r10:$r11 $t0 $s0 " + coordinates + R"( 0x0 0x0 0x0
  shl b32 $r5 $r0 0x4
  add b32 $r5 b32 s[out] $r5
  exit st b128 g14[$r5] $r8q
)");
}

sampling::texture_shape image(unsigned dimensions, const sampling::texel_layout& texel) {
  sampling::texture_shape shape;
  shape.dimensions = dimensions;
  shape.extent = {13, dimensions > 1 ? 11u : 1u, dimensions > 2 ? 5u : 1u};
  shape.texel = texel;
  shape.pitch = (shape.extent[0] * texel.bytes() + 31) / 32 * 32;
  return shape;
}

class chip_textures : public support::checked_board {
 protected:
  // Random texels: floats of moderate size, integers of all sizes.
  std::vector<std::uint8_t> random_rows(const sampling::texture_shape& shape) {
    std::vector<std::uint8_t> rows(shape.bytes_in_rows());
    for (std::uint8_t& byte : rows) byte = static_cast<std::uint8_t>(random_());
    if (shape.texel.format != sampling::texel_format::f32) return rows;
    for (std::size_t at = 0; at + 4 <= rows.size(); at += 4) {
      const float value = static_cast<float>(static_cast<int>(random_() % 20001) - 10000) / 64;
      std::memcpy(&rows[at], &value, 4);
    }
    return rows;
  }

  // Binds unit 0 to an image with these rows.
  void bind(const sampling::texture_shape& shape, const std::vector<std::uint8_t>& rows) {
    if (array_ == 0) {
      plain_ = board->allocate(65536);
      array_ = board->allocate_array(65536);
    }
    const bool blocks = shape.layout == sampling::texture_layout::block_linear;
    const std::vector<std::uint8_t> bytes = blocks ? sampling::in_blocks(shape, rows.data()) : rows;
    ASSERT_LE(bytes.size(), 65536u);
    board->poke(blocks ? array_ : plain_, bytes.data(), bytes.size());
    board->bind_texture(0, model::texture_binding::of(blocks ? array_ : plain_, shape));
  }

  template <class number>
  void set_coordinates(const std::vector<std::array<number, 3>>& coordinates) {
    for (std::uint32_t thread = 0; thread < coordinates.size(); ++thread)
      for (std::uint32_t d = 0; d < 3; ++d)
        board->poke(in + d * plane + 4 * thread, reinterpret_cast<const std::uint8_t*>(&coordinates[thread][d]), 4);
  }

  // Coordinates inside the image, around it, far away, and NaN and infinity.
  std::vector<std::array<float, 3>> random_coordinates(const sampling::texture_shape& shape) {
    constexpr float inf = std::numeric_limits<float>::infinity();
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    std::vector<std::array<float, 3>> result(threads);
    for (unsigned t = 0; t < threads; ++t)
      for (unsigned d = 0; d < 3; ++d) {
        const float extent = shape.normalised_coordinates ? 1.0f : static_cast<float>(shape.extent[d]);
        const float quarter = static_cast<float>(random_() % 64) / 16 - 1.5f;
        const float fine = static_cast<float>(random_() % 4096) / 4096;
        result[t][d] = extent * (t % 2 != 0 ? quarter : fine);
      }
    result[3] = {nan, 0.3f, 0.3f};
    result[4] = {inf, -inf, inf};
    result[5] = {1e30f, -1e30f, 0.0f};
    return result;
  }

  sampling::texel_value expected(sampling::texture_shape shape, const std::vector<std::uint8_t>& rows,
                                 const std::array<float, 3>& at) const {
    shape.layout = sampling::texture_layout::pitch_linear;
    const sampling::footprint f = sampling::sample(shape, {}, at);
    return sampling::filtered(shape.texel, f, [&](unsigned k) { return &rows[f.offset[k]]; });
  }

  void check_sampling(const sampling::texture_shape& shape) {
    const std::vector<std::uint8_t> rows = random_rows(shape);
    const auto coordinates = random_coordinates(shape);
    bind(shape, rows);
    set_coordinates(coordinates);
    run_alike(1, threads);
    for (unsigned t = 0; t < threads; ++t) {
      const sampling::texel_value want = expected(shape, rows, coordinates[t]);
      std::array<std::uint32_t, 4> got{};
      board->peek(out + 16 * t, reinterpret_cast<std::uint8_t*>(got.data()), 16);
      for (unsigned c = 0; c < 4; ++c)
        ASSERT_EQ(got[c], want.component[c])
            << "thread " << t << " component " << c << " format " << static_cast<int>(shape.texel.format) << " x "
            << int{shape.texel.components} << " filter " << static_cast<int>(shape.filter);
    }
  }

  void check_all_modes(sampling::texture_shape shape) {
    using sampling::texture_addressing;
    for (const bool linear : {false, true}) {
      if (linear && !shape.texel.reads_floats()) continue;
      shape.filter = linear ? sampling::texture_filter::linear : sampling::texture_filter::point;
      shape.normalised_coordinates = false;
      shape.addressing = {};
      check_sampling(shape);
      shape.normalised_coordinates = true;
      check_sampling(shape);
      shape.addressing = {texture_addressing::wrap, texture_addressing::wrap, texture_addressing::wrap};
      check_sampling(shape);
      shape.addressing[0] = texture_addressing::clamp;
      if (shape.dimensions > 1) check_sampling(shape);
      shape.addressing = {texture_addressing::mirror, texture_addressing::border, texture_addressing::mirror};
      check_sampling(shape);
      shape.addressing = {texture_addressing::border, texture_addressing::mirror, texture_addressing::border};
      check_sampling(shape);
    }
  }

  static std::vector<sampling::texel_layout> formats() {
    using sampling::texel_format;
    std::vector<sampling::texel_layout> all;
    for (const auto format : {texel_format::u8, texel_format::s8, texel_format::u16, texel_format::s16,
                              texel_format::u32, texel_format::s32, texel_format::f32})
      for (const bool normalised : {false, true}) {
        if (normalised && sampling::bytes_of(format) == 4) continue;
        for (const std::uint8_t components : {1, 2, 4}) all.push_back({format, components, normalised});
      }
    return all;
  }

  model::texture_l1& l1() {
    return *dynamic_cast<model::texture_l1*>(sc_core::sc_find_object("gt200.tpc_0.texture.l1"));
  }
  std::uint64_t l2_misses() {
    std::uint64_t sum = 0;
    for (auto& p : board->chip().partitions) sum += p.texture_l2.misses.value();
    return sum;
  }

  std::mt19937 random_{7};
  std::uint32_t plain_ = 0;
  std::uint32_t array_ = 0;
};

class arrays : public chip_textures, public ::testing::WithParamInterface<unsigned> {};

TEST_P(arrays, of_every_format_are_sampled_in_every_mode) {
  build(sampling_program("texauto", GetParam()));
  for (const sampling::texel_layout& texel : formats()) {
    sampling::texture_shape shape = image(GetParam(), texel);
    sampling::use_blocks(shape);
    check_all_modes(shape);
    if (HasFailure()) return;
  }
}

TEST_P(arrays, are_read_by_integer_coordinates_and_give_0_outside) {
  build(sampling_program("texfetch", GetParam()));
  sampling::texture_shape shape = image(GetParam(), {sampling::texel_format::s16, 2, false});
  sampling::use_blocks(shape);
  const std::vector<std::uint8_t> rows = random_rows(shape);
  bind(shape, rows);
  std::vector<std::array<std::int32_t, 3>> coordinates(threads);
  for (auto& c : coordinates)
    for (unsigned d = 0; d < 3; ++d)
      c[d] = d < GetParam() ? static_cast<std::int32_t>(random_() % (shape.extent[d] + 2)) - 1 : 0;
  set_coordinates(coordinates);
  run_alike(1, threads);
  for (unsigned t = 0; t < threads; ++t) {
    bool inside = true;
    for (unsigned d = 0; d < 3; ++d)
      inside = inside && coordinates[t][d] >= 0 && coordinates[t][d] < static_cast<int>(shape.extent[d]);
    std::int16_t texel[2] = {0, 0};
    if (inside)
      std::memcpy(texel,
                  &rows[shape.offset_in_rows(static_cast<std::uint32_t>(coordinates[t][0]),
                                             static_cast<std::uint32_t>(coordinates[t][1]),
                                             static_cast<std::uint32_t>(coordinates[t][2]))],
                  4);
    std::array<std::int32_t, 4> got{};
    board->peek(out + 16 * t, reinterpret_cast<std::uint8_t*>(got.data()), 16);
    EXPECT_EQ(got, (std::array<std::int32_t, 4>{texel[0], texel[1], 0, inside ? 1 : 0})) << "thread " << t;
  }
}

INSTANTIATE_TEST_SUITE_P(dimensions, arrays, ::testing::Values(1u, 2u, 3u));

TEST_F(chip_textures, pitch_linear_images_of_every_format_are_sampled_in_every_mode) {
  build(sampling_program("texauto", 2));
  for (const sampling::texel_layout& texel : formats()) check_all_modes(image(2, texel));
}

// G80 has 6 partitions and uses another order of them for arrays; 7 partitions have no such order.
TEST_F(chip_textures, arrays_on_six_partitions) {
  build(sampling_program("texauto", 2), {"chip.partitions=6"});
  sampling::texture_shape shape = image(2, {sampling::texel_format::u8, 4, true});
  shape.extent = {100, 60, 1};
  shape.pitch = 416;
  sampling::use_blocks(shape);
  check_all_modes(shape);
}

TEST_F(chip_textures, arrays_on_seven_partitions_with_little_room) {
  build(sampling_program("texauto", 2), {"chip.partitions=7", "tpc.texture.l1.bytes=64", "tpc.texture.l1.ways=2",
                                         "tpc.texture.l1.mshrs=1", "tpc.texture.address.queue_entries=2",
                                         "tpc.texture.l1.lookups_per_cycle=32", "simulation.stalls_per_1024=100"});
  sampling::texture_shape shape = image(2, {sampling::texel_format::f32, 4, false});
  shape.extent = {60, 60, 1};
  shape.pitch = 960;
  sampling::use_blocks(shape);
  check_all_modes(shape);
}

TEST_F(chip_textures, floating_point_coordinates_of_linear_memory_are_a_fault) {
  build(sampling_program("texauto", 1));
  board->bind_texture(0, model::texture_binding::linear_memory(in, 1024, {sampling::texel_format::f32, 1, false}));
  const launch_result result = run(1, 32);
  EXPECT_EQ(result.reason, end_reason::fault);
  EXPECT_EQ(result.fault.kind, arch_state::fault_kind::unsupported);
  EXPECT_EQ(difference(), "no difference");
}

TEST_F(chip_textures, texels_outside_the_memory_of_the_device_are_a_fault_of_their_lanes) {
  build(sampling_program("texfetch", 1));
  std::vector<std::array<std::int32_t, 3>> coordinates(threads);
  for (unsigned t = 0; t < threads; ++t) coordinates[t] = {t % 4 == 1 ? 1 << 26 : static_cast<int>(t), 0, 0};
  set_coordinates(coordinates);
  board->bind_texture(0,
                      model::texture_binding::linear_memory(in, 1u << 27, {sampling::texel_format::u32, 1, false}));
  const launch_result result = run(1, 32);
  EXPECT_EQ(result.reason, end_reason::fault);
  EXPECT_EQ(result.fault.kind, arch_state::fault_kind::unmapped_address);
  EXPECT_EQ(result.fault.lanes, 0x22222222u);
  EXPECT_EQ(difference(), "no difference");
}

// The same number of bilinear samples, once in a tile and once in a row.
TEST_F(chip_textures, neighbours_in_two_dimensions_share_cache_lines) {
  build(sampling_program("texauto", 2));
  sampling::texture_shape shape = image(2, {sampling::texel_format::u8, 4, true});
  shape.extent = {512, 31, 1};
  shape.pitch = 2048;
  shape.filter = sampling::texture_filter::linear;
  sampling::use_blocks(shape);
  bind(shape, random_rows(shape));
  struct counts {
    std::uint64_t l1_misses, l2_misses;
  };
  const auto walk = [&](unsigned width) {
    std::vector<std::array<float, 3>> coordinates(256);
    for (unsigned t = 0; t < 256; ++t)
      coordinates[t] = {64 + static_cast<float>(t % width), 8 + static_cast<float>(t / width), 0};
    set_coordinates(coordinates);
    const counts before = {l1().misses.value(), l2_misses()};
    run_alike(1, 256);
    return counts{l1().misses.value() - before.l1_misses, l2_misses() - before.l2_misses};
  };
  const counts tile = walk(32);
  const counts row = walk(256);
  EXPECT_EQ(tile.l1_misses, 5 * 9u) << "lines of 8 texels, below each other";
  EXPECT_EQ(row.l1_misses, 33 * 2u);
  EXPECT_EQ(tile.l2_misses, 3 * 3u) << "gobs of 16 x 4 texels";
  EXPECT_EQ(row.l2_misses, 17 * 2u);
}

// `out` begins with an image of 64 x 16 floats that the kernel samples, overwrites and samples again. A thread
// overwrites its texel after sampling it, so every line is in the cache before it changes in memory.
TEST_F(chip_textures, stores_leave_stale_texels_until_the_next_launch_invalidates_all_levels) {
  build(checked_program(R"(
  ld b32 $r8 g14[$r3]
  add b32 $r5 $r3 0x4000
  ld b32 $r9 g14[$r5]
  mov b32 $r12 $r8
  mov b32 $r13 $r9
  texauto all $r8:#:#:# $t0 $s0 $r8:$r9 0x0 0x0 0x0
  mov b32 $r6 $r8
  and b32 $r5 $r6 $r124
  add b32 $r7 $r2 $r1
  add b32 $r7 $r7 $r5
  st b32 g14[$r4] $r7
  ld b32 $r7 g14[$r4]
  add b32 $r8 $r12 $r124
  add b32 $r9 $r13 $r124
  bar inc wait 0x0 0xfff
  texauto all $r8:#:#:# $t0 $s0 $r8:$r9 0x0 0x0 0x0
  add b32 $r5 $r4 0x8000
  st b32 g14[$r5] $r6
  add b32 $r5 $r5 0x8000
  exit st b32 g14[$r5] $r8
)"));
  sampling::texture_shape shape;
  shape.dimensions = 2;
  shape.extent = {64, 16, 1};
  shape.pitch = 256;
  shape.filter = sampling::texture_filter::linear;
  std::vector<std::uint8_t> rows = random_rows(shape);
  board->poke(out, rows.data(), rows.size());
  board->bind_texture(0, model::texture_binding::of(out, shape));
  std::vector<std::array<float, 3>> coordinates(256);
  for (unsigned t = 0; t < 256; ++t)
    coordinates[t] = {static_cast<float>(t % 64) + 0.75f, static_cast<float>(t / 64) + 0.25f, 0};
  set_coordinates(coordinates);
  for (const bool first : {true, false}) {
    run_alike(1, 256);
    for (unsigned t = 0; t < 256; ++t) {
      std::uint32_t sampled[2] = {};
      board->peek(out + 0x8000 + 4 * t, reinterpret_cast<std::uint8_t*>(&sampled[0]), 4);
      board->peek(out + 0x10000 + 4 * t, reinterpret_cast<std::uint8_t*>(&sampled[1]), 4);
      const std::uint32_t before = expected(shape, rows, coordinates[t]).component[0];
      ASSERT_EQ(sampled[0], before) << "thread " << t << " of launch " << (first ? 1 : 2);
      ASSERT_EQ(sampled[1], before) << "stale, thread " << t;
    }
    EXPECT_GE(checker->counts().stale_texels, 256u);
    board->peek(out, rows.data(), rows.size());  // the second launch must see these
  }
}

}  // namespace
}  // namespace gt200
