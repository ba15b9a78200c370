// Loops over lanes with 64-bit values in pairs of words. Operations ignore the second word of a 32-bit source.
#pragma once

#include "toolchain/isa/common/lane_bundle.h"
#include "toolchain/isa/tesla/instruction.h"
#include "toolchain/isa/tesla/semantics/float_bits.h"
#include "toolchain/isa/tesla/semantics/integer_bits.h"

namespace gt200::isa::tesla::semantics {

struct wide_value {
  std::uint64_t value;
  std::uint32_t flags;
};

inline std::uint64_t wide_source(const lane_bundle& b, int source, int lane) {
  return b.source[source][0].lane[lane] | static_cast<std::uint64_t>(b.source[source][1].lane[lane]) << 32;
}

// $c nibble of a double: Z for equal to zero, S for less, both for NaN. Denormals are not zero.
constexpr std::uint32_t double_flags(std::uint64_t x) {
  if (is_nan64(x)) return flag_z | flag_s;
  if ((x & ~sign_bit64) == 0) return flag_z;
  return static_cast<std::uint32_t>(x >> 63) << 1;
}

// Like lane_map, for operations with one 64-bit source.
template <class operation, bool with_flags>
void map_wide(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_tesla(any);
  const operation compute(i);
  for (int lane = 0; lane < warp_size; ++lane) {
    const wide_value r = compute(wide_source(b, 0, lane));
    b.destination[0].lane[lane] = static_cast<std::uint32_t>(r.value);
    b.destination[1].lane[lane] = static_cast<std::uint32_t>(r.value >> 32);
    if (with_flags) b.flags_out[lane] = static_cast<std::uint8_t>(r.flags);
  }
}

template <class operation>
lane_function wide_map(const instruction& i) {
  return i.writes_condition ? map_wide<operation, true> : map_wide<operation, false>;
}

}  // namespace gt200::isa::tesla::semantics
