#include "testbenches/system/checked/test_textures.h"

#include <stdexcept>

#include "toolchain/arch_state/initial_state.h"

namespace gt200::support {

namespace {

using sampling::texel_format;
using sampling::texture_addressing;
constexpr auto point = sampling::texture_filter::point;
constexpr auto linear = sampling::texture_filter::linear;

sampling::texture_shape image(const std::vector<std::uint32_t>& extent, const sampling::texel_layout& texel,
                              sampling::texture_filter filter, bool wrap) {
  sampling::texture_shape shape;
  shape.dimensions = static_cast<unsigned>(extent.size());
  for (std::size_t d = 0; d < extent.size(); ++d) shape.extent[d] = extent[d];
  shape.texel = texel;
  shape.pitch = (extent[0] * texel.bytes() + 31) / 32 * 32;
  shape.filter = filter;
  shape.normalised_coordinates = wrap;
  if (wrap) shape.addressing = {texture_addressing::wrap, texture_addressing::clamp, texture_addressing::wrap};
  return shape;
}

}  // namespace

test_textures::test_textures(device& board, std::uint32_t buffer) {
  sampling::texture_shape pairs;
  pairs.extent[0] = 4096;
  pairs.texel = {texel_format::u16, 2, false};
  bind(board, buffer, pairs);
  bind(board, buffer, image({32, 20}, {texel_format::s8, 4, false}, point, true));
  bind(board, buffer, image({24, 24}, {texel_format::u16, 2, true}, linear, false));
  add_array(board, image({200}, {texel_format::f32, 2, false}, linear, true));
  add_array(board, image({70, 33}, {texel_format::u8, 4, true}, linear, false));
  add_array(board, image({19, 80}, {texel_format::s32, 4, false}, point, true));
  add_array(board, image({9, 17, 12}, {texel_format::s16, 1, true}, linear, true));
}

void test_textures::bind(device& board, std::uint32_t address, const sampling::texture_shape& shape) {
  const auto unit = static_cast<unsigned>(bound_.size());
  board.bind_texture(unit, model::texture_binding::of(address, shape));
  bound_.push_back({{}, unit, address, shape, 0});
}

void test_textures::add_array(device& board, sampling::texture_shape shape) {
  sampling::use_blocks(shape);
  std::vector<std::uint8_t> rows(shape.bytes_in_rows());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = static_cast<std::uint8_t>(arch_state::mix_bits(static_cast<std::uint32_t>(i)));
    if (shape.texel.format == texel_format::f32 && i % 4 == 3) rows[i] = 0x41;  // floats between 8 and 32
  }
  const array a = {board.allocate_array(shape.bytes()), sampling::in_blocks(shape, rows.data())};
  board.poke(a.address, a.bytes.data(), a.bytes.size());
  bind(board, a.address, shape);
  arrays_.push_back(a);
}

void test_textures::map_arrays(arch_state::memory& memory) const {
  for (const array& a : arrays_)
    if (!memory.map(a.address, static_cast<std::uint32_t>(a.bytes.size())) ||
        !memory.write(a.address, a.bytes.data(), a.bytes.size()))
      throw std::logic_error("an array cannot be mapped in the emulator");
}

}  // namespace gt200::support
