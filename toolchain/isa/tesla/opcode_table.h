// The instruction set as a table: one row per encoding of an operation.
//
// Decoder, encoder, disassembler and parser are loops over the elements of a row; to support another instruction,
// add rows. Encodings: envytools g80.c, isa.rst and int.rst, restated in docs/isa.md.
#pragma once

#include <cstdint>
#include <vector>

#include "toolchain/isa/tesla/element.h"
#include "toolchain/isa/tesla/instruction.h"

namespace gt200::isa::tesla {

// Selected by the low two bits of the first word; for long_ and immediate also by those of the second word.
enum class encoding_format : std::uint8_t {
  short_,         // 4 bytes, never predicated
  short_control,  // 4 bytes: trap, brkpt
  long_,          // 8 bytes, predicate, exit or join
  immediate,      // 8 bytes with a 32-bit immediate, never predicated
  control,        // 8 bytes, predicate
  control_plain,  // 8 bytes, the predicate field is ignored
};

constexpr bool is_short(encoding_format f) {
  return f == encoding_format::short_ || f == encoding_format::short_control;
}

struct row {
  const char* mnemonic;
  opcode op;
  encoding_format format;
  std::uint32_t value[2];  // fixed bits, without the format bits
  std::uint32_t mask[2];
  unit_class unit;
  std::uint8_t capability;        // compute capability x 10
  std::vector<element> elements;  // in the order of the text, after the mnemonic
  control_kind control = control_kind::none;
};

// All rows. No two rows of one format match the same words.
const std::vector<row>& opcode_table();

// Rows of a format and primary opcode (bits 31:28 of the first word).
const std::vector<const row*>& rows_of(encoding_format format, unsigned primary);

}  // namespace gt200::isa::tesla
