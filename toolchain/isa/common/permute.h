// The byte permutation of PTX prmt, which Fermi and later generations have.
#pragma once

#include <cstdint>

namespace gt200::isa {

enum class byte_selection : std::uint8_t { index, f4e, b4e, rc8, ecl, ecr, rc16 };

// Byte k of the result, of the eight in `bytes`.
constexpr std::uint32_t selected_byte(std::uint64_t bytes, std::uint32_t control, unsigned k, byte_selection mode) {
  const unsigned c = control & 3;
  const auto byte = [bytes](unsigned n) { return static_cast<std::uint32_t>(bytes >> (8 * n) & 0xff); };
  switch (mode) {
    case byte_selection::index: {
      const std::uint32_t nibble = control >> (4 * k) & 0xf;
      const std::uint32_t b = byte(nibble & 7);
      return (nibble & 8) == 0 ? b : (b & 0x80) != 0 ? 0xffu : 0u;
    }
    case byte_selection::f4e: return byte(c + k);
    case byte_selection::b4e: return byte((c + 8 - k) & 7);
    case byte_selection::rc8: return byte(c);
    case byte_selection::ecl: return byte(k > c ? k : c);
    case byte_selection::ecr: return byte(k < c ? k : c);
    case byte_selection::rc16: return byte((c & 1) * 2 + (k & 1));
  }
  return 0;
}

constexpr std::uint32_t permuted(std::uint64_t bytes, std::uint32_t control, byte_selection mode) {
  std::uint32_t value = 0;
  for (unsigned k = 0; k < 4; ++k) value |= selected_byte(bytes, control, k, mode) << (8 * k);
  return value;
}

}  // namespace gt200::isa
