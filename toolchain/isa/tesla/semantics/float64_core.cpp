#include "toolchain/isa/tesla/semantics/float64_core.h"

#include "toolchain/isa/tesla/semantics/float_bits.h"
#include "toolchain/isa/tesla/semantics/soft_round.h"

namespace gt200::isa::tesla::semantics {
namespace {

// (-1)^negative * significand * 2^exponent
struct exact_number {
  bool negative;
  uint128 significand;
  int exponent;
};

bool is_infinite(std::uint64_t x) { return (x & ~sign_bit64) == infinity64; }
bool is_zero(std::uint64_t x) { return (x & ~sign_bit64) == 0; }

exact_number unpack(std::uint64_t x) {
  const int field = static_cast<int>(x >> 52 & 0x7ffu);
  const std::uint64_t fraction = x & 0xfffffffffffffu;
  if (field == 0) return {(x >> 63) != 0, fraction, -1074};
  return {(x >> 63) != 0, fraction | std::uint64_t{1} << 52, field - 1075};
}

// Shifts the highest one to bit 125, which leaves room for a carry.
void normalise(exact_number& x) {
  const int shift = 125 - highest_bit(x.significand);
  x.significand <<= shift;
  x.exponent -= shift;
}

std::uint64_t signed_double(bool negative, uint128 significand, int exponent, rounding mode) {
  return (negative ? sign_bit64 : 0) | pack(double_format, negative, significand, exponent, mode);
}

// The rounded sum. An operand far below the other one is reduced to a sticky bit. That is sufficient because it
// lies 70 bits below the bits that are kept.
std::uint64_t sum(exact_number a, exact_number b, rounding mode) {
  const bool zero_sign = a.negative == b.negative ? a.negative : mode == rounding::minus;
  if (a.significand == 0 && b.significand == 0) return zero_sign ? sign_bit64 : 0;
  if (a.significand == 0) return signed_double(b.negative, b.significand, b.exponent, mode);
  if (b.significand == 0) return signed_double(a.negative, a.significand, a.exponent, mode);
  normalise(a);
  normalise(b);
  exact_number& larger = a.exponent >= b.exponent ? a : b;
  exact_number& smaller = a.exponent >= b.exponent ? b : a;
  smaller.significand = shift_right_sticky(smaller.significand, larger.exponent - smaller.exponent);
  if (a.negative == b.negative) {
    return signed_double(a.negative, a.significand + b.significand, larger.exponent, mode);
  }
  if (a.significand == b.significand) return zero_sign ? sign_bit64 : 0;
  const bool a_wins = a.significand > b.significand;
  const uint128 difference = a_wins ? a.significand - b.significand : b.significand - a.significand;
  return signed_double(a_wins ? a.negative : b.negative, difference, larger.exponent, mode);
}

}  // namespace

std::uint64_t add_double(std::uint64_t a, std::uint64_t b, rounding mode) {
  if (is_nan64(b)) return b | quiet_bit64;
  if (is_nan64(a)) return a | quiet_bit64;
  if (is_infinite(a)) return is_infinite(b) && a != b ? invalid_nan64 : a;
  if (is_infinite(b)) return b;
  return sum(unpack(a), unpack(b), mode);
}

std::uint64_t fma_double(std::uint64_t a, std::uint64_t b, std::uint64_t c, rounding mode) {
  if (is_nan64(b)) return b | quiet_bit64;
  if (is_nan64(c)) return c | quiet_bit64;
  if (is_nan64(a)) return a | quiet_bit64;
  const std::uint64_t product_sign = (a ^ b) & sign_bit64;
  if (is_infinite(a) || is_infinite(b)) {
    if (is_zero(a) || is_zero(b)) return invalid_nan64;
    if (is_infinite(c) && (c & sign_bit64) != product_sign) return invalid_nan64;
    return product_sign | infinity64;
  }
  if (is_infinite(c)) return c;
  const exact_number x = unpack(a);
  const exact_number y = unpack(b);
  return sum({x.negative != y.negative, x.significand * y.significand, x.exponent + y.exponent}, unpack(c), mode);
}

}  // namespace gt200::isa::tesla::semantics
