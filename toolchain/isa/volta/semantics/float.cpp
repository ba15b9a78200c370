// Single and double precision. Singles are computed exactly in double precision, or rounded to odd there, and
// rounded once (fermi/semantics/float_value.h).
#include <cmath>

#include "toolchain/isa/fermi/semantics/float_value.h"
#include "toolchain/isa/tesla/semantics/float64_core.h"
#include "toolchain/isa/tesla/semantics/host_float.h"
#include "toolchain/isa/tesla/semantics/sfu_tables/tables.h"
#include "toolchain/isa/tesla/semantics/sfu_units.h"
#include "toolchain/isa/volta/semantics/semantics.h"

namespace gt200::isa::volta::semantics {
namespace {

using namespace fermi::semantics;
using tesla::semantics::with_host_float;

constexpr fermi::rounding mode_of(rounding r) { return static_cast<fermi::rounding>(r); }

double exact(std::uint32_t bits) { return static_cast<double>(as_float(bits)); }

std::uint32_t signed_bits(std::uint32_t x, const operand& o) {
  if (o.absolute) x &= ~sign_bit32;
  return o.negate ? x ^ sign_bit32 : x;
}
std::uint64_t signed_bits(std::uint64_t x, const operand& o) {
  if (is_nan64(x)) return x;
  if (o.absolute) x &= ~sign_bit64;
  return o.negate ? x ^ sign_bit64 : x;
}

std::uint32_t single(const instruction& i, const lane_bundle& b, unsigned slot, unsigned lane) {
  const std::uint32_t x = signed_bits(b.source[slot][0].lane[lane], i.source[slot]);
  return i.ftz ? without_denormal(x) : x;
}
std::uint64_t twice(const instruction& i, const lane_bundle& b, unsigned slot, unsigned lane) {
  return signed_bits(wide_source(b, slot, lane), i.source[slot]);
}

std::uint32_t rounded(const instruction& i, double value) {
  std::uint32_t x = to_single(value, mode_of(i.round));
  if (i.ftz) x = without_denormal(x);
  return i.saturate ? fermi::semantics::saturated(x) : x;
}

void add(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane)
    b.destination[0].lane[lane] =
        rounded(i, odd_sum(exact(single(i, b, 0, lane)), exact(single(i, b, 1, lane)), i.round == rounding::minus));
}

void multiply(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  const double scale = i.scale == 3 ? 0.5 : i.scale == 2 ? 0.25 : 1;
  for (unsigned lane = 0; lane < warp_size; ++lane)
    b.destination[0].lane[lane] = rounded(i, exact(single(i, b, 0, lane)) * exact(single(i, b, 1, lane)) * scale);
}

void multiply_add(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const double product = exact(single(i, b, 0, lane)) * exact(single(i, b, 1, lane));
    b.destination[0].lane[lane] =
        rounded(i, odd_sum(product, exact(single(i, b, 2, lane)), i.round == rounding::minus));
  }
}

// A number wins against a NaN; -0 is less than +0.
void extreme(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  const auto ordered = [](std::uint32_t x) {
    return static_cast<std::int32_t>(x >> 31 != 0 ? x ^ ~sign_bit32 : x);
  };
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t x = single(i, b, 0, lane);
    const std::uint32_t y = single(i, b, 1, lane);
    std::uint32_t r = (ordered(x) < ordered(y)) == (b.predicate_in[0][lane] != 0) ? x : y;
    if (is_nan32(x)) r = is_nan32(y) ? canonical_nan32 : y;
    if (is_nan32(y) && !is_nan32(x)) r = x;
    b.destination[0].lane[lane] = r;
  }
}

void choose(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const unsigned slot = b.predicate_in[0][lane] != 0 ? 0 : 1;
    b.destination[0].lane[lane] = signed_bits(b.source[slot][0].lane[lane], i.source[slot]);
  }
}

template <bool is_double>
void compare(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const double x = is_double ? as_double(twice(i, b, 0, lane)) : exact(single(i, b, 0, lane));
    const double y = is_double ? as_double(twice(i, b, 1, lane)) : exact(single(i, b, 1, lane));
    const bool truth = (i.compare & float_relation(x, y)) != 0;
    const bool other = b.predicate_in[0][lane] != 0;
    const bool result = combine(i.combine, truth, other);
    b.predicate_out[0][lane] = result ? 1 : 0;
    b.predicate_out[1][lane] = combine(i.combine, !truth, other) ? 1 : 0;
    b.destination[0].lane[lane] = result ? one32 : 0;
  }
}

