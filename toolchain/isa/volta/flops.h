// Floating-point operations per lane of an instruction, by the convention of isa/tesla/flops.h. An instruction on
// half pairs counts for both halves, unless it has one result of 32 bits.
#pragma once

#include "toolchain/isa/volta/instruction.h"

namespace gt200::isa::volta {

constexpr unsigned flops_of(const instruction& i) {
  const unsigned halves = i.single_result ? 1 : 2;
  switch (i.op) {
    case opcode::ffma:
    case opcode::dfma: return 2;
    case opcode::fadd:
    case opcode::fmul:
    case opcode::dadd:
    case opcode::dmul:
    case opcode::mufu: return 1;
    case opcode::hfma2: return 2 * halves;
    case opcode::hadd2:
    case opcode::hmul2: return halves;
    default: return 0;
  }
}

}  // namespace gt200::isa::volta
