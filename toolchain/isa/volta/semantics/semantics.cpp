#include "toolchain/isa/volta/semantics/semantics.h"

namespace gt200::isa::volta {

lane_function semantics_of(const instruction& i) {
  using namespace semantics;
  for (lane_function (*group)(const instruction&) :
       {integer_function, float_function, half_function, convert_function, move_function})
    if (lane_function f = group(i)) return f;
  return nullptr;
}

const char* refusal_of(const instruction& i) {
  const auto unless = [](bool executed, const char* reason) { return executed ? nullptr : reason; };
  switch (i.op) {
    case opcode::lepc: return "the model does not know this operation";
    case opcode::hsetp2: return unless(!i.both_halves, "both halves do not go to one predicate");
    case opcode::dsetp: return unless(i.compare != 0 && i.compare != 15, "a comparison needs operands");
    case opcode::bmov:
      return unless(i.moves == register_mode::to_gpr || i.moves == register_mode::from_gpr,
                    "a B register moves from and to a general register only");
    case opcode::atoms: return unless(i.compare_and_swap != 2, "the model does not know this operation");
    case opcode::bra:
      return unless(i.branch != branch_mode::divergent && i.branch != branch_mode::convergent,
                    "the model does not know this kind of branch");
    case opcode::tex:
    case opcode::tld:
      return unless(
          i.shape <= texture_shape::d3 && i.level != texture_level::biased && !i.texel_offset && !i.depth_compare,
          "textures have one to three dimensions, without a bias, an offset or a comparison of depths");
    case opcode::mov: return unless(i.quad_lanes == 15, "it writes some lanes of a quad only");
    case opcode::bar:
      if (i.source[0].kind != operand_kind::immediate)
        return "the number of a barrier must be in the instruction, not in a register";
      return unless(i.source[1].kind != operand_kind::gpr && i.source[1].value == 0,
                    "a barrier must wait for all threads of the block, not for a count of them");
    case opcode::atom:
    case opcode::atomg:
    case opcode::red:
      return unless(i.atomic_kind == atomic_type::u32 || i.atomic_kind == atomic_type::s32 ||
                        i.atomic_kind == atomic_type::f32 ||
                        (i.atomic_kind == atomic_type::u64 &&
                         (i.compare_and_swap == 1 || i.atomic_operation == 0 || i.atomic_operation == 8)),
                    "memory has no atomic operation of this type");
    default: return nullptr;
  }
}

}  // namespace gt200::isa::volta
