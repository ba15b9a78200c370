// Arithmetic of the Fermi instruction set as pure functions on the 32 lanes of a warp.
//
// The decoder asks once per distinct instruction for the function that computes it. Emulator and timing model then
// call instruction.execute(instruction, bundle, mask). A function reads the sources, predicate_in and flags_in ($c)
// of the bundle, and writes destination, predicate_out and flags_out. It has no other effect and no state.
//
// Sources are in the order of computation (see instruction.h). Immediates and constants arrive in the bundle like
// registers; of s2r and of a load from constant memory the value is in source[0]. The functions apply the modifiers
// of operands themselves. predicate_in[k] is the predicate source k with its negation applied, 1 if there is none.
//
// All 32 lanes are computed; what lanes outside `mask` get is unspecified, and callers write back under the mask.
// flags_out is written if writes_condition_code is set.
//
// The sources leave this open; our choices:
//   - single precision: NaN results are 0x7fffffff (CUDA guide, compute capability 2.x); with .ftz denormal sources
//     and results become zeros of their sign
//   - double precision: a NaN source is the result, made quiet
//   - mufu and rro: the interpolator of GT200, denormal sources count as zeros; rcp64h and rsqrt64h return the
//   upper
//     word of the correctly rounded result. No public source describes the hardware's tables
//   - fmz: a zero factor makes the product +0
//   - a comparison with $c compares the upper words of a 64-bit difference whose lower words left $c
#pragma once

#include "toolchain/isa/common/lane_bundle.h"
#include "toolchain/isa/fermi/instruction.h"

namespace gt200::isa::fermi {

// The function that computes `i`; null for memory, texture, control and barrier instructions, and for nop.
lane_function semantics_of(const instruction& i);

// Why nothing executes an instruction that the table describes: lepc, p2r, r2p, barriers that do not count all
// threads, shifts and logic with $c as source, writes to some lanes of a quad, cache queries. Null: it is executed.
const char* refusal_of(const instruction& i);
inline bool is_executable(const instruction& i) { return refusal_of(i) == nullptr; }

}  // namespace gt200::isa::fermi
