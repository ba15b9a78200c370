// Numbers of 16 bits as exact values, and exact values rounded to them: what tests compare arithmetic of halves
// with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace gt200::isa::volta {

// Sums of a product of halves and a half are exact in it, unless their rounded value is infinite.
using exact = long double;

inline exact value_of_half(std::uint32_t h) {
  const int exponent = static_cast<int>(h >> 10 & 31);
  const exact fraction = h & 0x3ff;
  exact v = 0;
  if (exponent == 31)
    v = fraction != 0 ? std::numeric_limits<exact>::quiet_NaN() : std::numeric_limits<exact>::infinity();
  else
    v = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(fraction + 1024, exponent - 25);
  return (h & 0x8000) != 0 ? -v : v;
}

// To nearest, ties to even; every NaN is 0x7fff.
inline std::uint32_t rounded_half(exact v) {
  if (std::isnan(v)) return 0x7fff;
  const std::uint32_t sign = std::signbit(v) ? 0x8000 : 0;
  const exact size = std::fabs(v);
  if (size >= 65520) return sign | 0x7c00;
  if (size == 0) return sign;
  const int step = std::max(std::ilogb(size) - 10, -24);
  const auto n = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(size, -step)));
  return sign | (n < 1024 ? n : (static_cast<std::uint32_t>(step + 25) << 10) + (n - 1024));
}

inline std::uint32_t flushed_half(std::uint32_t h) { return (h & 0x7c00) == 0 ? h & 0x8000 : h; }

}  // namespace gt200::isa::volta
