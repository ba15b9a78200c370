// Double precision. Rounding to nearest uses the host's arithmetic, which differs in NaNs only; the directed modes
// and NaNs use integer arithmetic.
#include <cmath>

#include "toolchain/isa/fermi/semantics/float_value.h"
#include "toolchain/isa/fermi/semantics/lanes.h"
#include "toolchain/isa/tesla/semantics/float64_core.h"
#include "toolchain/isa/tesla/semantics/host_float.h"

namespace gt200::isa::fermi::semantics {
namespace {

using tesla::semantics::add_double;
using tesla::semantics::fma_double;
using tesla::semantics::with_host_float;

// The sign of a NaN does not change.
std::uint64_t modified(const sign_change& change, std::uint64_t x) { return is_nan64(x) ? x : change(x); }

struct sum {
  static double host(double x, double y, double) { return x + y; }
  static std::uint64_t exact(std::uint64_t x, std::uint64_t y, std::uint64_t, rounding mode) {
    return add_double(x, y, rounding_of(mode));
  }
};
// The addend is the zero that keeps the sign of a zero product.
struct product {
  static double host(double x, double y, double) { return x * y; }
  static std::uint64_t exact(std::uint64_t x, std::uint64_t y, std::uint64_t, rounding mode) {
    return fma_double(x, y, mode == rounding::minus ? 0 : sign_bit64, rounding_of(mode));
  }
};
struct fused {
  static double host(double x, double y, double z) { return std::fma(x, y, z); }
  static std::uint64_t exact(std::uint64_t x, std::uint64_t y, std::uint64_t z, rounding mode) {
    return fma_double(x, y, z, rounding_of(mode));
  }
};

template <class operation>
void arithmetic(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_fermi(any);
  const sign_change change[3] = {sign_change(i.source[0]), sign_change(i.source[1]), sign_change(i.source[2])};
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    std::uint64_t x = modified(change[0], wide_source(b, 0, lane));
    const std::uint64_t y = modified(change[1], wide_source(b, 1, lane));
    const std::uint64_t z = modified(change[2], wide_source(b, 2, lane));
    if (i.negate_product && !is_nan64(x)) x ^= sign_bit64;
    std::uint64_t r = 0;
    if (i.round == rounding::nearest) r = bits_of(operation::host(as_double(x), as_double(y), as_double(z)));
    if (i.round != rounding::nearest || is_nan64(r)) r = operation::exact(x, y, z, i.round);
    store_wide(b, lane, r);
    b.flags_out[lane] = static_cast<std::uint8_t>(float_flags(r));
  }
}

constexpr std::int64_t ordered(std::uint64_t x) {
  return static_cast<std::int64_t>(x >> 63 != 0 ? x ^ ~sign_bit64 : x);
}

// A number wins against a NaN; of two NaNs the second one, made quiet, is the result.
void extreme(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_fermi(any);
  const sign_change change[2] = {sign_change(i.source[0]), sign_change(i.source[1])};
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::uint64_t x = modified(change[0], wide_source(b, 0, lane));
    const std::uint64_t y = modified(change[1], wide_source(b, 1, lane));
    std::uint64_t r = (ordered(x) < ordered(y)) == (b.predicate_in[2][lane] != 0) ? x : y;
    if (is_nan64(x)) r = is_nan64(y) ? y | tesla::semantics::quiet_bit64 : y;
    if (is_nan64(y) && !is_nan64(x)) r = x;
    store_wide(b, lane, r);
    b.flags_out[lane] = static_cast<std::uint8_t>(float_flags(r));
  }
}

struct compare {
  explicit compare(const instruction& i)
      : change{sign_change(i.source[0]), sign_change(i.source[1])}, wanted(i.compare) {}
  bool operator()(const lane_bundle& b, unsigned lane) const {
    const double x = as_double(change[0](wide_source(b, 0, lane)));
    const double y = as_double(change[1](wide_source(b, 1, lane)));
    return (wanted & float_relation(x, y)) != 0;
  }
  sign_change change[2];
  std::uint32_t wanted;
};

}  // namespace

lane_function float64_function(const instruction& i) {
  switch (i.op) {
    case opcode::dadd: return with_host_float<arithmetic<sum>>;
    case opcode::dmul: return with_host_float<arithmetic<product>>;
    case opcode::dfma: return with_host_float<arithmetic<fused>>;
    case opcode::dmnmx: return extreme;
    case opcode::dset:
    case opcode::dsetp: return with_host_float<map_truth<compare>>;
    default: return nullptr;
  }
}

}  // namespace gt200::isa::fermi::semantics
