// fmad: the product is truncated to 24 bits (its exponent is not limited), then added with one rounding to nearest.
// With a zero or denormal addend the product is rounded to nearest instead, as in fmul.
//
// Method: the product of two singles is exact in double precision, so that truncation is clearing 29 bits; the sum
// of two 24-bit significands rounded first to 53 and then to 24 bits equals the sum rounded once (53 >= 2 * 24 +
// 2). Zero factors, infinities and NaNs need no care: double arithmetic treats them alike, and clearing low bits
// neither ends an infinity nor a NaN that came from a single. Underflow: the host rounds to the grid of the
// denormals, as the GPU does here, and what is still denormal then is flushed.
#include "toolchain/isa/semantics/float32_multiply.h"
#include "toolchain/isa/semantics/groups.h"
#include "toolchain/isa/semantics/host_float.h"

namespace gt200::isa::semantics {
namespace {

struct flushed_operands {
  lane_words x, y, z;
};

void flush(const instruction& i, const lane_bundle& b, flushed_operands& f) {
  // absolute does not exist for fmad
  const std::uint32_t flip_product = i.source[0].negate != i.source[1].negate ? sign_bit32 : 0u;
  const std::uint32_t flip_addend = i.source[2].negate ? sign_bit32 : 0u;
  for (int lane = 0; lane < warp_size; ++lane) {
    f.x.lane[lane] = flushed(b.source[0][0].lane[lane] ^ flip_product);
    f.y.lane[lane] = flushed(b.source[1][0].lane[lane]);
    f.z.lane[lane] = flushed(b.source[2][0].lane[lane] ^ flip_addend);
  }
}

void truncate_and_add(const flushed_operands& f, lane_words& result) {
  for (int lane = 0; lane < warp_size; ++lane) {
    const double x = static_cast<double>(as_float(f.x.lane[lane]));
    const double y = static_cast<double>(as_float(f.y.lane[lane]));
    const double z = static_cast<double>(as_float(f.z.lane[lane]));
    const double product = as_double(bits_of(x * y) & ~below_single_bits);
    result.lane[lane] = bits_of(static_cast<float>(product + z));
  }
}

template <bool saturate, bool with_flags>
void fmad(const instruction& i, lane_bundle& b, lane_mask) {
  flushed_operands f;
  lane_words truncated;
  lane_words rounded_product;
  flush(i, b, f);
  truncate_and_add(f, truncated);
  multiply_nearest(f.x, f.y, rounded_product);
  for (int lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t z = f.z.lane[lane];
    const std::uint32_t with_zero = bits_of(as_float(rounded_product.lane[lane]) + as_float(z));
    std::uint32_t r = (z & ~sign_bit32) == 0 ? with_zero : truncated.lane[lane];
    r = canonical(flushed(r));
    if (saturate) r = saturated(r, is_nan32(f.x.lane[lane]) || is_nan32(f.y.lane[lane]) || is_nan32(z));
    b.destination[0].lane[lane] = r;
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

}  // namespace gt200::isa::semantics
