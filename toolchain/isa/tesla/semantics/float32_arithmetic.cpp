// fadd, fmul and quadop, rounded to nearest or towards zero.
#include "toolchain/isa/tesla/semantics/float32_multiply.h"
#include "toolchain/isa/tesla/semantics/groups.h"
#include "toolchain/isa/tesla/semantics/host_float.h"
#include "toolchain/isa/tesla/semantics/integer_bits.h"

namespace gt200::isa::tesla::semantics {
namespace {

// A sum of singles below the normal range is exact, so flushing the host's result equals flushing the exact sum.
std::uint32_t add_nearest(std::uint32_t x, std::uint32_t y) {
  return canonical(flushed(bits_of(as_float(flushed(x)) + as_float(flushed(y)))));
}

// Truncates a finite or infinite double to a single. Values that are too small are flushed; values that are too
// large become the largest number.
std::uint32_t truncated_to_single(double value, bool is_infinite) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits_of(value) >> 32) & sign_bit32;
  const double magnitude = std::fabs(value);
  if (is_infinite) return sign | infinity32;
  if (magnitude >= 0x1p128) return sign | largest32;
  if (magnitude < 0x1p-126) return sign;
  return bits_of(static_cast<float>(as_double(bits_of(value) & ~below_single_bits)));
}

bool is_infinite32(std::uint32_t x) { return (x & ~sign_bit32) == infinity32; }

std::uint32_t add_toward_zero(std::uint32_t x, std::uint32_t y) {
  const double a = static_cast<double>(as_float(flushed(x)));
  const double b = static_cast<double>(as_float(flushed(y)));
  double sum = a + b;
  if (std::isnan(sum)) return canonical_nan32;
  const bool infinite = is_infinite32(x) || is_infinite32(y);
  if (!infinite) {
    // The rounding error of the sum (Knuth): if the double was rounded away from zero, step back.
    const double b_seen = sum - a;
    const double error = (a - (sum - b_seen)) + (b - b_seen);
    if (error != 0 && (error < 0) != (sum < 0)) sum = as_double(bits_of(sum) - 1);
  }
  return truncated_to_single(sum, infinite);
}

std::uint32_t multiply_toward_zero(std::uint32_t x, std::uint32_t y) {
  const double product = static_cast<double>(as_float(flushed(x))) * static_cast<double>(as_float(flushed(y)));
  if (std::isnan(product)) return canonical_nan32;
  return truncated_to_single(product, is_infinite32(x) || is_infinite32(y));
}

// product = x * y for flushed x and y. The exact product without the bits below the significand of a single is a
// single, if it is neither too small nor too large for one; then, and for NaNs, the rules above say what it is.
lane_words multiply_toward_zero(const lane_words& x, const lane_words& y) {
  lane_words product;
  for (int lane = 0; lane < warp_size; ++lane) {
    const double exact = static_cast<double>(as_float(x.lane[lane])) * static_cast<double>(as_float(y.lane[lane]));
    product.lane[lane] = bits_of(static_cast<float>(as_double(bits_of(exact) & ~below_single_bits)));
  }
  std::uint32_t doubtful = 0;
  for (int lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t magnitude = product.lane[lane] & ~sign_bit32;
    doubtful |= mask_if(magnitude != 0) & mask_if(magnitude <= smallest_normal32);
    doubtful |= mask_if(magnitude >= infinity32);
  }
  if (doubtful == 0) return product;
  for (int lane = 0; lane < warp_size; ++lane)
    product.lane[lane] = multiply_toward_zero(x.lane[lane], y.lane[lane]);
  return product;
}

template <bool toward_zero, bool saturate, bool with_flags>
void fadd(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_tesla(any);
  const sign_modifier32 modify_x(i.source[0]);
  const sign_modifier32 modify_y(i.source[1]);
  for (int lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t x = modify_x(b.source[0][0].lane[lane]);
    const std::uint32_t y = modify_y(b.source[1][0].lane[lane]);
    std::uint32_t r = toward_zero ? add_toward_zero(x, y) : add_nearest(x, y);
    if (saturate) r = saturated(r, is_nan32(x) | is_nan32(y));
    b.destination[0].lane[lane] = r;
    if (with_flags) b.flags_out[lane] = static_cast<std::uint8_t>(float_flags(r));
  }
}

template <bool toward_zero, bool saturate, bool with_flags>
void fmul(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_tesla(any);
  const sign_modifier32 modify_x(i.source[0]);
  const sign_modifier32 modify_y(i.source[1]);
  lane_words x;
  lane_words y;
  lane_words product;
  for (int lane = 0; lane < warp_size; ++lane) {
    x.lane[lane] = flushed(modify_x(b.source[0][0].lane[lane]));
    y.lane[lane] = flushed(modify_y(b.source[1][0].lane[lane]));
  }
  if (toward_zero) {
    product = multiply_toward_zero(x, y);
  } else {
    multiply_nearest(x, y, product);
  }
  for (int lane = 0; lane < warp_size; ++lane) {
    std::uint32_t r = canonical(product.lane[lane]);
    if (saturate) r = saturated(r, is_nan32(x.lane[lane]) | is_nan32(y.lane[lane]));
    b.destination[0].lane[lane] = r;
    if (with_flags) b.flags_out[lane] = static_cast<std::uint8_t>(float_flags(r));
  }
}

// source[0] comes from lane 0..3 of the quad; the neighbour forms (4..7) give zero in compute programs. Each lane
// of the quad then has its own operation.
template <bool with_flags>
void quadop(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_tesla(any);
  for (int lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t x = b.source[0][0].lane[(lane & ~3) | (i.quad_lane & 3)];
    const std::uint32_t y = b.source[1][0].lane[lane];
    std::uint32_t r = 0;
    if (i.quad_lane < 4) {
      switch (i.quad_operation[static_cast<std::size_t>(lane & 3)]) {
        case 0: r = add_nearest(x, y); break;
        case 1: r = add_nearest(x ^ sign_bit32, y); break;
        case 2: r = add_nearest(x, y ^ sign_bit32); break;
        default: r = add_nearest(y, 0); break;
      }
    }
    b.destination[0].lane[lane] = r;
    if (with_flags) b.flags_out[lane] = static_cast<std::uint8_t>(float_flags(r));
  }
}

template <bool toward_zero, bool saturate>
lane_function select(const instruction& i) {
  if (i.op == opcode::fadd) {
    return i.writes_condition ? with_host_float<fadd<toward_zero, saturate, true>>
                              : with_host_float<fadd<toward_zero, saturate, false>>;
  }
  return i.writes_condition ? with_host_float<fmul<toward_zero, saturate, true>>
                            : with_host_float<fmul<toward_zero, saturate, false>>;
}

}  // namespace

lane_function float32_arithmetic_function(const instruction& i) {
  if (i.op == opcode::quadop) {
    return i.writes_condition ? with_host_float<quadop<true>> : with_host_float<quadop<false>>;
  }
  switch (i.round) {
    case rounding::nearest: return i.saturate ? select<false, true>(i) : select<false, false>(i);
    case rounding::zero: return i.saturate ? select<true, true>(i) : select<true, false>(i);
    default: return nullptr;
  }
}

}  // namespace gt200::isa::tesla::semantics
