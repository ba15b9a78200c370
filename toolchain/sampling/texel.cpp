#include "toolchain/sampling/texel.h"

#include <algorithm>
#include <cstring>

namespace gt200::sampling {

namespace {

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

template <class Stored>
std::uint32_t read_integer(const std::uint8_t* bytes) {
  Stored value;
  std::memcpy(&value, bytes, sizeof value);
  return static_cast<std::uint32_t>(value);  // signed types extend their sign
}

template <class Stored>
std::uint32_t read_normalised(const std::uint8_t* bytes, float largest) {
  Stored value;
  std::memcpy(&value, bytes, sizeof value);
  return bits_of(std::max(static_cast<float>(value) / largest, -1.0f));
}

std::uint32_t read_component(const texel_layout& layout, const std::uint8_t* bytes) {
  const bool normalised = layout.normalised;
  switch (layout.format) {
    case texel_format::u8:
      return normalised ? read_normalised<std::uint8_t>(bytes, 255.0f) : read_integer<std::uint8_t>(bytes);
    case texel_format::s8:
      return normalised ? read_normalised<std::int8_t>(bytes, 127.0f) : read_integer<std::int8_t>(bytes);
    case texel_format::u16:
      return normalised ? read_normalised<std::uint16_t>(bytes, 65535.0f) : read_integer<std::uint16_t>(bytes);
    case texel_format::s16:
      return normalised ? read_normalised<std::int16_t>(bytes, 32767.0f) : read_integer<std::int16_t>(bytes);
    case texel_format::u32:
    case texel_format::s32:
    case texel_format::f32: break;
  }
  return read_integer<std::uint32_t>(bytes);
}

}  // namespace

texel_value read_texel(const texel_layout& layout, const std::uint8_t* bytes) {
  texel_value result = {{0, 0, 0, layout.reads_floats() ? bits_of(1.0f) : 1u}};
  for (unsigned c = 0; c < layout.components; ++c)
    result.component[c] = read_component(layout, bytes + c * bytes_of(layout.format));
  return result;
}

}  // namespace gt200::sampling