// Whether a division by reciprocal and correction steps could fail.
void check_division(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  const auto exponent = [](std::uint32_t x) { return static_cast<int>(x >> 23 & 255); };
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const int x = exponent(single(i, b, 0, lane));
    const int y = exponent(single(i, b, 1, lane));
    const bool plain = x > 24 && x < 255 && y > 1 && y < 253 && x - y < 125 && x - y > -125;
    b.predicate_out[0][lane] = plain ? 0 : 1;
  }
}

// Turns as the interpolator of GT200 takes them: sign, two bits of quadrant, 23 bits of position.
std::uint32_t quadrants(std::uint32_t x) {
  const std::uint32_t sign = x & sign_bit32;
  const std::uint32_t exponent = x >> 23 & 255;
  if (exponent == 255) return sign | tesla::semantics::sfu_nan;
  if (exponent == 0) return sign;
  const std::uint32_t significand = (x & 0x7fffffu) | 0x800000u;
  const int shift = static_cast<int>(exponent) - 127 + 2;
  const std::uint32_t turned = shift >= 25   ? 0
                               : shift >= 0  ? significand << shift
                               : shift > -24 ? significand >> -shift
                                             : 0;
  return sign | (turned & 0x1ffffffu);
}

std::uint32_t upper_word(double value) {
  return std::isnan(value) ? canonical_nan32 : static_cast<std::uint32_t>(bits_of(value) >> 32);
}

std::uint32_t function_value(mufu_function which, std::uint32_t x) {
  using namespace tesla::semantics;
  switch (which) {
    case mufu_function::cos: return sfu_result<cos_unit>(sin_table, quadrants(x));
    case mufu_function::sin: return sfu_result<sin_unit>(sin_table, quadrants(x));
    case mufu_function::ex2: return sfu_result<ex2_unit>(ex2_table, preex2(x));
    case mufu_function::lg2: return sfu_result<lg2_unit>(lg2_table, x);
    case mufu_function::rcp: return sfu_result<rcp_unit>(rcp_table, x);
    case mufu_function::rsq: return sfu_result<rsqrt_unit>(rsqrt_table, x);
    case mufu_function::rcp64h: return upper_word(1 / as_double(std::uint64_t{x} << 32));
    case mufu_function::rsq64h: return upper_word(1 / std::sqrt(as_double(std::uint64_t{x} << 32)));
    case mufu_function::sqrt: break;
  }
  const std::uint32_t r = bits_of(std::sqrt(as_float(without_denormal(x))));
  return is_nan32(r) ? canonical_nan32 : r;
}

void function(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane)
    b.destination[0].lane[lane] = function_value(i.function, signed_bits(b.source[1][0].lane[lane], i.source[1]));
}

// Rounding to nearest uses the host's arithmetic, which differs in NaNs only.
template <opcode op>
void double_arithmetic(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  const tesla::rounding mode = rounding_of(mode_of(i.round));
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint64_t x = twice(i, b, 0, lane);
    const std::uint64_t y = twice(i, b, 1, lane);
    const std::uint64_t z = op == opcode::dfma ? twice(i, b, 2, lane) : 0;
    double host = 0;
    if (op == opcode::dadd) host = as_double(x) + as_double(y);
    if (op == opcode::dmul) host = as_double(x) * as_double(y);
    if (op == opcode::dfma) host = std::fma(as_double(x), as_double(y), as_double(z));
    std::uint64_t r = bits_of(host);
    if (i.round != rounding::nearest || is_nan64(r)) {
      if (op == opcode::dadd) r = tesla::semantics::add_double(x, y, mode);
      // The addend is the zero that keeps the sign of a zero product.
      if (op == opcode::dmul)
        r = tesla::semantics::fma_double(x, y, i.round == rounding::minus ? 0 : sign_bit64, mode);
      if (op == opcode::dfma) r = tesla::semantics::fma_double(x, y, z, mode);
    }
    store_wide(b, lane, r);
  }
}

}  // namespace

lane_function float_function(const instruction& i) {
  switch (i.op) {
    case opcode::fadd: return with_host_float<add>;
    case opcode::fmul: return with_host_float<multiply>;
    case opcode::ffma: return with_host_float<multiply_add>;
    case opcode::fmnmx: return extreme;
    case opcode::fsel: return choose;
    case opcode::fset:
    case opcode::fsetp: return with_host_float<compare<false>>;
    case opcode::dsetp: return with_host_float<compare<true>>;
    case opcode::fchk: return check_division;
    case opcode::mufu: return with_host_float<function>;
    case opcode::dadd: return with_host_float<double_arithmetic<opcode::dadd>>;
    case opcode::dmul: return with_host_float<double_arithmetic<opcode::dmul>>;
    case opcode::dfma: return with_host_float<double_arithmetic<opcode::dfma>>;
    default: return nullptr;
  }
}

}  // namespace gt200::isa::volta::semantics
