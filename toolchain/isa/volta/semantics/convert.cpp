// Conversions between integers and floats of all widths. Floats pass as doubles, which hold all of them exactly.
#include <algorithm>
#include <cmath>

#include "toolchain/isa/fermi/semantics/float_value.h"
#include "toolchain/isa/tesla/semantics/host_float.h"
#include "toolchain/isa/volta/semantics/semantics.h"

namespace gt200::isa::volta::semantics {
namespace {

using namespace fermi::semantics;
using tesla::semantics::with_host_float;

constexpr fermi::rounding mode_of(rounding r) { return static_cast<fermi::rounding>(r); }

constexpr unsigned shift_of(operand_part part) {
  switch (part) {
    case operand_part::whole: return 0;
    case operand_part::h1: return 16;
    case operand_part::b1: return 8;
    case operand_part::b2: return 16;
    case operand_part::b3: return 24;
    default: break;  // of half pairs
  }
  return 0;
}

struct integer_format {
  unsigned bits;
  bool is_signed;
};
constexpr integer_format format_of(number_type t) {
  const auto code = static_cast<unsigned>(t);
  return {8u << (code >> 1), (code & 1) != 0};
}

double float_source(const instruction& i, const lane_bundle& b, unsigned lane) {
  const operand& o = i.source[1];
  double value = 0;
  const std::uint32_t word = b.source[1][0].lane[lane];
  if (i.source_type == number_type::f64)
    value = as_double(wide_source(b, 1, lane));
  else if (i.source_type == number_type::f16)
    value = half_value(word >> shift_of(o.part) & 0xffff);
  else
    value = static_cast<double>(as_float(i.ftz ? without_denormal(word) : word));
  if (o.absolute) value = std::fabs(value);
  return o.negate ? -value : value;
}

void store_float(const instruction& i, lane_bundle& b, unsigned lane, double value, rounding mode) {
  if (i.destination_type == number_type::f64)
    return store_wide(b, lane, std::isnan(value) ? canonical_nan64 : bits_of(value));
  std::uint32_t x =
      i.destination_type == number_type::f32 ? to_single(value, mode_of(mode)) : to_half(value, mode_of(mode));
  if (i.destination_type == number_type::f32 && i.ftz) x = without_denormal(x);
  b.destination[0].lane[lane] = x;
}

void float_to_float(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane) store_float(i, b, lane, float_source(i, b, lane), i.round);
}

void to_integral(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane)
    store_float(i, b, lane, integral(float_source(i, b, lane), mode_of(i.round)), rounding::nearest);
}

// Out of range becomes the nearest value. A NaN becomes 0 with .NTZ, else the number whose highest bit alone is
// set.
void float_to_integer(const isa::instruction& any, lane_bundle& b, lane_mask) {
  constexpr double two_to_64 = 18446744073709551616.0;
  const instruction& i = as_volta(any);
  const integer_format format = format_of(i.destination_type);
  const std::uint64_t ones = ~std::uint64_t{0} >> (64 - format.bits);
  const std::uint64_t top = format.is_signed ? ones >> 1 : ones;
  const std::uint64_t bottom = format.is_signed ? top + 1 : 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const double value = integral(float_source(i, b, lane), mode_of(i.round));
    std::uint64_t bits = i.ntz ? 0 : std::uint64_t{1} << (format.bits - 1);
    if (!std::isnan(value)) {
      const double size = std::fabs(value);
      const std::uint64_t whole = size >= two_to_64 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(size);
      const std::uint64_t magnitude = std::min(whole, value < 0 ? bottom : top);
      bits = (value < 0 ? 0 - magnitude : magnitude) & ones;
    }
    if (format.is_signed && (bits & ~top) != 0) bits |= ~ones;
    store_wide(b, lane, bits);
  }
}

void integer_to_float(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  const integer_format from = format_of(i.source_type);
  const bool is_double = i.destination_type == number_type::f64;
  const bool is_single = i.destination_type == number_type::f32;
  const float_format& format = is_double ? double_format : is_single ? single_format : half_format;
  const unsigned sign_place = is_double ? 63 : is_single ? 31 : 15;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint64_t word = from.bits == 64
                                   ? wide_source(b, 1, lane)
                                   : std::uint64_t{b.source[1][0].lane[lane]} >> shift_of(i.source[1].part);
    const std::uint64_t aligned = word << (64 - from.bits);
    const bool negative = from.is_signed && aligned >> 63 != 0;
    const std::uint64_t magnitude = (negative ? 0 - aligned : aligned) >> (64 - from.bits);
    store_wide(b, lane,
               tesla::semantics::pack(format, negative, magnitude, 0, rounding_of(mode_of(i.round))) |
                   std::uint64_t{negative} << sign_place);
  }
}

}  // namespace

lane_function convert_function(const instruction& i) {
  switch (i.op) {
    case opcode::f2f: return with_host_float<float_to_float>;
    case opcode::f2i: return with_host_float<float_to_integer>;
    case opcode::i2f: return integer_to_float;
    case opcode::frnd: return with_host_float<to_integral>;
    default: return nullptr;
  }
}

}  // namespace gt200::isa::volta::semantics
