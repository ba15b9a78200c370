// Half pairs. Halves, and singles among them, are computed exactly in double precision, or rounded to odd there,
// and rounded once.
#include <cmath>

#include "toolchain/isa/fermi/semantics/float_value.h"
#include "toolchain/isa/tesla/semantics/host_float.h"
#include "toolchain/isa/volta/semantics/semantics.h"

namespace gt200::isa::volta::semantics {
namespace {

using namespace fermi::semantics;
using tesla::semantics::with_host_float;

constexpr std::uint32_t sign16 = 0x8000;
constexpr std::uint32_t infinity16 = 0x7c00;
constexpr std::uint32_t one16 = 0x3c00;
constexpr std::uint32_t ones16 = 0xffff;
constexpr unsigned halves = 2;

constexpr std::uint32_t without_denormal16(std::uint32_t x) { return (x & infinity16) == 0 ? x & sign16 : x; }

// Source `slot` as result `half` sees it.
double half_of(const instruction& i, const lane_bundle& b, unsigned slot, unsigned half, unsigned lane) {
  const operand& o = i.source[slot];
  const std::uint32_t word = b.source[slot][0].lane[lane];
  double value = 0;
  if (o.part == operand_part::f32) {
    value = static_cast<double>(as_float(i.ftz ? without_denormal(word) : word));
  } else {
    const unsigned from = o.part == operand_part::h0_h0 ? 0 : o.part == operand_part::h1_h1 ? 1 : half;
    const std::uint32_t bits = word >> (16 * from) & 0xffff;
    value = half_value(i.ftz ? without_denormal16(bits) : bits);
  }
  if (o.absolute) value = std::fabs(value);
  return o.negate ? -value : value;
}

std::uint32_t rounded_half(const instruction& i, double value) {
  std::uint32_t x = to_half(value, fermi::rounding::nearest);
  if (i.ftz) x = without_denormal16(x);
  if (!i.saturate) return x;
  if ((x & ~sign16) > infinity16 || (x & sign16) != 0) return 0;
  return x > one16 ? one16 : x;
}

std::uint32_t rounded_single(const instruction& i, double value) {
  std::uint32_t x = to_single(value, fermi::rounding::nearest);
  if (i.ftz) x = without_denormal(x);
  return i.saturate ? fermi::semantics::saturated(x) : x;
}

template <opcode op>
double result_of(const instruction& i, const lane_bundle& b, unsigned half, unsigned lane) {
  const double x = half_of(i, b, 0, half, lane);
  const double y = half_of(i, b, 1, half, lane);
  if (op == opcode::hadd2) return odd_sum(x, y, false);
  if (op == opcode::hmul2) return x * y;
  return odd_sum(x * y, half_of(i, b, 2, half, lane), false);
}

template <opcode op>
void arithmetic(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    std::uint32_t r = 0;
    if (i.single_result)
      r = rounded_single(i, result_of<op>(i, b, 0, lane));
    else
      for (unsigned half = 0; half < halves; ++half)
        r |= rounded_half(i, result_of<op>(i, b, half, lane)) << (16 * half);
    b.destination[0].lane[lane] = r;
  }
}

void compare(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_volta(any);
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    std::uint32_t r = 0;
    for (unsigned half = 0; half < halves; ++half) {
      const std::uint32_t relation = float_relation(half_of(i, b, 0, half, lane), half_of(i, b, 1, half, lane));
      const bool truth = combine(i.combine, (i.compare & relation) != 0, b.predicate_in[0][lane] != 0);
      b.predicate_out[half][lane] = truth ? 1 : 0;
      if (truth) r |= (i.ones ? one16 : ones16) << (16 * half);
    }
    b.destination[0].lane[lane] = r;
  }
}

}  // namespace

lane_function half_function(const instruction& i) {
  switch (i.op) {
    case opcode::hadd2: return with_host_float<arithmetic<opcode::hadd2>>;
    case opcode::hmul2: return with_host_float<arithmetic<opcode::hmul2>>;
    case opcode::hfma2: return with_host_float<arithmetic<opcode::hfma2>>;
    case opcode::hset2:
    case opcode::hsetp2: return with_host_float<compare>;
    default: return nullptr;
  }
}

}  // namespace gt200::isa::volta::semantics
