// fmad: the product is truncated to 24 bits (its exponent is not limited), then added with one rounding to nearest.
// With a zero or denormal addend the product is rounded to nearest instead, as in fmul.
//
// Method: the product of two singles is exact in double precision, so clearing 29 bits truncates it. The sum of two
// 24-bit significands rounded first to 53 and then to 24 bits equals the sum rounded once (53 >= 2 * 24 + 2). Zero
// factors, infinities and NaNs need no special case: double arithmetic treats them like single arithmetic, and an
// infinity or a NaN that came from a single survives clearing the low bits. Underflow: the host rounds to the grid
// of the denormals, as the GPU does here; a result that is still denormal is then flushed.
#include "toolchain/isa/tesla/semantics/float32_multiply.h"
#include "toolchain/isa/tesla/semantics/groups.h"
#include "toolchain/isa/tesla/semantics/host_float.h"

namespace gt200::isa::tesla::semantics {
namespace {

struct operands {
  explicit operands(const instruction& i)  // absolute does not exist for fmad
      : flip_product(i.source[0].negate != i.source[1].negate ? sign_bit32 : 0u),
        flip_addend(i.source[2].negate ? sign_bit32 : 0u) {}
  std::uint32_t x(const lane_bundle& b, int lane) const {
    return flushed(b.source[0][0].lane[lane] ^ flip_product);
  }
  std::uint32_t y(const lane_bundle& b, int lane) const { return flushed(b.source[1][0].lane[lane]); }
  std::uint32_t z(const lane_bundle& b, int lane) const { return flushed(b.source[2][0].lane[lane] ^ flip_addend); }
  std::uint32_t flip_product, flip_addend;
};

std::uint32_t truncate_and_add(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  const double exact = static_cast<double>(as_float(x)) * static_cast<double>(as_float(y));
  const double product = as_double(bits_of(exact) & ~below_single_bits);
  return bits_of(static_cast<float>(product + static_cast<double>(as_float(z))));
}

// Recomputes the lanes with a zero addend.
void round_product(const instruction& i, lane_bundle& b) {
  const operands operand(i);
  lane_words x;
  lane_words y;
  lane_words product;
  for (int lane = 0; lane < warp_size; ++lane) {
    x.lane[lane] = operand.x(b, lane);
    y.lane[lane] = operand.y(b, lane);
  }
  multiply_nearest(x, y, product);
  for (int lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t z = operand.z(b, lane);
    const float sum = as_float(product.lane[lane]) + as_float(z);  // the sign of a zero
    const std::uint32_t is_zero = mask_if_negative((z & ~sign_bit32) - 1);
    const std::uint32_t r = b.destination[0].lane[lane];
    b.destination[0].lane[lane] = (r & ~is_zero) | (canonical(bits_of(sum)) & is_zero);
  }
}

template <bool saturate, bool with_flags>
void fmad(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_tesla(any);
  const operands operand(i);
  std::uint32_t zero_addends = 0;  // negative, taken as signed, if there was one
  std::uint32_t nans = 0;
  for (int lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t z = operand.z(b, lane);
    const std::uint32_t r = flushed(truncate_and_add(operand.x(b, lane), operand.y(b, lane), z));
    zero_addends |= zero_indicator(b.source[2][0].lane[lane]);
    nans |= nan_indicator(r);
    b.destination[0].lane[lane] = r;
  }
  if (mask_if_negative(zero_addends) != 0) round_product(i, b);
  if (mask_if_negative(nans) != 0) make_nans_canonical(b.destination[0]);
  if (!saturate && !with_flags) return;
  for (int lane = 0; lane < warp_size; ++lane) {
    std::uint32_t r = b.destination[0].lane[lane];
    if (saturate) {
      const bool input_is_nan = is_nan32(b.source[0][0].lane[lane]) | is_nan32(b.source[1][0].lane[lane]) |
                                is_nan32(b.source[2][0].lane[lane]);
      r = saturated(r, input_is_nan);
      b.destination[0].lane[lane] = r;
    }
    if (with_flags) b.flags_out[lane] = static_cast<std::uint8_t>(float_flags(r));
  }
}

}  // namespace

lane_function float32_mad_function(const instruction& i) {
  if (i.saturate) {
    return i.writes_condition ? with_host_float<fmad<true, true>> : with_host_float<fmad<true, false>>;
  }
  return i.writes_condition ? with_host_float<fmad<false, true>> : with_host_float<fmad<false, false>>;
}

}  // namespace gt200::isa::tesla::semantics
