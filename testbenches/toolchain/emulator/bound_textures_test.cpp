// Texture instructions of the emulator: the texture they read, and where their results go.
#include "toolchain/emulator/bound_textures.h"

#include <gtest/gtest.h>

namespace gt200::emulator {

using namespace arch_state;
namespace {

class bound : public testing::Test {
 protected:
  bound() {
    EXPECT_TRUE(global.map(0x100000, 16));
    const std::uint32_t texels[4] = {0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c};
    EXPECT_TRUE(global.write(0x100000, texels, sizeof texels));
    launch::bound_texture t;
    t.unit = 5;
    t.address = 0x100000;
    t.shape.extent[0] = 4;
    t.shape.texel = {sampling::texel_format::u8, 4, false};
    list = {t};
    instruction.texture.texel_numbers = true;
    instruction.texture.unit = 5;
    instruction.texture.arguments = 1;
    instruction.texture.write_mask = 0xf;
    record.instruction = &instruction;
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) record.values.source[0][0].lane[lane] = lane;
  }
  memory global;
  std::vector<launch::bound_texture> list;
  isa::tesla::instruction instruction;
  step_record record;
};

TEST_F(bound, components_go_to_consecutive_destinations) {
  instruction.texture.write_mask = 0xa;
  record.values.destination[0].lane[3] = 77;
  EXPECT_EQ(bound_textures(list, global).fetch(record, 0x16), fault_kind::none);
  EXPECT_EQ(record.values.destination[0].lane[1], 5u);
  EXPECT_EQ(record.values.destination[1].lane[2], 0xbu);
  EXPECT_EQ(record.values.destination[0].lane[4], 0u) << "outside";
  EXPECT_EQ(record.values.destination[0].lane[3], 77u) << "a lane that does not take part";
}

TEST_F(bound, unreadable_textures_are_a_fault) {
  instruction.texture.unit = 4;
  EXPECT_EQ(bound_textures(list, global).fetch(record, 1), fault_kind::texture_not_bound);
  instruction.texture.unit = 5;
  instruction.texture.texel_numbers = false;
  EXPECT_EQ(bound_textures(list, global).fetch(record, 1), fault_kind::unsupported) << "linear memory, by floats";
}

TEST_F(bound, a_handle_selects_the_texture_if_all_lanes_have_the_same) {
  instruction.texture.unit = 0;
  instruction.texture.by_handle = true;
  for (std::uint32_t& handle : record.values.source[2][0].lane) handle = 5;
  EXPECT_EQ(bound_textures(list, global).fetch(record, 0x3), fault_kind::none);
  EXPECT_EQ(record.values.destination[0].lane[1], 4u);
  record.values.source[2][0].lane[1] = 6;
  EXPECT_EQ(bound_textures(list, global).fetch(record, 0x1), fault_kind::none) << "lane 1 does not take part";
  EXPECT_EQ(bound_textures(list, global).fetch(record, 0x3), fault_kind::unsupported);
  EXPECT_EQ(bound_textures(list, global).fetch(record, 0x2), fault_kind::texture_not_bound);
}

}  // namespace
}  // namespace gt200::emulator
