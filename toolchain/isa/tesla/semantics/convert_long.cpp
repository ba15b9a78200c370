// cvt with a 64-bit side: double precision and 64-bit integers. Denormals are kept, NaNs keep their sign and
// payload.
#include "toolchain/isa/tesla/semantics/convert.h"
#include "toolchain/isa/tesla/semantics/float_bits.h"
#include "toolchain/isa/tesla/semantics/soft_round.h"
#include "toolchain/isa/tesla/semantics/wide_lanes.h"

namespace gt200::isa::tesla::semantics {
namespace {

// Saturation can be encoded, but the hardware ignores it here.
struct integer_to_float {
  explicit integer_to_float(const instruction& i)
      : format(bytes_of(i.destination_type) == 8 ? double_format : single_format),
        is_signed(i.source_signed[0]),
        from_64(bytes_of(i.source_type) == 8),
        absolute(i.source[0].absolute),
        negate(i.source[0].negate),
        mode(i.round) {}
  wide_value operator()(std::uint64_t x) const {
    if (!from_64)
      x = is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(x)))
                    : x & 0xffffffffu;
    bool negative = is_signed && (x >> 63) != 0;
    if (negative) x = 0 - x;
    if (absolute) negative = false;
    if (negate) negative = !negative;
    // An unsigned source is rounded as a magnitude even if it is also negated.
    std::uint64_t r = pack(format, is_signed && negative, x, 0, mode);
    const std::uint32_t flags = r == 0 ? flag_z : (negative ? flag_s : 0u);
    if (negative) r |= format.fraction_bits == 52 ? sign_bit64 : sign_bit32;
    return {r, flags};
  }
  float_format format;
  bool is_signed, from_64, absolute, negate;
  rounding mode;
};

// O means that the value was out of range. A NaN gives the most negative number, for unsigned destinations too.
struct float_to_integer {
  explicit float_to_integer(const instruction& i)
      : format(bytes_of(i.source_type) == 8 ? double_format : single_format),
        bits(8 * bytes_of(i.destination_type)),
        is_signed(i.is_signed),
        absolute(i.source[0].absolute),
        negate(i.source[0].negate),
        mode(i.round) {}
  wide_value operator()(std::uint64_t x) const {
    const std::uint64_t sign = format.fraction_bits == 52 ? sign_bit64 : sign_bit32;
    x &= sign | (sign - 1);
    if (absolute) x &= ~sign;
    if (negate) x ^= sign;
    const bool negative = (x & sign) != 0;
    const std::uint64_t magnitude = x & ~sign;
    const std::uint64_t top = std::uint64_t{1} << (bits - 1);
    if (magnitude > format.infinity()) return {top, flag_s | flag_o};
    bool overflow = false;
    std::uint64_t integer = rounded_magnitude(magnitude, negative);
    const std::uint64_t all_ones = top | (top - 1);
    std::uint64_t limit = all_ones;
    if (is_signed) limit = negative ? top : top - 1;
    if (!is_signed && negative) limit = 0;
    if (integer > limit) {
      integer = limit;
      overflow = true;
    }
    const std::uint64_t r = (negative ? 0 - integer : integer) & all_ones;
    const std::uint32_t flags = r == 0 ? flag_z : ((r & top) != 0 ? flag_s : 0u);
    return {r, flags | (overflow ? flag_o : 0u)};
  }

 private:
  std::uint64_t rounded_magnitude(std::uint64_t magnitude, bool negative) const {
    const int field = static_cast<int>(magnitude >> format.fraction_bits);
    const std::uint64_t fraction = magnitude & ((std::uint64_t{1} << format.fraction_bits) - 1);
    const std::uint64_t significand = field != 0 ? fraction | std::uint64_t{1} << format.fraction_bits : fraction;
    const int exponent = (field != 0 ? field : 1) - format.bias() - format.fraction_bits;  // of the last bit
    if (exponent > 63 - format.fraction_bits) return ~std::uint64_t{0};                    // infinity too
    if (exponent >= 0) return significand << exponent;
    return shift_right_rounded(significand, -exponent, mirrored(mode, negative));
  }
  float_format format;
  int bits;
  bool is_signed, absolute, negate;
  rounding mode;
};

