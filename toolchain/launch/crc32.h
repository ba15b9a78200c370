// CRC-32 of zlib, PNG and Ethernet (reflected polynomial 0xedb88320).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gt200::launch {

namespace detail {
constexpr std::array<std::uint32_t, 256> make_crc_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value & 1u) != 0 ? 0xedb88320u ^ (value >> 1) : value >> 1;
    table[i] = value;
  }
  return table;
}
inline constexpr std::array<std::uint32_t, 256> crc_table = make_crc_table();
}  // namespace detail

inline std::uint32_t crc32(const std::uint8_t* bytes, std::size_t size) {
  std::uint32_t crc = 0xffffffffu;
  for (std::size_t i = 0; i < size; ++i) crc = detail::crc_table[(crc ^ bytes[i]) & 0xffu] ^ (crc >> 8);
  return ~crc;
}

}  // namespace gt200::launch
