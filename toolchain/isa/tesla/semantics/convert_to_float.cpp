// cvt from integers of up to 32 bits to single and half precision.
#include "toolchain/isa/tesla/semantics/convert.h"
#include "toolchain/isa/tesla/semantics/convert_half.h"
#include "toolchain/isa/tesla/semantics/host_float.h"
#include "toolchain/isa/tesla/semantics/lane_map.h"

namespace gt200::isa::tesla::semantics {
namespace {

// The magnitude is exact in double precision. Rounding: add a value to the bits below the single's significand that
// carries when the rounding mode requires it, then clear these bits.
template <bool nearest>
struct integer_to_single {
  explicit integer_to_single(const instruction& i)
      : source(i),
        up_if_positive(i.round == rounding::plus ? below_single_bits : 0),
        up_if_negative(i.round == rounding::minus ? below_single_bits : 0),
        saturate(i.saturate) {}
  value_and_flags operator()(std::uint32_t x, std::uint32_t, std::uint32_t, std::uint8_t) const {
    std::uint32_t was_negative;
    const std::uint32_t magnitude = source.magnitude(x, was_negative);
    const std::uint32_t negative = source.is_negative(was_negative);
    double exact = as_double(0x4330000000000000u | magnitude) - 0x1p52;
    if (!nearest) {
      const std::uint64_t up = negative != 0 ? up_if_negative : up_if_positive;
      exact = as_double((bits_of(exact) + up) & ~below_single_bits);
    }
    std::uint32_t r = bits_of(static_cast<float>(exact)) | (negative & sign_bit32);
    if (saturate) r = saturated_number(r);
    return {r, float_flags(r)};
  }
  integer_source source;
  std::uint64_t up_if_positive, up_if_negative;
  bool saturate;
};

// All lanes. Magnitudes of up to 24 bits, the usual ones, are singles: no mode rounds them.
template <bool nearest, bool with_flags>
void integers_to_singles(const isa::instruction& any, lane_bundle& b, lane_mask lanes) {
  const instruction& i = as_tesla(any);
  const integer_source source(i);
  lane_words magnitudes, negative;
  std::uint32_t bits = 0;
  for (int lane = 0; lane < warp_size; ++lane) {
    std::uint32_t was_negative;
    magnitudes.lane[lane] = source.magnitude(b.source[0][0].lane[lane], was_negative);
    negative.lane[lane] = source.is_negative(was_negative);
    bits |= magnitudes.lane[lane];
  }
  if (bits >> 24 != 0 || i.saturate) return map_lanes<integer_to_single<nearest>, with_flags>(any, b, lanes);
  for (int lane = 0; lane < warp_size; ++lane) {
    const float exact = static_cast<float>(static_cast<std::int32_t>(magnitudes.lane[lane]));
    const std::uint32_t r = bits_of(exact) | (negative.lane[lane] & sign_bit32);
    b.destination[0].lane[lane] = r;
    if (with_flags) b.flags_out[lane] = static_cast<std::uint8_t>(float_flags(r));
  }
}

template <bool nearest, bool with_flags>
lane_function single_function() {
  return with_host_float<integers_to_singles<nearest, with_flags>>;
}

// The conversion to half goes through single precision and has two flaws, measured on silicon. When rounding up is
// possible, a magnitude with ones in bits 29:5 counts as zero. Also, two to seven upper bits are lost; the longer
// the lower half of the number, the fewer.
struct integer_to_half {
  explicit integer_to_half(const instruction& i) : source(i), mode(i.round), saturate(i.saturate) {}
  value_and_flags operator()(std::uint32_t x, std::uint32_t, std::uint32_t, std::uint8_t) const {
    std::uint32_t was_negative;
    std::uint32_t magnitude = source.magnitude(x, was_negative);
    const bool negative = source.is_negative(was_negative) != 0;
    const rounding magnitude_mode = mirrored(mode, negative);
    const bool may_round_up = magnitude_mode == rounding::nearest || magnitude_mode == rounding::plus;
    if (may_round_up && (magnitude >> 5 & 0x1ffffffu) == 0x1ffffffu) magnitude = 0;
    const std::uint32_t low = (magnitude + was_negative) & 0xffffu;
    const int zeros = low == 0 ? 16 : 15 - highest_bit(std::uint64_t{low});
    magnitude &= ~0u >> (2 + (zeros < 5 ? zeros : 5));
    std::uint32_t single =
        static_cast<std::uint32_t>(pack(single_format, negative, std::uint64_t{magnitude}, 0, mode));
    single |= negative ? sign_bit32 : 0u;
    if (saturate) single = saturated_number(single);
    const std::uint32_t r = single_to_half(single, mode, mode);
    return {r, float_flags(half_to_single(r))};
  }
  integer_source source;
  rounding mode;
  bool saturate;
};

}  // namespace

lane_function convert_to_float_function(const instruction& i) {
  if (bytes_of(i.destination_type) == 2) return lane_map<integer_to_half>(i);
  if (i.round == rounding::nearest) {
    return i.writes_condition ? single_function<true, true>() : single_function<true, false>();
  }
  return i.writes_condition ? single_function<false, true>() : single_function<false, false>();
}

}  // namespace gt200::isa::tesla::semantics
