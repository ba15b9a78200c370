// rcp, rsqrt, lg2, sin, cos, ex2 and the range reductions presin and preex2 on 32 lanes.
#include <utility>

#include "toolchain/isa/tesla/semantics/groups.h"
#include "toolchain/isa/tesla/semantics/lane_map.h"
#include "toolchain/isa/tesla/semantics/sfu_tables/tables.h"
#include "toolchain/isa/tesla/semantics/sfu_units.h"

namespace gt200::isa::tesla::semantics {
namespace {

// sfu_square() of all lanes. The partial products are unrolled by hand, so that the loop over lanes vectorises with
// constant shifts.
template <std::size_t... bits>
void square_lanes(lane_words& residuals, std::index_sequence<bits...>) {
  for (int lane = 0; lane < warp_size; ++lane) {
    const std::uint32_t r = residuals.lane[lane];
    residuals.lane[lane] = (((r >> (18 - bits)) & mask_if_negative(r << (31 - bits))) + ...) >> 1;
  }
}

template <class unit, bool with_flags>
void interpolate_lanes(const instruction& i, lane_bundle& b, const sfu_coefficients* table) {
  const sign_modifier32 modify(i.source[0]);
  lane_words x;
  lane_words arguments;
  lane_words squares;
  std::int64_t sums[warp_size];
  for (int lane = 0; lane < warp_size; ++lane) {
    x.lane[lane] = modify(b.source[0][0].lane[lane]);
    arguments.lane[lane] = unit::argument(x.lane[lane]);
    squares.lane[lane] = unit::residual_of(arguments.lane[lane]);
  }
  square_lanes(squares, std::make_index_sequence<17>{});
  for (int lane = 0; lane < warp_size; ++lane)
    sums[lane] = unit::sum(table, arguments.lane[lane], squares.lane[lane]);
  std::uint32_t* const result = b.destination[0].lane;
  for (int lane = 0; lane < warp_size; ++lane)
    result[lane] = unit::single(x.lane[lane], arguments.lane[lane], sums[lane]);
  if (i.saturate)
    for (int lane = 0; lane < warp_size; ++lane) result[lane] = saturated(result[lane]);
  if (with_flags)
    for (int lane = 0; lane < warp_size; ++lane)
      b.flags_out[lane] = static_cast<std::uint8_t>(float_flags(result[lane]));
}

template <class unit, const sfu_coefficients* table>
void interpolate(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const instruction& i = as_tesla(any);
  if (i.writes_condition) {
    interpolate_lanes<unit, true>(i, b, table);
  } else {
    interpolate_lanes<unit, false>(i, b, table);
  }
}

// The flags of presin and preex2 are those of their result read as a single (assumption; the sources do not say).
template <std::uint32_t (*reduce)(std::uint32_t)>
struct range_reduction {
  explicit range_reduction(const instruction& i) : modify(i.source[0]) {}
  value_and_flags operator()(std::uint32_t x, std::uint32_t, std::uint32_t, std::uint8_t) const {
    const std::uint32_t r = reduce(modify(x));
    return {r, float_flags(r)};
  }
  sign_modifier32 modify;
};

}  // namespace

lane_function sfu_function(const instruction& i) {
  switch (i.op) {
    case opcode::rcp: return interpolate<rcp_unit, rcp_table>;
    case opcode::rsqrt: return interpolate<rsqrt_unit, rsqrt_table>;
    case opcode::lg2: return interpolate<lg2_unit, lg2_table>;
    case opcode::sin: return interpolate<sin_unit, sin_table>;
    case opcode::cos: return interpolate<cos_unit, sin_table>;
    case opcode::ex2: return interpolate<ex2_unit, ex2_table>;
    case opcode::presin: return lane_map<range_reduction<presin>>(i);
    case opcode::preex2: return lane_map<range_reduction<preex2>>(i);
    default: return nullptr;
  }
}

}  // namespace gt200::isa::tesla::semantics
