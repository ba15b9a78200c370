// dadd, dmul, dfma, dmin, dmax and dset. Rounding to nearest uses the host's arithmetic, which differs in NaNs
// only; the directed modes use float64_core.
#include <cmath>

#include "toolchain/isa/tesla/semantics/float64_core.h"
#include "toolchain/isa/tesla/semantics/groups.h"
#include "toolchain/isa/tesla/semantics/host_float.h"
#include "toolchain/isa/tesla/semantics/semantics.h"
#include "toolchain/isa/tesla/semantics/wide_lanes.h"

namespace gt200::isa::tesla::semantics {
namespace {

// The signs of NaNs do not change. dset is an exception; the sign does not matter there.
struct sign_modifier64 {
  explicit sign_modifier64(const operand& o)
      : kept(o.absolute ? ~sign_bit64 : ~std::uint64_t{0}), flipped(o.negate ? sign_bit64 : 0) {}
  std::uint64_t operator()(std::uint64_t x) const { return is_nan64(x) ? x : (x & kept) ^ flipped; }
  std::uint64_t kept, flipped;
};

template <bool with_flags>
void store(lane_bundle& b, int lane, std::uint64_t r) {
  b.destination[0].lane[lane] = static_cast<std::uint32_t>(r);
  b.destination[1].lane[lane] = static_cast<std::uint32_t>(r >> 32);
  if (with_flags) b.flags_out[lane] = static_cast<std::uint8_t>(double_flags(r));
}

struct sum_operation {
  static std::uint64_t host(std::uint64_t a, std::uint64_t b, std::uint64_t) {
    return bits_of(as_double(a) + as_double(b));
  }
  static std::uint64_t exact(std::uint64_t a, std::uint64_t b, std::uint64_t, rounding mode) {
    return add_double(a, b, mode);
  }
};

// In the directed modes the addend is the zero that keeps the sign of a zero product.
struct product_operation {
  static std::uint64_t host(std::uint64_t a, std::uint64_t b, std::uint64_t) {
    return bits_of(as_double(a) * as_double(b));
  }
  static std::uint64_t exact(std::uint64_t a, std::uint64_t b, std::uint64_t, rounding mode) {
    return fma_double(a, b, mode == rounding::minus ? 0 : sign_bit64, mode);
  }
};

struct fma_operation {
  static std::uint64_t host(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return bits_of(std::fma(as_double(a), as_double(b), as_double(c)));
  }
  static std::uint64_t exact(std::uint64_t a, std::uint64_t b, std::uint64_t c, rounding mode) {
    return fma_double(a, b, c, mode);
  }
};

template <class operation, bool with_flags>
void arithmetic(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_tesla(any);
  const sign_modifier64 modify[3] = {sign_modifier64(i.source[0]), sign_modifier64(i.source[1]),
                                     sign_modifier64(i.source[2])};
  for (int lane = 0; lane < warp_size; ++lane) {
    const std::uint64_t x = modify[0](wide_source(b, 0, lane));
    const std::uint64_t y = modify[1](wide_source(b, 1, lane));
    const std::uint64_t z = modify[2](wide_source(b, 2, lane));
    std::uint64_t r = 0;
    if (i.round == rounding::nearest) r = operation::host(x, y, z);
    if (i.round != rounding::nearest || is_nan64(r)) r = operation::exact(x, y, z, i.round);
    store<with_flags>(b, lane, r);
  }
}

// As two's complement numbers, doubles keep their order when the magnitude bits of negative ones are inverted.
constexpr std::int64_t ordered(std::uint64_t x) {
  const std::uint64_t inverted_magnitude = (0 - (x >> 63)) & ~sign_bit64;
  return static_cast<std::int64_t>(x ^ inverted_magnitude);
}

// A NaN never wins against a number; of two NaNs the second one is the result.
template <bool take_greater, bool with_flags>
void min_max(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_tesla(any);
  const sign_modifier64 modify_x(i.source[0]);
  const sign_modifier64 modify_y(i.source[1]);
  for (int lane = 0; lane < warp_size; ++lane) {
    const std::uint64_t x = modify_x(wide_source(b, 0, lane));
    const std::uint64_t y = modify_y(wide_source(b, 1, lane));
    std::uint64_t r = (ordered(x) > ordered(y)) == take_greater ? x : y;
    if (is_nan64(x)) r = is_nan64(y) ? y | quiet_bit64 : y;
    if (is_nan64(y) && !is_nan64(x)) r = x;
    store<with_flags>(b, lane, r);
  }
}

// The result is a single word. Bits of `compare`: less 1, equal 2, greater 4, unordered 8.
void set(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_tesla(any);
  const sign_modifier64 modify_x(i.source[0]);
  const sign_modifier64 modify_y(i.source[1]);
  for (int lane = 0; lane < warp_size; ++lane) {
    const std::uint64_t x = modify_x(wide_source(b, 0, lane));
    const std::uint64_t y = modify_y(wide_source(b, 1, lane));
    const bool both_zero = ((x | y) & ~sign_bit64) == 0;
    std::uint32_t relation = ordered(x) < ordered(y) ? 1u : 4u;
    if (x == y || both_zero) relation = 2u;
    if (is_nan64(x) || is_nan64(y)) relation = 8u;
    const bool holds = (i.compare & relation) != 0;
    b.destination[0].lane[lane] = holds ? ~0u : 0u;
    b.flags_out[lane] = holds ? flags_true : flags_false;
  }
}

template <class operation>
lane_function select(const instruction& i) {
  return i.writes_condition ? with_host_float<arithmetic<operation, true>>
                            : with_host_float<arithmetic<operation, false>>;
}

}  // namespace

lane_function float64_function(const instruction& i) {
  switch (i.op) {
    case opcode::dadd: return select<sum_operation>(i);
    case opcode::dmul: return select<product_operation>(i);
    case opcode::dfma: return select<fma_operation>(i);
    case opcode::dmin: return i.writes_condition ? min_max<false, true> : min_max<false, false>;
    case opcode::dmax: return i.writes_condition ? min_max<true, true> : min_max<true, false>;
    case opcode::dset: return set;
    default: return nullptr;
  }
}

}  // namespace gt200::isa::tesla::semantics
