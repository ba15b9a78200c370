// Floating-point operations per lane of an instruction, by the convention of isa/tesla/flops.h.
#pragma once

#include "toolchain/isa/fermi/instruction.h"

namespace gt200::isa::fermi {

constexpr unsigned flops_of(opcode op) {
  switch (op) {
    case opcode::ffma:
    case opcode::dfma: return 2;
    case opcode::fadd:
    case opcode::fmul:
    case opcode::dadd:
    case opcode::dmul:
    case opcode::mufu: return 1;
    default: return 0;
  }
}

}  // namespace gt200::isa::fermi
