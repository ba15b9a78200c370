// The coalescing rules: how the accesses of a half-warp become memory transactions. A pure function.
//
// Source: CUDA C Programming Guide 4.2, appendix F.3.2 (compute capability 1.0/1.1 and 1.2/1.3).
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/config/memory_config.h"

namespace gt200::model {

inline constexpr unsigned half_warp_size = 16;

// A transaction of one half-warp: 32, 64 or 128 aligned bytes.
struct memory_segment {
  std::uint32_t address = 0;
  std::uint16_t bytes = 0;
  std::uint16_t lanes = 0;  // bit n = lane n of the half-warp
  // all 16 lanes are active, and lane k accesses the k-th 32-bit word after that of lane 0
  bool in_sequence = false;
};

struct segment_list {
  unsigned count = 0;
  std::array<memory_segment, half_warp_size> segment;
};

// Transactions in the order in which they are issued. `address`: byte addresses of the 16 lanes, multiples of
// `word_bytes` (1, 2, 4, 8 or 16) in the lanes of `active`, which is not 0.
void coalesce(config::coalescing_rule rule, const std::uint32_t* address, std::uint16_t active, unsigned word_bytes,
              segment_list& result);

// One transaction per active lane, ascending, each the word of its lane: atomics are not merged.
void separate(const std::uint32_t* address, std::uint16_t active, unsigned word_bytes, segment_list& result);

}  // namespace gt200::model
