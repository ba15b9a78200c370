// Arithmetic of the Tesla instruction set as pure functions on the 32 lanes of a warp.
//
// The decoder asks once per distinct instruction for the function that computes it; emulator and timing model then
// call instruction.execute(instruction, bundle, mask). A function reads the sources, flags_in and address_in of the
// bundle and writes destination, flags_out or address_out. It has no other effect and no state.
//
// Sources stand in the order of computation (see instruction.h): source[0] op source[1], source[2] the addend or
// selector. Immediates, c[] and s[] operands arrive in the bundle like registers. The functions apply the operand
// modifiers (absolute, then negate, or invert) and the narrowing of 16-bit forms themselves; a 16-bit result is
// zero-extended in destination[0].
//
// All 32 lanes are computed: destination, flags_out and address_out of lanes outside `mask` are unspecified and
// callers write back under the mask. flags_out is written when writes_condition is set.
//
// Values that the caller puts into source[0]: mov_from_sr (the special register). mov_from_c reads flags_in,
// mov_from_a and add_to_a read address_in, mov_to_c and the votes write flags_out, shl_to_a and add_to_a write
// address_out. quadop exchanges values between the lanes of a quad, so its inactive lanes have to hold the values
// the hardware would see: the registers of all 32 lanes.
//
// Numbers: results and $c nibbles are those measured on silicon by envytools (hwtest g80_int, g80_fp, g80_fp64,
// g80_sfu), except the coefficient tables of the SFU, which are our own fit (see sfu_tables/).
#pragma once

#include "toolchain/isa/common/lane_bundle.h"
#include "toolchain/isa/tesla/instruction.h"

namespace gt200::isa::tesla {

// The function that computes `i`; null for memory, texture, control and barrier instructions and nop.
// For fadd and fmul only the rounding modes nearest and zero exist; null for the others.
lane_function semantics_for(const instruction& i);

// $c nibble of a true and of a false truth value. set writes them with its result -1 or 0; that vote does the same
// is an assumption (the sources only say "true"), and holds for any test of Z or S.
inline constexpr std::uint8_t flags_true = 0x2;
inline constexpr std::uint8_t flags_false = 0x1;

// The votes do not use the predicate field for conditional execution: it is their input. Callers must pass all
// active lanes in the mask of vote_any and vote_all, not those for which the condition holds. These compute the
// common result from the lanes for which the condition holds.
constexpr bool vote_any_holds(lane_mask condition, lane_mask active) { return (condition & active) != 0; }
constexpr bool vote_all_holds(lane_mask condition, lane_mask active) { return (condition & active) == active; }

}  // namespace gt200::isa::tesla
