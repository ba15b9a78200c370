// Conversions between integers and floats of all widths. Floats pass as doubles, which hold all of them exactly.
#include <algorithm>
#include <cmath>

#include "toolchain/isa/fermi/semantics/float_value.h"
#include "toolchain/isa/fermi/semantics/lanes.h"
#include "toolchain/isa/tesla/semantics/host_float.h"

namespace gt200::isa::fermi::semantics {
namespace {

using tesla::semantics::with_host_float;

struct integer_format {
  unsigned bits = 32;
  bool is_signed = false;
};
constexpr integer_format format_of(number_type t) {
  const auto code = static_cast<unsigned>(t);
  return {8u << (code >> 1), (code & 1) != 0};
}

// A sign and a magnitude, because unsigned 64-bit values may be negated.
struct integer {
  bool negative = false;
  std::uint64_t magnitude = 0;
};

struct integer_source {
  explicit integer_source(const instruction& i)
      : format(format_of(i.source_type)),
        low(format.bits * i.part),
        absolute(i.source[1].absolute),
        negate(i.source[1].negate) {}
  integer operator()(const lane_bundle& b, unsigned lane) const {
    const std::uint64_t word =
        format.bits == 64 ? wide_source(b, 1, lane) : std::uint64_t{b.source[1][0].lane[lane]} >> low;
    const std::uint64_t aligned = word << (64 - format.bits);
    integer v;
    v.negative = format.is_signed && aligned >> 63 != 0;
    v.magnitude = v.negative ? (0 - aligned) >> (64 - format.bits) : aligned >> (64 - format.bits);
    if (absolute) v.negative = false;
    if (negate && v.magnitude != 0) v.negative = !v.negative;
    return v;
  }
  integer_format format;
  unsigned low;
  bool absolute, negate;
};

// To the nearest value of the format, or to its lower bits.
std::uint64_t to_format(integer v, const integer_format& format, bool saturate) {
  const std::uint64_t ones = ~std::uint64_t{0} >> (64 - format.bits);
  const std::uint64_t top = format.is_signed ? ones >> 1 : ones;
  if (saturate) {
    const std::uint64_t bottom = format.is_signed ? top + 1 : 0;
    v.magnitude = std::min(v.magnitude, v.negative ? bottom : top);
  }
  std::uint64_t bits = (v.negative ? 0 - v.magnitude : v.magnitude) & ones;
  if (format.is_signed && (bits & ~top) != 0) bits |= ~ones;
  return bits;
}

void store_integer(lane_bundle& b, unsigned lane, std::uint64_t value, const integer_format& format) {
  store_wide(b, lane, value);
  std::uint32_t flags = 0;
  if (format.bits == 64)
    flags = (value == 0 ? flag_zero : 0u) | (value >> 63 != 0 ? flag_sign : 0u);
  else
    flags = zero_sign_flags(static_cast<std::uint32_t>(value));
  b.flags_out[lane] = static_cast<std::uint8_t>(flags);
}

void store_float(const instruction& i, lane_bundle& b, unsigned lane, double value, rounding mode) {
  if (i.destination_type == number_type::f64) {
    std::uint64_t x = std::isnan(value) ? canonical_nan64 : bits_of(value);
    if (i.saturate) x = value > 1 ? bits_of(1.0) : value > 0 ? x : 0;
    store_wide(b, lane, x);
    b.flags_out[lane] = static_cast<std::uint8_t>(float_flags(x));
    return;
  }
  std::uint32_t x = 0;
  if (i.destination_type == number_type::f32) {
    x = to_single(value, mode);
    if (i.ftz) x = without_denormal(x);
    if (i.saturate) x = saturated(x);
  } else {
    x = to_half(i.saturate ? (value > 1 ? 1.0 : value > 0 ? value : 0.0) : value, mode);
  }
  b.destination[0].lane[lane] = x;
  b.flags_out[lane] = static_cast<std::uint8_t>(
      float_flags(i.destination_type == number_type::f32
                      ? x
                      : static_cast<std::uint32_t>(to_single(half_value(x), rounding::zero))));
}

double float_source(const instruction& i, const lane_bundle& b, unsigned lane) {
  const sign_change change(i.source[1]);
  if (i.source_type == number_type::f64) return as_double(change(wide_source(b, 1, lane)));
  std::uint32_t x = b.source[1][0].lane[lane];
  if (i.source_type == number_type::f16) x = to_single(half_value(x >> (16 * i.part) & 0xffff), rounding::zero);
  x = change(x);
  return static_cast<double>(as_float(i.ftz && i.source_type == number_type::f32 ? without_denormal(x) : x));
}

void integer_to_integer(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_fermi(any);
  const integer_source from(i);
  const integer_format format = format_of(i.destination_type);
  for (unsigned lane = 0; lane < warp_size; ++lane)
    store_integer(b, lane, to_format(from(b, lane), format, i.saturate), format);
}

void integer_to_float(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_fermi(any);
  const integer_source from(i);
  const float_format& format = i.destination_type == number_type::f64   ? double_format
                               : i.destination_type == number_type::f32 ? single_format
                                                                        : half_format;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const integer v = from(b, lane);
    const std::uint64_t magnitude =
        tesla::semantics::pack(format, v.negative, v.magnitude, 0, rounding_of(i.round));
    const unsigned sign_place = i.destination_type == number_type::f64   ? 63
                                : i.destination_type == number_type::f32 ? 31
                                                                         : 15;
    store_wide(b, lane, magnitude | std::uint64_t{v.negative} << sign_place);
    b.flags_out[lane] =
        static_cast<std::uint8_t>((magnitude == 0 ? flag_zero : 0u) | (v.negative ? flag_sign : 0u));
  }
}

// Out of range becomes the nearest value. A NaN becomes the number whose highest bit alone is set if either side
// has 64 bits, else 0 (PTX ISA 9.0, cvt; CUDA Math API, type casting intrinsics).
void float_to_integer(const isa::instruction& any, lane_bundle& b, lane_mask) {
  constexpr double two_to_64 = 18446744073709551616.0;
  const instruction& i = as_fermi(any);
  const integer_format format = format_of(i.destination_type);
  const bool has_mark = i.source_type == number_type::f64 || format.bits == 64;
  const integer of_nan = {format.is_signed && has_mark,
                          has_mark ? std::uint64_t{1} << (format.bits - 1) : std::uint64_t{0}};
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const double value = integral(float_source(i, b, lane), i.round);
    integer v = of_nan;
    if (!std::isnan(value)) {
      v.negative = value < 0;
      const double magnitude = std::fabs(value);
      v.magnitude = magnitude >= two_to_64 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(magnitude);
    }
    store_integer(b, lane, to_format(v, format, true), format);
  }
}

void float_to_float(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_fermi(any);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    double value = float_source(i, b, lane);
    if (i.integral_round) value = integral(value, i.round);
    store_float(i, b, lane, value, i.integral_round ? rounding::nearest : i.round);
  }
}

}  // namespace

lane_function convert_function(const instruction& i) {
  switch (i.op) {
    case opcode::i2i: return integer_to_integer;
    case opcode::i2f: return integer_to_float;
    case opcode::f2i: return with_host_float<float_to_integer>;
    case opcode::f2f: return with_host_float<float_to_float>;
    default: return nullptr;
  }
}

}  // namespace gt200::isa::fermi::semantics
