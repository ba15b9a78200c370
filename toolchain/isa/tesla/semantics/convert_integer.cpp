// cvt between integers: sign operations, then clamping to the range of the destination.
#include "toolchain/isa/tesla/semantics/convert.h"
#include "toolchain/isa/tesla/semantics/lane_map.h"

namespace gt200::isa::tesla::semantics {
namespace {

struct integer_to_integer {
  explicit integer_to_integer(const instruction& i)
      : source(i),
        // an 8-bit result is stored in a half or a whole register
        flag_shift(i.destination.part != half::whole || bytes_of(i.destination.type) == 2 ||
                           bytes_of(i.destination_type) == 2
                       ? 16u
                       : 0u) {
    const int unused_bits = (32 - 8 * bytes_of(i.destination_type)) & 31;  // 24, 16 or 0
    const std::uint32_t largest_unsigned = ~0u >> unused_bits;
    largest_positive = i.is_signed ? largest_unsigned >> 1 : largest_unsigned;
    largest_negative = i.is_signed ? (largest_unsigned >> 1) + 1 : 0;
  }
  value_and_flags operator()(std::uint32_t x, std::uint32_t, std::uint32_t, std::uint8_t) const {
    std::uint32_t was_negative;
    const std::uint32_t magnitude = source.magnitude(x, was_negative);
    const std::uint32_t negative = source.is_negative(was_negative);
    const std::uint32_t limit = (largest_negative & negative) | (largest_positive & ~negative);
    const std::uint32_t clamped = magnitude > limit ? limit : magnitude;
    const std::uint32_t value = (clamped ^ negative) - negative;
    return {value << flag_shift >> flag_shift, zero_sign_flags(value << flag_shift)};
  }
  integer_source source;
  std::uint32_t flag_shift;
  std::uint32_t largest_positive, largest_negative;
};

}  // namespace

lane_function convert_integer_function(const instruction& i) { return lane_map<integer_to_integer>(i); }

}  // namespace gt200::isa::tesla::semantics
