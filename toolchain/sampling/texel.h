// Converts texels to register values: pure functions, shared by the emulator and the texture unit of the cycle
// model.
#pragma once

#include <cstdint>

namespace gt200::sampling {

// How a component of a texel is stored. 8 and 16 bits read as integers, or as floats when normalised.
enum class texel_format : std::uint8_t { u8, s8, u16, s16, u32, s32, f32 };
constexpr std::uint32_t bytes_of(texel_format f) {
  return f <= texel_format::s8 ? 1 : f <= texel_format::s16 ? 2 : 4;
}

struct texel_layout {
  texel_format format = texel_format::f32;
  std::uint8_t components = 1;  // 1, 2 or 4
  bool normalised = false;      // 8 and 16 bits read as 0..1 (unsigned) or -1..1 (signed)

  std::uint32_t bytes() const { return components * bytes_of(format); }
  // Components are floats in the registers; only these can be filtered.
  bool reads_floats() const { return format == texel_format::f32 || (bytes_of(format) < 4 && normalised); }
};

struct texel_value {
  std::uint32_t component[4];
};

// Components as lanes see them: integers extended to 32 bits, normalised ones and f32 as float bits. Missing
// components are 0, a missing fourth is 1 (assumption: the graphics default). `bytes`: the texel, little endian.
texel_value read_texel(const texel_layout& layout, const std::uint8_t* bytes);

}  // namespace gt200::sampling
