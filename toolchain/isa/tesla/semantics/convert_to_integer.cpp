// cvt from single and half precision to integers of 16 and 32 bits.
//
// Denormals count as zero, a NaN gives zero, everything else is rounded and clamped to the range of the
// destination.
#include "toolchain/isa/tesla/semantics/convert.h"
#include "toolchain/isa/tesla/semantics/convert_half.h"
#include "toolchain/isa/tesla/semantics/host_float.h"
#include "toolchain/isa/tesla/semantics/lane_map.h"

namespace gt200::isa::tesla::semantics {
namespace {

// Adding 2^52 to a double of smaller magnitude rounds it to an integer, which is then in its low bits.
constexpr double integer_in_double = 0x1p52;

constexpr std::uint32_t two_to_31 = 0x4f000000u;  // as a single

template <bool from_half>
struct single_to_integer {
  explicit single_to_integer(const instruction& i)
      : modify(i.source[0]),
        correction_positive(correction(i.round)),
        correction_negative(correction(mirrored(i.round, true))),
        is_16bit(bytes_of(i.destination_type) == 2) {
    const std::uint32_t largest_unsigned = is_16bit ? 0xffffu : ~0u;
    largest_positive = i.is_signed ? largest_unsigned >> 1 : largest_unsigned;
    largest_negative = i.is_signed ? (largest_unsigned >> 1) + 1.0 : 0.0;
  }
  value_and_flags operator()(std::uint32_t x, std::uint32_t, std::uint32_t, std::uint8_t) const {
    x = modify(from_half ? half_to_single(x & 0xffffu) : x);
    const bool negative = (x >> 31) != 0;
    const std::uint32_t number = is_nan32(x) ? 0u : flushed(x) & ~sign_bit32;
    // Values above the range of all destinations would not be exact after adding 2^52.
    const double value = static_cast<double>(as_float(number));
    const double magnitude = value < 0x1p33 ? value : 0x1p33;
    double rounded = (magnitude + integer_in_double) - integer_in_double;
    const double wanted = negative ? correction_negative : correction_positive;
    const double down = rounded > magnitude ? 1.0 : 0.0;
    const double up = rounded < magnitude ? 1.0 : 0.0;
    rounded += wanted > 0 ? up : 0.0;
    rounded -= wanted < 0 ? down : 0.0;
    const double limit = negative ? largest_negative : largest_positive;
    rounded = rounded < limit ? rounded : limit;
    const std::uint32_t integer = static_cast<std::uint32_t>(bits_of(rounded + integer_in_double));
    std::uint32_t r = negative ? 0u - integer : integer;
    if (is_16bit) r &= 0xffffu;
    return {r, destination_flags(r, is_16bit)};
  }

 private:
  // Which neighbour of the nearest integer a mode selects for a magnitude: the next higher, the next lower, or
  // none.
  static double correction(rounding mode) {
    if (mode == rounding::nearest) return 0;
    return mode == rounding::plus ? 1 : -1;
  }
  sign_modifier32 modify;
  double correction_positive, correction_negative;
  double largest_positive, largest_negative;
  bool is_16bit;
};

// Truncation to 32 bits. Numbers below 2^31, and for an unsigned result positive ones, are truncated by the host.
template <bool with_flags>
void truncate_to_word(const isa::instruction& any, lane_bundle& b, lane_mask lanes) {
  const instruction& i = as_tesla(any);
  const sign_modifier32 modify(i.source[0]);
  const std::uint32_t compared = i.is_signed ? ~sign_bit32 : ~0u;
  lane_words x;
  std::uint32_t others = 0;
  for (int lane = 0; lane < warp_size; ++lane) {
    x.lane[lane] = modify(b.source[0][0].lane[lane]);
    others |= mask_if((x.lane[lane] & compared) >= two_to_31);
  }
  if (others != 0) return map_lanes<single_to_integer<false>, with_flags>(any, b, lanes);
  for (int lane = 0; lane < warp_size; ++lane) {
    const auto r = static_cast<std::uint32_t>(static_cast<std::int32_t>(as_float(x.lane[lane])));
    b.destination[0].lane[lane] = r;
    if (with_flags) b.flags_out[lane] = static_cast<std::uint8_t>(destination_flags(r, false));
  }
}

template <bool from_half>
lane_function select(const instruction& i) {
  if (!from_half && i.round == rounding::zero && bytes_of(i.destination_type) == 4)
    return i.writes_condition ? with_host_float<truncate_to_word<true>> : with_host_float<truncate_to_word<false>>;
  return i.writes_condition ? with_host_float<map_lanes<single_to_integer<from_half>, true>>
                            : with_host_float<map_lanes<single_to_integer<from_half>, false>>;
}

}  // namespace

lane_function convert_to_integer_function(const instruction& i) {
  return bytes_of(i.source_type) == 2 ? select<true>(i) : select<false>(i);
}

}  // namespace gt200::isa::tesla::semantics
