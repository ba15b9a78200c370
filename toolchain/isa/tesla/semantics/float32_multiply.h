// Single-precision products of 32 lanes, rounded to nearest.
#pragma once

#include <cmath>

#include "toolchain/isa/common/lane_bundle.h"
#include "toolchain/isa/tesla/instruction.h"
#include "toolchain/isa/tesla/semantics/float_bits.h"

namespace gt200::isa::tesla::semantics {

// The GPU decides underflow after rounding to 24 bits without a lower limit of the exponent; the host rounds to the
// grid of the denormals. They differ if the host's result is the smallest normal number.
inline constexpr std::uint32_t smallest_normal32 = 0x00800000u;

// Below this magnitude a product rounds to less than 2^-126: 2^-126 (1 - 2^-25).
inline constexpr double product_underflow = 0x1.ffffffp-127;

// The exact product, for the lanes where the host's may be wrong.
inline std::uint32_t product_near_underflow(std::uint32_t x, std::uint32_t y) {
  const double exact = static_cast<double>(as_float(x)) * static_cast<double>(as_float(y));
  const std::uint32_t sign = (x ^ y) & sign_bit32;
  return std::fabs(exact) < product_underflow ? sign : sign | smallest_normal32;
}

// product = x * y for flushed x and y. NaN results are not canonical.
inline void multiply_nearest(const lane_words& x, const lane_words& y, lane_words& product) {
  std::uint32_t doubtful = 0;
  for (int lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t r = bits_of(as_float(x.lane[lane]) * as_float(y.lane[lane]));
    doubtful |= (r & ~sign_bit32) == smallest_normal32 ? 1u : 0u;
    product.lane[lane] = flushed(r);
  }
  if (doubtful == 0) return;
  for (int lane = 0; lane < warp_size; ++lane) {
    if ((product.lane[lane] & ~sign_bit32) == smallest_normal32) {
      product.lane[lane] = product_near_underflow(x.lane[lane], y.lane[lane]);
    }
  }
}

inline void make_nans_canonical(lane_words& words) {
  for (int lane = 0; lane < warp_size; ++lane) words.lane[lane] = canonical(words.lane[lane]);
}

}  // namespace gt200::isa::tesla::semantics
