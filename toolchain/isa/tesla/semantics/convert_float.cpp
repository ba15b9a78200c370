// cvt between single and half precision, and within each: sign operations, saturation, rounding to integral values.
#include "toolchain/isa/tesla/semantics/convert.h"
#include "toolchain/isa/tesla/semantics/convert_half.h"
#include "toolchain/isa/tesla/semantics/lane_map.h"

namespace gt200::isa::tesla::semantics {
namespace {

// The nearest integral value according to `mode`, with the sign of x (so small negative numbers give -0). x is
// flushed; all singles from 2^23 on are integral.
std::uint32_t integral_value(std::uint32_t x, rounding mode) {
  const int exponent = static_cast<int>(x >> 23 & 0xffu);
  const std::uint32_t sign = x & sign_bit32;
  if (exponent >= 150 || (x & ~sign_bit32) == 0) return x;
  const std::uint64_t significand = (x & 0x7fffffu) | 0x800000u;
  const std::uint64_t integer = shift_right_rounded(significand, 150 - exponent, mirrored(mode, sign != 0));
  return sign | static_cast<std::uint32_t>(pack(single_format, false, integer, 0, rounding::zero));
}

template <bool from_half, bool to_half, bool integral>
struct float_to_float {
  explicit float_to_float(const instruction& i) : modify(i.source[0]), mode(i.round), saturate(i.saturate) {}
  value_and_flags operator()(std::uint32_t x, std::uint32_t, std::uint32_t, std::uint8_t) const {
    std::uint32_t r = canonical(flushed(modify(from_half ? half_to_single(x & 0xffffu) : x)));
    if (saturate) r = saturated(r);
    if (integral) r = integral_value(r, mode);
    if (!to_half) return {r, float_flags(r)};
    r = single_to_half(r, mode, integral ? rounding::zero : mode);
    return {r, float_flags(half_to_single(r))};
  }
  sign_modifier32 modify;
  rounding mode;
  bool saturate;
};

template <bool from_half, bool to_half>
lane_function select(const instruction& i) {
  return i.integral_round ? lane_map<float_to_float<from_half, to_half, true>>(i)
                          : lane_map<float_to_float<from_half, to_half, false>>(i);
}

}  // namespace

lane_function convert_float_function(const instruction& i) {
  const bool to_half = bytes_of(i.destination_type) == 2;
  if (bytes_of(i.source_type) == 2) return to_half ? select<true, true>(i) : select<true, false>(i);
  return to_half ? select<false, true>(i) : select<false, false>(i);
}

}  // namespace gt200::isa::tesla::semantics
