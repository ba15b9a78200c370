#include "sc_models/memory_path/coalescing.h"

#include <algorithm>

#include "toolchain/bits.h"

namespace gt200::model {

namespace {

constexpr std::uint32_t smallest_segment = 32;
constexpr std::uint32_t line_bytes = 128;

void add(segment_list& list, std::uint32_t address, std::uint32_t bytes, std::uint32_t lanes) {
  list.segment[list.count++] = {address, static_cast<std::uint16_t>(bytes), lanes, false};
}

// Adds the aligned segment that holds the bytes at `lowest` and `highest`, both within `bytes`. Untouched halves
// are cut off, down to 32 bytes.
void add_reduced(segment_list& list, std::uint32_t lowest, std::uint32_t highest, std::uint32_t bytes,
                 std::uint32_t lanes) {
  while (bytes > smallest_segment && (lowest ^ highest) < bytes / 2) bytes /= 2;
  add(list, lowest & ~(bytes - 1), bytes, lanes);
}

// Appendix F.3.2.1: thread k accesses word k of one aligned block, or each thread has its own transaction.
void coalesce_1_0(const std::uint32_t* address, std::uint32_t active, std::uint32_t word_bytes, bool join_equal,
                  segment_list& result) {
  const unsigned first = static_cast<unsigned>(__builtin_ctz(active));
  const std::uint32_t base = address[first] - first * word_bytes;
  const std::uint32_t block = std::min(half_warp_size * word_bytes, 128u);  // of 16-byte words two in succession
  bool in_sequence = word_bytes >= 4 && base % block == 0;
  for (const unsigned lane : set_bits(active))
    in_sequence = in_sequence && address[lane] == base + lane * word_bytes;
  if (!in_sequence) {
    while (active != 0) {
      const std::uint32_t lead = address[__builtin_ctz(active)];
      std::uint32_t lanes = active & -active;
      if (join_equal)
        for (const unsigned lane : set_bits(active)) lanes |= std::uint32_t{address[lane] == lead} << lane;
      add(result, lead & ~(smallest_segment - 1), smallest_segment, lanes);
      active &= ~lanes;
    }
    return;
  }
  const std::uint32_t lanes_per_block = block / word_bytes;
  for (std::uint32_t lane = 0; lane < half_warp_size; lane += lanes_per_block) {
    const std::uint32_t lanes = active & (((1u << lanes_per_block) - 1) << lane);
    if (lanes != 0) add(result, base + lane * word_bytes, block, lanes);
  }
}

// Appendix F.3.2.2: take the segment of the lowest lane, serve all lanes in it, cut it down to the touched part,
// repeat.
void coalesce_1_2(const std::uint32_t* address, std::uint32_t active, std::uint32_t word_bytes,
                  segment_list& result) {
  const std::uint32_t segment_bytes = word_bytes == 1 ? 32 : word_bytes == 2 ? 64 : 128;
  if (active == 0xffffu) {  // often one segment serves all lanes
    const int shift = __builtin_ctz(word_bytes);
    std::uint32_t difference = 0;
    for (unsigned lane = 0; lane < half_warp_size; ++lane)
      difference |= address[lane] ^ (address[0] + (lane << shift));
    const std::uint32_t end = address[half_warp_size - 1];
    if (difference == 0 && address[0] / segment_bytes == end / segment_bytes) {
      add_reduced(result, address[0], end, segment_bytes, active);
      result.segment[0].in_sequence = word_bytes == 4;
      return;
    }
    std::uint32_t lowest = address[0];
    std::uint32_t highest = address[0];
    for (unsigned lane = 1; lane < half_warp_size; ++lane) {
      lowest = std::min(lowest, address[lane]);
      highest = std::max(highest, address[lane]);
    }
    if (lowest / segment_bytes == highest / segment_bytes) {
      add_reduced(result, lowest, highest, segment_bytes, active);
      return;
    }
  }
  while (active != 0) {
    const std::uint32_t segment = address[__builtin_ctz(active)] & ~(segment_bytes - 1);
    std::uint32_t lanes = 0;
    std::uint32_t lowest = segment + (segment_bytes - 1);
    std::uint32_t highest = segment;
    for (const unsigned lane : set_bits(active)) {
      const std::uint32_t a = address[lane];
      if (a - segment >= segment_bytes) continue;
      lanes |= 1u << lane;
      lowest = std::min(lowest, a);
      highest = std::max(highest, a);
    }
    add_reduced(result, lowest, highest, segment_bytes, lanes);
    active &= ~lanes;
  }
}

}  // namespace

void coalesce(config::coalescing_rule rule, const std::uint32_t* address, std::uint16_t active, unsigned word_bytes,
              segment_list& result, bool join_equal) {
  result.count = 0;
  if (rule == config::coalescing_rule::cc_1_0)
    coalesce_1_0(address, active, word_bytes, join_equal, result);
  else
    coalesce_1_2(address, active, word_bytes, result);
}

void coalesce_lines(const std::uint32_t* address, isa::lane_mask active, unsigned word_bytes, bool whole_lines,
                    segment_list& result) {
  result.count = 0;
  while (active != 0) {
    const std::uint32_t line = address[__builtin_ctz(active)] & ~(line_bytes - 1);
    isa::lane_mask lanes = 0;
    std::uint32_t lowest = line_bytes;
    std::uint32_t highest = 0;
    for (const unsigned lane : set_bits(active)) {
      const std::uint32_t offset = address[lane] - line;
      if (offset >= line_bytes) continue;
      lanes |= isa::lane_mask{1} << lane;
      lowest = std::min(lowest, offset);
      highest = std::max(highest, offset + word_bytes - 1);
    }
    if (whole_lines)
      add(result, line, line_bytes, lanes);
    else
      add_reduced(result, line + lowest, line + highest, line_bytes, lanes);
    active &= ~lanes;
  }
}

void separate(const std::uint32_t* address, isa::lane_mask active, unsigned word_bytes, segment_list& result) {
  result.count = 0;
  for (const unsigned lane : set_bits(active)) add(result, address[lane], word_bytes, 1u << lane);
}

}  // namespace gt200::model
