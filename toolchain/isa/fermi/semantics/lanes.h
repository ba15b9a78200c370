// Loops over the lanes of a warp, one for each kind of operation.
//
// An operation is a small struct. Its constructor takes from the instruction everything that is the same for all
// lanes; operator() computes one lane and is inlined.
#pragma once

#include <cstdint>

#include "toolchain/isa/common/lane_bundle.h"
#include "toolchain/isa/fermi/instruction.h"

namespace gt200::isa::fermi::semantics {

struct word_result {
  std::uint32_t value = 0;
  std::uint32_t flags = 0;  // for $c
};

constexpr std::uint32_t zero_sign_flags(std::uint32_t x) {
  return (x == 0 ? flag_zero : 0u) | (x >> 31 != 0 ? flag_sign : 0u);
}

// operator()(x, y, z, flags_in) from the first words of the sources.
template <class operation>
void map_words(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const operation compute(as_fermi(any));
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const word_result r =
        compute(b.source[0][0].lane[lane], b.source[1][0].lane[lane], b.source[2][0].lane[lane], b.flags_in[lane]);
    b.destination[0].lane[lane] = r.value;
    b.flags_out[lane] = static_cast<std::uint8_t>(r.flags);
  }
}

// The same with predicate source 2 as last argument.
template <class operation>
void map_words_with_predicate(const isa::instruction& any, lane_bundle& b, lane_mask) {
  const operation compute(as_fermi(any));
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const word_result r =
        compute(b.source[0][0].lane[lane], b.source[1][0].lane[lane], b.predicate_in[2][lane] != 0);
    b.destination[0].lane[lane] = r.value;
    b.flags_out[lane] = static_cast<std::uint8_t>(r.flags);
  }
}

constexpr bool combine(logic_op op, bool left, bool right) {
  switch (op) {
    case logic_op::and_: return left && right;
    case logic_op::or_: return left || right;
    case logic_op::xor_: return left != right;
    case logic_op::second: break;
  }
  return right;
}

// operator()(bundle, lane) is the truth value. It goes to both predicates, or to a register, combined with
// predicate source 2.
template <class operation>
void map_truth(const isa::instruction& any, lane_bundle& b, lane_mask) {
  constexpr std::uint32_t one = 0x3f800000;
  const instruction& i = as_fermi(any);
  const operation compute(i);
  const std::uint32_t yes = i.float_result ? one : ~0u;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const bool truth = compute(b, lane);
    const bool other = b.predicate_in[2][lane] != 0;
    const bool result = combine(i.combine, truth, other);
    b.predicate_out[0][lane] = result ? 1 : 0;
    b.predicate_out[1][lane] = combine(i.combine, !truth, other) ? 1 : 0;
    b.destination[0].lane[lane] = result ? yes : 0;
    b.flags_out[lane] = result ? flag_sign : flag_zero;
  }
}

inline std::uint64_t wide_source(const lane_bundle& b, unsigned slot, unsigned lane) {
  return b.source[slot][0].lane[lane] | std::uint64_t{b.source[slot][1].lane[lane]} << 32;
}
inline void store_wide(lane_bundle& b, unsigned lane, std::uint64_t value) {
  b.destination[0].lane[lane] = static_cast<std::uint32_t>(value);
  b.destination[1].lane[lane] = static_cast<std::uint32_t>(value >> 32);
}

// less 1, equal 2, greater 4
constexpr std::uint32_t integer_relation(std::uint32_t x, std::uint32_t y, bool is_signed) {
  const std::uint32_t flipped = is_signed ? 0x80000000u : 0u;
  return x == y ? 2u : (x ^ flipped) < (y ^ flipped) ? 1u : 4u;
}

// The functions of each file; null if the operation is not theirs.
lane_function integer_function(const instruction& i);
lane_function bits_function(const instruction& i);
lane_function compare_function(const instruction& i);
lane_function convert_function(const instruction& i);
lane_function float32_function(const instruction& i);
lane_function float64_function(const instruction& i);
lane_function float_function_function(const instruction& i);
lane_function move_function(const instruction& i);
lane_function video_function(const instruction& i);

}  // namespace gt200::isa::fermi::semantics
