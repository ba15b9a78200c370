// Arithmetic of the Volta instruction set as pure functions on the 32 lanes of a warp.
//
// The decoder asks once per distinct instruction for the function that computes it. A function reads the sources
// and predicate_in of the bundle, and writes destination and predicate_out. It has no other effect and no state.
// Sources are in the order of the text. Numbers and constants arrive in the bundle like registers; of s2r, cs2r,
// p2r and of a load from constant memory the value is in source[0]; the byte of r2p arrives there and goes to the
// predicates from destination[0]. The functions apply signs and parts of operands themselves; predicate_in[k] has
// its negation applied.
//
// All 32 lanes are computed; what lanes outside `mask` get is unspecified, and callers write back under the mask.
//
// The sources leave this open; our choices:
//   - single precision as on Fermi (fermi/semantics/semantics.h): NaN results are 0x7fffffff
//   - mufu: the interpolator of GT200. Of sin and cos the argument is in turns; sqrt is the correctly rounded root
//   - half pairs: NaN results are 0x7fff; .FTZ makes denormals of 16 bits zero, too; a source of 32 bits is not
//   rounded
//     before the result is
//   - fchk is true whenever the quick division could fail: zeros, denormals, infinities, NaNs, exponents of
//   quotient,
//     remainder or divisor near the ends of the range
//   - iadd3: the first predicate is a sum of 2^32 or more, the second one of 2^33 or more; -x counts as 2^32 - x
#pragma once

#include "toolchain/isa/common/lane_bundle.h"
#include "toolchain/isa/volta/instruction.h"

namespace gt200::isa::volta {

// The function that computes `i`; null for memory, control and barrier instructions, and for nop.
lane_function semantics_of(const instruction& i);

// Why nothing executes an instruction that the table describes; null: it is executed. Refused are lepc, moves
// between B registers and the mask of active lanes, dsetp with MIN or MAX, hsetp2 with H_AND, atoms with CAST.SPIN,
// bar with a number or a count of threads in a register; textures of arrays and cubes, with offsets, comparison or
// a bias.
const char* refusal_of(const instruction& i);
inline bool is_executable(const instruction& i) { return refusal_of(i) == nullptr; }

namespace semantics {
// The functions of each file; null if the operation is not theirs.
lane_function integer_function(const instruction& i);
lane_function float_function(const instruction& i);
lane_function half_function(const instruction& i);
lane_function convert_function(const instruction& i);
lane_function move_function(const instruction& i);

inline std::uint64_t wide_source(const lane_bundle& b, unsigned slot, unsigned lane) {
  return b.source[slot][0].lane[lane] | std::uint64_t{b.source[slot][1].lane[lane]} << 32;
}
inline void store_wide(lane_bundle& b, unsigned lane, std::uint64_t value) {
  b.destination[0].lane[lane] = static_cast<std::uint32_t>(value);
  b.destination[1].lane[lane] = static_cast<std::uint32_t>(value >> 32);
}
constexpr bool combine(logic_op op, bool left, bool right) {
  return op == logic_op::and_ ? left && right : op == logic_op::or_ ? left || right : left != right;
}
}  // namespace semantics

}  // namespace gt200::isa::volta
