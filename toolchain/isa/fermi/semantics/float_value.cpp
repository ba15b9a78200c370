#include "toolchain/isa/fermi/semantics/float_value.h"

#include <cmath>

namespace gt200::isa::fermi::semantics {
namespace {

// The magnitude in the format.
std::uint64_t packed(const float_format& format, double value, rounding mode) {
  constexpr int fraction_bits = 52;
  constexpr int exponent_of_last_bit = -1074;
  const std::uint64_t bits = bits_of(value);
  const bool negative = bits >> 63 != 0;
  const std::uint64_t magnitude = bits & ~sign_bit64;
  if (magnitude == infinity64) return format.infinity();
  const auto field = static_cast<int>(magnitude >> fraction_bits);
  const std::uint64_t fraction = magnitude & ((std::uint64_t{1} << fraction_bits) - 1);
  const std::uint64_t significand = field == 0 ? fraction : fraction | std::uint64_t{1} << fraction_bits;
  const int exponent = exponent_of_last_bit + (field == 0 ? 0 : field - 1);
  return tesla::semantics::pack(format, negative, significand, exponent, rounding_of(mode));
}

}  // namespace

double odd_sum(double x, double y, bool zero_is_negative) {
  const double sum = x + y;
  if (!std::isfinite(sum)) return sum;
  if (sum == 0) {
    const bool same_sign = std::signbit(x) == std::signbit(y);
    return same_sign ? sum : zero_is_negative ? -0.0 : 0.0;
  }
  // The rounding error of the sum, exactly (Knuth).
  const double y_part = sum - x;
  const double error = (x - (sum - y_part)) + (y - y_part);
  const std::uint64_t bits = bits_of(sum);
  if (error == 0 || (bits & 1) != 0) return sum;
  return as_double((error > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

std::uint32_t to_single(double value, rounding mode) {
  if (std::isnan(value)) return canonical_nan32;
  if (mode == rounding::nearest) return bits_of(static_cast<float>(value));
  const std::uint32_t sign = std::signbit(value) ? sign_bit32 : 0;
  return sign | static_cast<std::uint32_t>(packed(single_format, value, mode));
}

std::uint32_t to_half(double value, rounding mode) {
  if (std::isnan(value)) return canonical_nan16;
  const std::uint32_t sign = std::signbit(value) ? 0x8000u : 0u;
  return sign | static_cast<std::uint32_t>(packed(half_format, value, mode));
}

double half_value(std::uint32_t x) {
  const std::uint32_t magnitude = x & 0x7fff;
  double value = 0;
  if (magnitude > half_format.infinity())
    value = as_double(canonical_nan64);
  else if (magnitude == half_format.infinity())
    value = as_double(infinity64);
  else if (magnitude < 0x400)
    value = std::ldexp(static_cast<double>(magnitude), -24);
  else
    value = std::ldexp(static_cast<double>((magnitude & 0x3ff) | 0x400), static_cast<int>(magnitude >> 10) - 25);
  return (x & 0x8000) != 0 ? -value : value;
}

double integral(double value, rounding mode) {
  switch (mode) {
    case rounding::nearest: return std::nearbyint(value);
    case rounding::minus: return std::floor(value);
    case rounding::plus: return std::ceil(value);
    case rounding::zero: break;
  }
  return std::trunc(value);
}

}  // namespace gt200::isa::fermi::semantics
