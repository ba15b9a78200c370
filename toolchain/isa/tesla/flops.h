// Floating-point operations per lane of an instruction, by the usual convention: a multiply-add counts two; an
// addition, a multiplication and a special function count one; everything else (minimum, comparison, conversion)
// counts zero.
#pragma once

#include "toolchain/isa/tesla/instruction.h"

namespace gt200::isa::tesla {

constexpr unsigned flops_of(opcode op) {
  switch (op) {
    case opcode::fmad:
    case opcode::dfma: return 2;
    case opcode::fadd:
    case opcode::fmul:
    case opcode::dadd:
    case opcode::dmul:
    case opcode::rcp:
    case opcode::rsqrt:
    case opcode::lg2:
    case opcode::sin:
    case opcode::cos:
    case opcode::ex2: return 1;
    default: return 0;
  }
}

}  // namespace gt200::isa::tesla
