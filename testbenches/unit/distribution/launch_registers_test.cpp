// The launch registers: which offsets there are, and the grid that their fields describe.
#include "sc_models/distribution/launch_registers.h"

#include <gtest/gtest.h>

namespace gt200::model {
namespace {

TEST(launch_registers_test, every_word_of_the_parameters_is_one_and_gaps_are_none) {
  EXPECT_TRUE(launch_registers::contains(registers::user_param));
  EXPECT_TRUE(launch_registers::contains(registers::user_param + 4 * 63));
  EXPECT_FALSE(launch_registers::contains(registers::user_param + 4 * 64));
  EXPECT_FALSE(launch_registers::contains(registers::user_param + 2));
  EXPECT_FALSE(launch_registers::contains(registers::launch)) << "a command";
  EXPECT_FALSE(launch_registers::contains(registers::status));
  EXPECT_FALSE(launch_registers::contains(registers::griddim + 1));
}

TEST(launch_registers_test, dimensions_and_addresses_are_put_together) {
  launch_registers r;
  r.write(registers::griddim, 7u << 16 | 300);
  r.write(registers::blockdim_xy, 4u << 16 | 16);
  r.write(registers::blockdim_z, 2);
  r.write(registers::cp_address_high, 1);
  r.write(registers::cp_address_low, 0x100);
  r.write(registers::block_alloc, 3u << 16 | 128);
  r.write(registers::gridid, 0x12345);
  const grid_descriptor grid = r.grid();
  EXPECT_EQ(grid.grid, launch::grid_size(300, 7));
  EXPECT_EQ(grid.block, (std::array<std::uint32_t, 3>{16, 4, 2}));
  EXPECT_EQ(grid.code_base, 0x1'0000'0100u);
  EXPECT_EQ(grid.barriers, 3u);
  EXPECT_EQ(grid.grid_id, 0x2345u);
  EXPECT_EQ(r.allocated_threads(), 128u);
  EXPECT_EQ(r.read(registers::griddim), 7u << 16 | 300);
}

TEST(launch_registers_test, a_grid_has_one_block_in_z_unless_a_register_says_more) {
  launch_registers r;
  r.write(registers::griddim, 7u << 16 | 300);
  EXPECT_EQ(r.grid().grid, launch::grid_size(300, 7, 1));
  r.write(registers::griddim_z, 5);
  EXPECT_EQ(r.grid().grid, launch::grid_size(300, 7, 5));
  EXPECT_EQ(r.grid().blocks(), 300u * 7 * 5);
  EXPECT_EQ(r.grid().block_at(300 * 7 * 2 + 300 * 3 + 4), (std::array<std::uint32_t, 3>{4, 3, 2}));
}

TEST(launch_registers_test, a_bit_selects_constant_spaces_from_16_on) {
  launch_registers r;
  r.write(registers::cb_def_address_low, 0x2000);
  r.write(registers::cb_def_set, 5u << 16 | 256);
  r.write(registers::set_program_cb, 1u << 19 | 5u << 12 | 1u << 8 | 1);  // c17
  EXPECT_EQ(r.grid().constants[17].address, 0x2000u);
  EXPECT_EQ(r.grid().constants[17].bytes, 256u);
  EXPECT_EQ(r.grid().constants[1].bytes, 0u);
  r.write(registers::set_program_cb, 1u << 19 | 5u << 12 | 9u << 8 | 1);  // c25 does not exist
}

TEST(launch_registers_test, local_memory_is_a_power_of_two_of_8_bytes_or_none) {
  launch_registers r;
  EXPECT_EQ(r.grid().local_bytes, 0u);
  r.write(registers::local_size_log, 1);
  EXPECT_EQ(r.grid().local_bytes, 16u);
  r.write(registers::local_size_log, 28);
  EXPECT_EQ(r.grid().local_bytes, 8u << 28);
  r.write(registers::local_size_log, 29);
  EXPECT_EQ(r.grid().local_bytes, 0u);
}

TEST(launch_registers_test, parameters_are_bytes_of_their_words) {
  launch_registers r;
  r.write(registers::user_param, 0x04030201);
  r.write(registers::user_param + 4, 0x08070605);
  r.write(registers::user_param_count, 2 << 8);
  EXPECT_EQ(r.grid().parameters, (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6, 7, 8}));
  r.write(registers::user_param_bytes, 5);
  EXPECT_EQ(r.grid().parameters, (std::vector<std::uint8_t>{1, 2, 3, 4, 5}));
}

TEST(launch_registers_test, more_parameter_bytes_than_words_read_as_0) {
  launch_registers r;
  r.write(registers::user_param + 4 * 63, 0xffffffff);
  r.write(registers::user_param_bytes, 4 * 64 + 1);
  const std::vector<std::uint8_t> parameters = r.grid().parameters;
  ASSERT_EQ(parameters.size(), 257u);
  EXPECT_EQ(parameters[255], 0xff);
  EXPECT_EQ(parameters[256], 0);
}

TEST(launch_registers_test, constant_buffers_are_defined_bound_and_released) {
  launch_registers r;
  r.write(registers::cb_def_address_low, 0x1000);
  r.write(registers::cb_def_set, 5u << 16 | 256);
  r.write(registers::cb_def_address_low, 0x8000);
  r.write(registers::cb_def_set, 6u << 16);  // 0 bytes: 64 KiB
  r.write(registers::set_program_cb, 5u << 12 | 1u << 8 | 1);
  r.write(registers::set_program_cb, 6u << 12 | 15u << 8 | 1);
  grid_descriptor grid = r.grid();
  EXPECT_EQ(grid.constants[1].address, 0x1000u);
  EXPECT_EQ(grid.constants[1].bytes, 256u);
  EXPECT_EQ(grid.constants[15].address, 0x8000u);
  EXPECT_EQ(grid.constants[15].bytes, 65536u);
  EXPECT_EQ(grid.constants[0].bytes, 0u);
  r.write(registers::set_program_cb, 1u << 8);
  EXPECT_EQ(r.grid().constants[1].bytes, 0u);
}

TEST(launch_registers_test, texture_is_bound_as_the_registers_stand) {
  launch_registers r;
  r.write(registers::texture_address_low, 0x4000);
  r.write(registers::texture_width, 64);
  r.write(registers::texture_height, 0);  // taken as 1
  r.write(registers::texture_format, 1u << 8 | 4);
  r.write(registers::texture_sampler, 1u << 10 | 1u << 8 | 1u << 5 | 1u << 4 | 1u << 1 | 1);
  r.write(registers::texture_bind, 2);
  r.write(registers::texture_width, 128);  // later writes do not reach it
  grid_descriptor grid = r.grid();
  ASSERT_EQ(grid.textures.size(), 3u);
  EXPECT_FALSE(grid.textures[0].bound);
  const texture_binding& texture = grid.textures[2];
  EXPECT_TRUE(texture.bound);
  EXPECT_EQ(texture.address, 0x4000u);
  EXPECT_EQ(texture.shape.extent[0], 64u);
  EXPECT_EQ(texture.shape.extent[1], 1u);
  EXPECT_EQ(texture.shape.texel.components, 4u);
  EXPECT_TRUE(texture.shape.texel.normalised);
  EXPECT_EQ(texture.shape.filter, sampling::texture_filter::linear);
  EXPECT_TRUE(texture.shape.normalised_coordinates);
  EXPECT_EQ(texture.shape.addressing[0], sampling::texture_addressing::border);
  EXPECT_EQ(texture.shape.addressing[1], sampling::texture_addressing::wrap);
  EXPECT_EQ(texture.shape.addressing[2], sampling::texture_addressing::mirror);
  r.write(registers::texture_unbind_all, 0);
  EXPECT_TRUE(r.grid().textures.empty());
}

}  // namespace
}  // namespace gt200::model
