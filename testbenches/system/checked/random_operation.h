// Random instructions of any row of the opcode table whose operands stay within bounds.
#pragma once

#include <cstdint>
#include <random>

#include "toolchain/isa/tesla/instruction.h"
#include "toolchain/isa/tesla/opcode_table.h"

namespace gt200::support {

// The allowed operands of a random instruction.
struct operand_bounds {
  unsigned first_register = 8;    // of those that hold data; a multiple of 4
  unsigned registers = 16;        // a multiple of 4
  unsigned base_register = 25;    // $r with the address of global accesses
  unsigned address_register = 1;  // $a of indexed operands
  unsigned readable_bytes = 128;  // of s[] without $a
  unsigned slot_bytes = 16;       // of s[] behind $a
  unsigned constant_bytes = 32;   // of c1, with and without $a
  unsigned local_bytes = 64;      // with and without $a
};

// Operands, modifiers and, often, a predicate are random. There is no exit and no join.
isa::tesla::instruction random_operation(const isa::tesla::row& row, const operand_bounds& bounds,
                                         std::mt19937_64& random);

// The operand that reads $a, or null.
const isa::tesla::operand* indexed_operand(const isa::tesla::instruction& i);

}  // namespace gt200::support
