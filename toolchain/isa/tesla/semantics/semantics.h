// Arithmetic of the Tesla instruction set as pure functions on the 32 lanes of a warp.
//
// The decoder asks once per distinct instruction for the function that computes it. Emulator and timing model then
// call instruction.execute(instruction, bundle, mask). A function reads the sources, flags_in and address_in of the
// bundle, and writes destination, flags_out or address_out. It has no other effect and no state.
//
// Sources are in the order of computation (see instruction.h): source[0] op source[1]; source[2] is the addend or
// selector. Immediates, c[] and s[] operands arrive in the bundle like registers. The functions apply the operand
// modifiers (absolute, then negate, or invert) and the narrowing of 16-bit forms themselves. A 16-bit result is
// zero-extended in destination[0].
//
// All 32 lanes are computed. destination, flags_out and address_out of lanes outside `mask` are unspecified, and
// callers write back under the mask. flags_out is written if writes_condition is set.
//
// mov_from_sr: the caller puts the special register into source[0]. mov_from_c reads flags_in; mov_from_a and
// add_to_a read address_in; mov_to_c and the votes write flags_out; shl_to_a and add_to_a write address_out. quadop
// exchanges values between the lanes of a quad. So its inactive lanes must hold the values the hardware would see:
// the registers of all 32 lanes.
//
// Results and $c nibbles are those that envytools measured on silicon (hwtest g80_int, g80_fp, g80_fp64, g80_sfu).
// The coefficient tables of the SFU are an exception: they are our own fit (see sfu_tables/).
#pragma once

#include "toolchain/isa/common/lane_bundle.h"
#include "toolchain/isa/tesla/instruction.h"

namespace gt200::isa::tesla {

// The function that computes `i`; null for instructions that access s[], l[] or g[], and for texture, control and
// barrier instructions and nop. A load from c[] moves its source, which holds the word, to the destination. fadd
// and fmul have only the rounding modes nearest and zero; null for other modes.
lane_function semantics_for(const instruction& i);

// The $c nibble of a true and of a false truth value. set writes them with its result -1 or 0. That vote does the
// same is an assumption (the sources only say "true"); it is safe for any test of Z or S.
inline constexpr std::uint8_t flags_true = 0x2;
inline constexpr std::uint8_t flags_false = 0x1;

// A vote does not use the predicate field for conditional execution: it is the input. Callers must pass all active
// lanes in the mask of vote_any and vote_all, not only those for which the condition holds. These functions compute
// the common result from the lanes for which the condition holds.
constexpr bool vote_any_holds(lane_mask condition, lane_mask active) { return (condition & active) != 0; }
constexpr bool vote_all_holds(lane_mask condition, lane_mask active) { return (condition & active) == active; }

}  // namespace gt200::isa::tesla
