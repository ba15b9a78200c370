// Which registers a Tesla instruction uses besides the operands that name them.
#pragma once

#include "toolchain/isa/tesla/instruction.h"

namespace gt200::isa::tesla {

inline bool is_texture(const instruction& i) { return i.op == opcode::tex || i.op == opcode::texfetch; }

// Number of components a texture instruction writes, to consecutive registers and consecutive destination words.
inline int texture_words(const instruction& i) { return __builtin_popcount(i.texture_write_mask); }

// Number of destination words of the instruction in the bundle; 0 if it writes no register.
inline int destination_words(const instruction& i) {
  if (i.destination.kind != operand_kind::gpr) return 0;
  return is_texture(i) ? texture_words(i) : words_of(i.destination.type);
}

// The $a register the instruction reads, as operand or in an address; $a0 if there is none.
inline unsigned address_register_of(const instruction& i) {
  for (const operand& o : i.source) {
    if (o.kind == operand_kind::address) return o.index;
    if (o.address_register != 0) return o.address_register;
  }
  return 0;
}

// True if the instruction takes the value of an $a register, even if only the zeros of $a0 (`add $aX 0x0 n` does
// that).
inline bool takes_address_register(const instruction& i) {
  if (i.destination.kind == operand_kind::address) return true;
  for (const operand& o : i.source)
    if (o.kind == operand_kind::address || o.address_register != 0) return true;
  return false;
}

// The memory operand with post-increment, or null.
inline const operand* post_incremented(const instruction& i) {
  for (const operand& o : i.source)
    if (o.post_increment) return &o;
  return nullptr;
}

}  // namespace gt200::isa::tesla
