// fset, fmin, fmax and fslct. Comparison uses integers: singles other than NaNs keep their order as two's
// complement numbers if the magnitude bits of negative ones are inverted.
#include "toolchain/isa/tesla/semantics/float_bits.h"
#include "toolchain/isa/tesla/semantics/groups.h"
#include "toolchain/isa/tesla/semantics/lane_map.h"
#include "toolchain/isa/tesla/semantics/semantics.h"

namespace gt200::isa::tesla::semantics {
namespace {

constexpr std::int32_t ordered(std::uint32_t x) {
  const std::uint32_t inverted_magnitude = (0u - (x >> 31)) & ~sign_bit32;
  return static_cast<std::int32_t>(x ^ inverted_magnitude);
}

// A NaN never wins against a number; of two zeros the positive one is greater.
template <bool take_greater>
struct fmin_fmax {
  explicit fmin_fmax(const instruction& i) : modify_x(i.source[0]), modify_y(i.source[1]) {}
  value_and_flags operator()(std::uint32_t x, std::uint32_t y, std::uint32_t, std::uint8_t) const {
    x = flushed(modify_x(x));
    y = flushed(modify_y(y));
    const bool x_wins = (ordered(x) > ordered(y)) == take_greater;
    const std::uint32_t x_is_nan = mask_if_negative(nan_indicator(x));
    const std::uint32_t y_is_nan = mask_if_negative(nan_indicator(y));
    const std::uint32_t take_x = (mask_if_negative(0u - static_cast<std::uint32_t>(x_wins)) & ~x_is_nan) | y_is_nan;
    const std::uint32_t r = canonical((x & take_x) | (y & ~take_x));
    return {r, float_flags(r)};
  }
  sign_modifier32 modify_x, modify_y;
};

// Bits of `compare`: less 1, equal 2, greater 4, unordered 8. Zeros and denormals are all equal.
struct fset {
  explicit fset(const instruction& i)
      : modify_x(i.source[0]),
        modify_y(i.source[1]),
        less((i.compare & 1u) != 0 ? ~0u : 0u),
        equal((i.compare & 2u) != 0 ? ~0u : 0u),
        greater((i.compare & 4u) != 0 ? ~0u : 0u),
        unordered((i.compare & 8u) != 0 ? ~0u : 0u) {}
  value_and_flags operator()(std::uint32_t x, std::uint32_t y, std::uint32_t, std::uint8_t) const {
    x = modify_x(x);
    y = modify_y(y);
    const std::uint32_t nan = mask_if_negative(nan_indicator(x) | nan_indicator(y));
    x &= ~mask_if_negative(zero_indicator(x));
    y &= ~mask_if_negative(zero_indicator(y));
    const std::uint32_t is_less = mask_if(ordered(x) < ordered(y));
    const std::uint32_t is_equal = mask_if(x == y);
    const std::uint32_t of_numbers = (is_less & less) | (is_equal & equal) | (~(is_less | is_equal) & greater);
    const std::uint32_t holds = (of_numbers & ~nan) | (unordered & nan);
    return {holds, flags_false + (holds & (flags_true - flags_false))};
  }
  sign_modifier32 modify_x, modify_y;
  std::uint32_t less, equal, greater, unordered;
};

// source[2] >= 0 ? source[0] : source[1]. NaN counts as negative; the values pass unchanged. The flags depend on
// the bits alone: any zero gives Z, else S is the sign bit, even for NaNs.
struct fslct {
  explicit fslct(const instruction& i) : modify_z(i.source[2]) {}
  value_and_flags operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint8_t) const {
    z = modify_z(z);
    const std::uint32_t number = (z & infinity32) == 0 ? 0u : z;
    const std::uint32_t r = number <= infinity32 ? x : y;  // positive NaNs and all negative numbers are above
    const std::uint32_t is_zero = (r & ~sign_bit32) == 0 ? 1u : 0u;
    return {r, is_zero | ((r >> 31) & ~is_zero) << 1};
  }
  sign_modifier32 modify_z;
};

}  // namespace

lane_function float32_compare_function(const instruction& i) {
  switch (i.op) {
    case opcode::fmin: return lane_map<fmin_fmax<false>>(i);
    case opcode::fmax: return lane_map<fmin_fmax<true>>(i);
    case opcode::fset: return lane_map<fset>(i);
    case opcode::fslct: return lane_map<fslct>(i);
    default: return nullptr;
  }
}

}  // namespace gt200::isa::tesla::semantics
