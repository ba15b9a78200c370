#include "toolchain/isa/volta/semantics/semantics.h"

namespace gt200::isa::volta {

lane_function semantics_of(const instruction& i) {
  using namespace semantics;
  for (lane_function (*group)(const instruction&) :
       {integer_function, float_function, half_function, convert_function, move_function})
    if (lane_function f = group(i)) return f;
  return nullptr;
}

bool is_executable(const instruction& i) {
  switch (i.op) {
    case opcode::lepc: return false;
    case opcode::hsetp2: return !i.both_halves;
    case opcode::dsetp: return i.compare != 0 && i.compare != 15;
    case opcode::bmov: return i.moves == register_mode::to_gpr || i.moves == register_mode::from_gpr;
    case opcode::atoms: return i.compare_and_swap != 2;
    case opcode::bra: return i.branch != branch_mode::divergent && i.branch != branch_mode::convergent;
    case opcode::tex:
    case opcode::tld:
      return i.shape <= texture_shape::d3 && i.level != texture_level::biased && !i.texel_offset &&
             !i.depth_compare;
    case opcode::mov: return i.quad_lanes == 15;
    case opcode::bar:
      return i.source[0].kind == operand_kind::immediate && i.source[1].kind != operand_kind::gpr &&
             i.source[1].value == 0;
    case opcode::atom:
    case opcode::atomg:
    case opcode::red:
      return i.atomic_kind == atomic_type::u32 || i.atomic_kind == atomic_type::s32 ||
             i.atomic_kind == atomic_type::f32 ||
             (i.atomic_kind == atomic_type::u64 &&
              (i.compare_and_swap == 1 || i.atomic_operation == 0 || i.atomic_operation == 8));
    default: return true;
  }
}

}  // namespace gt200::isa::volta