std::uint64_t single_to_double(std::uint32_t x) {
  const std::uint64_t sign = static_cast<std::uint64_t>(x & sign_bit32) << 32;
  const std::uint32_t magnitude = x & ~sign_bit32;
  if (magnitude >= infinity32) {
    const std::uint64_t quiet = magnitude > infinity32 ? quiet_bit64 : 0;
    return sign | infinity64 | static_cast<std::uint64_t>(magnitude & 0x7fffffu) << 29 | quiet;
  }
  const std::uint32_t field = magnitude >> 23;
  const std::uint64_t significand = field != 0 ? (magnitude & 0x7fffffu) | 0x800000u : magnitude;
  return sign |
         pack(double_format, false, significand, static_cast<int>(field != 0 ? field : 1) - 150, rounding::zero);
}

struct unpacked_double {
  explicit unpacked_double(std::uint64_t x)
      : significand((x & 0xfffffffffffffu) | (field(x) != 0 ? std::uint64_t{1} << 52 : 0)),
        exponent((field(x) != 0 ? field(x) : 1) - 1075) {}
  static int field(std::uint64_t x) { return static_cast<int>(x >> 52 & 0x7ffu); }
  std::uint64_t significand;
  int exponent;  // of the last bit
};

std::uint32_t double_to_single(std::uint64_t x, rounding mode) {
  const std::uint32_t sign = static_cast<std::uint32_t>(x >> 32) & sign_bit32;
  const std::uint64_t magnitude = x & ~sign_bit64;
  if (magnitude >= infinity64) return sign | infinity32 | static_cast<std::uint32_t>(x >> 29 & 0x7fffffu);
  const unpacked_double u(x);
  return sign | static_cast<std::uint32_t>(pack(single_format, sign != 0, u.significand, u.exponent, mode));
}

std::uint64_t integral_double(std::uint64_t x, rounding mode) {
  const unpacked_double u(x);
  if (u.exponent >= 0 || (x & ~sign_bit64) == 0) return x;  // infinities as well
  const bool negative = (x & sign_bit64) != 0;
  const std::uint64_t integer = shift_right_rounded(u.significand, -u.exponent, mirrored(mode, negative));
  return (x & sign_bit64) | pack(double_format, false, integer, 0, rounding::zero);
}

struct float_to_float {
  explicit float_to_float(const instruction& i)
      : from_64(bytes_of(i.source_type) == 8),
        to_64(bytes_of(i.destination_type) == 8),
        integral(i.integral_round && from_64 && to_64),
        absolute(i.source[0].absolute),
        negate(i.source[0].negate),
        mode(i.round) {}
  wide_value operator()(std::uint64_t x) const {
    std::uint64_t r = from_64 ? x : single_to_double(static_cast<std::uint32_t>(x));
    if (is_nan64(r)) {
      r |= quiet_bit64;  // and keeps its sign
    } else {
      if (absolute) r &= ~sign_bit64;
      if (negate) r ^= sign_bit64;
      if (integral) r = integral_double(r, mode);
    }
    if (to_64) return {r, double_flags(r)};
    const std::uint32_t single = double_to_single(r, mode);
    return {single, double_flags(single_to_double(single))};
  }
  bool from_64, to_64, integral, absolute, negate;
  rounding mode;
};

}  // namespace

lane_function convert_long_function(const instruction& i) {
  switch (i.cvt) {
    case cvt_kind::i2f: return wide_map<integer_to_float>(i);
    case cvt_kind::f2i: return wide_map<float_to_integer>(i);
    case cvt_kind::f2f: return wide_map<float_to_float>(i);
    case cvt_kind::i2i: return nullptr;
  }
  return nullptr;
}

}  // namespace gt200::isa::tesla::semantics
