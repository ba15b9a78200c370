#include "toolchain/isa/volta/texture.h"

namespace gt200::isa::volta {

texture_arguments arguments_of(const instruction& i) {
  constexpr std::array<std::uint8_t, 8> coordinates = {1, 2, 3, 3, 2, 3, 3, 4};  // by shape
  enum : std::uint8_t { coordinate_rows = 0, extra_rows = 1, handle_row = 2 };
  texture_arguments all;
  all.coordinates = coordinates[static_cast<unsigned>(i.shape) & 7];
  const auto add = [&](std::uint8_t row_source, std::uint8_t row) {
    all.of[all.count].row_source = row_source;
    all.of[all.count++].row = row;
  };
  for (std::uint8_t k = 0; k < all.coordinates; ++k) add(coordinate_rows, k);
  if (i.handle_in_register) add(handle_row, 0);
  const bool has_level = i.level == texture_level::biased || i.level == texture_level::given;
  for (const bool is_there : {has_level, i.texel_offset, i.depth_compare})
    if (is_there) add(extra_rows, all.extras++);
  all.possible = !i.scalar_arguments || all.count <= max_scalar_arguments;
  const unsigned in_a = i.scalar_arguments ? (all.count + 1u) / 2 : all.coordinates;
  for (unsigned k = 0; k < all.count; ++k) {
    all.of[k].source = k < in_a ? 0 : 1;
    all.of[k].word = static_cast<std::uint8_t>(k < in_a ? k : k - in_a);
  }
  all.words = {static_cast<std::uint8_t>(in_a), static_cast<std::uint8_t>(all.count - in_a)};
  return all;
}

}  // namespace gt200::isa::volta
