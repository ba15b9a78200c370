#include "toolchain/isa/tesla/semantics/semantics.h"

#include "toolchain/isa/tesla/semantics/groups.h"

namespace gt200::isa::tesla {

lane_function semantics_for(const instruction& i) {
  using namespace semantics;
  switch (i.op) {
    case opcode::mov:
    case opcode::mov_from_c:
    case opcode::mov_to_c:
    case opcode::mov_from_a:
    case opcode::mov_from_sr:
    case opcode::shl_to_a:
    case opcode::add_to_a:
    case opcode::ld_const:
    case opcode::vote_any:
    case opcode::vote_all: return move_function(i);
    case opcode::add:
    case opcode::sub:
    case opcode::subr:
    case opcode::addc: return integer_add_function(i);
    case opcode::mul:
    case opcode::mul24:
    case opcode::mad:
    case opcode::mad24:
    case opcode::sad: return integer_multiply_function(i);
    case opcode::min:
    case opcode::max:
    case opcode::set:
    case opcode::shl:
    case opcode::shr:
    case opcode::logic: return integer_logic_function(i);
    case opcode::fadd:
    case opcode::fmul:
    case opcode::quadop: return float32_arithmetic_function(i);
    case opcode::fmad: return float32_mad_function(i);
    case opcode::fset:
    case opcode::fmin:
    case opcode::fmax:
    case opcode::fslct: return float32_compare_function(i);
    case opcode::rcp:
    case opcode::rsqrt:
    case opcode::lg2:
    case opcode::sin:
    case opcode::cos:
    case opcode::ex2:
    case opcode::presin:
    case opcode::preex2: return sfu_function(i);
    case opcode::dadd:
    case opcode::dmul:
    case opcode::dfma:
    case opcode::dmin:
    case opcode::dmax:
    case opcode::dset: return float64_function(i);
    case opcode::cvt: return convert_function(i);
    default: return nullptr;
  }
}

}  // namespace gt200::isa::tesla
