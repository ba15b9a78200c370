// The parts of semantics_for. Each returns null for an instruction it does not compute.
#pragma once

#include "toolchain/isa/tesla/instruction.h"

namespace gt200::isa::tesla::semantics {

lane_function move_function(const instruction& i);         // mov, mov_from_*, mov_to_c, shl_to_a, add_to_a, votes
lane_function integer_add_function(const instruction& i);  // add, sub, subr, addc
lane_function integer_multiply_function(const instruction& i);    // mul, mul24, mad, mad24, sad
lane_function integer_logic_function(const instruction& i);       // min, max, set, shl, shr, logic
lane_function float32_arithmetic_function(const instruction& i);  // fadd, fmul, quadop
lane_function float32_mad_function(const instruction& i);         // fmad
lane_function float32_compare_function(const instruction& i);     // fset, fmin, fmax, fslct
lane_function convert_function(const instruction& i);             // cvt
lane_function sfu_function(const instruction& i);                 // rcp, rsqrt, lg2, sin, cos, ex2, presin, preex2
lane_function float64_function(const instruction& i);             // dadd, dmul, dfma, dmin, dmax, dset

}  // namespace gt200::isa::tesla::semantics
