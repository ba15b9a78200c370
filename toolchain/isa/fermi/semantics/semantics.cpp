#include "toolchain/isa/fermi/semantics/semantics.h"

#include "toolchain/isa/fermi/semantics/lanes.h"

namespace gt200::isa::fermi {

lane_function semantics_of(const instruction& i) {
  using namespace semantics;
  for (lane_function (*group)(const instruction&) :
       {integer_function, bits_function, compare_function, convert_function, float32_function, float64_function,
        float_function_function, move_function, video_function})
    if (lane_function f = group(i)) return f;
  return nullptr;
}

const char* refusal_of(const instruction& i) {
  const auto is_zero = [](const operand& o) { return o.kind == operand_kind::gpr && o.index == zero_register; };
  switch (i.op) {
    case opcode::lepc:
    case opcode::p2r:
    case opcode::r2p:
    case opcode::plongjmp:
    case opcode::longjmp: return "the model does not know this operation";
    case opcode::shr:
    case opcode::shl:
    case opcode::lop: return i.carry_in ? "shifts and logic do not take $c" : nullptr;
    case opcode::mov: return i.lane_write_mask != 0xf ? "it writes some lanes of a quad only" : nullptr;
    case opcode::cctl:
    case opcode::cctll: {
      // A query has a result, and a reset loses what was stored. Read-only caches can be prefetched only, which is
      // no more than a hint.
      constexpr std::uint8_t query = 0, write_back = 4, reset = 7;
      const bool of_data = i.cache_control_kind <= 1;
      if (i.destination.index != zero_register || i.cache_control == query) return "caches are not queried";
      if (i.cache_control == reset) return "a reset would lose what was stored";
      return of_data || i.cache_control < write_back ? nullptr : "read-only caches are prefetched only";
    }
    case opcode::bar:
      // The number and the count of threads must be known; only a count of all threads is executed.
      if (i.source[0].kind != operand_kind::immediate && !is_zero(i.source[0]))
        return "the number of a barrier must be in the instruction, not in a register";
      if (!is_zero(i.source[1]) && (i.source[1].kind != operand_kind::immediate || i.source[1].value != 0))
        return "a barrier must wait for all threads of the block, not for a count of them";
      return nullptr;
    default: return nullptr;
  }
}

}  // namespace gt200::isa::fermi
