// The coalescing rules: how the accesses of a group of lanes become memory transactions. Pure functions.
//
// Source: CUDA C Programming Guide 4.2, appendix F.3.2 (compute capability 1.0/1.1 and 1.2/1.3: half-warps) and
// F.4.2 (2.0: warps, half-warps of 64-bit words, quarter-warps of 128-bit words).
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/config/memory_config.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::model {

inline constexpr unsigned half_warp_size = 16;

// A transaction of one group: 32, 64 or 128 aligned bytes.
struct memory_segment {
  std::uint32_t address = 0;
  std::uint16_t bytes = 0;
  isa::lane_mask lanes = 0;  // bit n = lane n of the group
  // all 16 lanes are active, and lane k accesses the k-th 32-bit word after that of lane 0
  bool in_sequence = false;
};

struct segment_list {
  unsigned count = 0;
  std::array<memory_segment, isa::warp_size> segment;
};

// Lanes of a group.
constexpr unsigned group_lanes(config::coalescing_rule rule, unsigned word_bytes) {
  if (rule != config::coalescing_rule::cc_2_0) return half_warp_size;
  return word_bytes <= 4 ? isa::warp_size : isa::warp_size * 4 / word_bytes;
}

// By the rules of 1.x: transactions in the order in which they are issued. `address`: byte addresses of the 16
// lanes, multiples of `word_bytes` (1, 2, 4, 8 or 16) in the lanes of `active`, which is not 0. `join_equal`: where
// the rule of 1.0 makes a transaction per lane, lanes of one address share one; for loads.
void coalesce(config::coalescing_rule rule, const std::uint32_t* address, std::uint16_t active, unsigned word_bytes,
              segment_list& result, bool join_equal = false);

// By the rule of 2.0: a transaction for each line of 128 bytes, in the order of its lowest lane. `whole_lines`: of
// the line; otherwise of its smallest aligned part of 32 bytes or more that holds all that the lanes touch.
// `address`: of up to 32 lanes.
void coalesce_lines(const std::uint32_t* address, isa::lane_mask active, unsigned word_bytes, bool whole_lines,
                    segment_list& result);

// One transaction per active lane, ascending, each the word of its lane: atomics are not merged.
void separate(const std::uint32_t* address, isa::lane_mask active, unsigned word_bytes, segment_list& result);

}  // namespace gt200::model
