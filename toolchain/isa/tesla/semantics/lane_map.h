// One loop for all operations that compute each lane independently.
//
// An operation is a small struct. Its constructor takes from the instruction everything that is the same for all
// lanes. operator()(x, y, z, flags_in) computes one lane from the first words of source[0], source[1] and
// source[2]. It must have no branches and is inlined, so that the loop vectorises; sources it does not use are not
// loaded.
#pragma once

#include "toolchain/isa/common/lane_bundle.h"
#include "toolchain/isa/tesla/instruction.h"
#include "toolchain/isa/tesla/semantics/integer_bits.h"

namespace gt200::isa::tesla::semantics {

template <class operation, bool with_flags>
void map_lanes(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_tesla(any);
  const operation compute(i);
  for (int lane = 0; lane < warp_size; ++lane) {
    const value_and_flags r =
        compute(b.source[0][0].lane[lane], b.source[1][0].lane[lane], b.source[2][0].lane[lane], b.flags_in[lane]);
    b.destination[0].lane[lane] = r.value;
    if (with_flags) b.flags_out[lane] = static_cast<std::uint8_t>(r.flags);
  }
}

template <class operation>
lane_function lane_map(const instruction& i) {
  return i.writes_condition ? map_lanes<operation, true> : map_lanes<operation, false>;
}

}  // namespace gt200::isa::tesla::semantics
