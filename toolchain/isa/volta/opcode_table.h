// The instruction set as a table: one row per encoding of an operation.
//
// Decoder, encoder, disassembler and parser are loops over the elements of a row; to support another instruction,
// add rows. Encodings: docs/isa.md. Not in the table: tensor cores, surfaces, graphics; they are refused by
// name.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "toolchain/isa/volta/element.h"
#include "toolchain/isa/volta/instruction.h"

namespace gt200::isa::volta {

struct row {
  const char* name;  // the mnemonic
  opcode op;
  uint128 value;  // fixed bits
  uint128 mask;
  unit_class unit;
  element_list elements;  // in the order of the text
  control_kind control = control_kind::none;
};

// All rows. No two rows match the same words.
const std::vector<row>& opcode_table();

// The row that matches these words, or null.
const row* find_row(uint128 words);

// The rows with this mnemonic; empty if there is none.
const std::vector<const row*>& rows_named(std::string_view mnemonic);

// The name of an instruction that exists and is not in the table; null if nothing is known of it.
const char* refused_name(uint128 words);
bool is_refused(std::string_view mnemonic);

// Parts of the table, one function per group of instructions.
void append_float_rows(std::vector<row>& rows);
void append_half_rows(std::vector<row>& rows);
void append_integer_rows(std::vector<row>& rows);
void append_convert_rows(std::vector<row>& rows);
void append_move_rows(std::vector<row>& rows);
void append_memory_rows(std::vector<row>& rows);
void append_atomic_rows(std::vector<row>& rows);
void append_texture_rows(std::vector<row>& rows);
void append_control_rows(std::vector<row>& rows);

inline constexpr uint128 opcode_mask = 0x1ff;  // bits 0-8; 9-11 hold the form of the sources
inline constexpr uint128 whole_opcode_mask = 0xfff;

// A field of a row that always holds `value`.
struct fixed_bits {
  unsigned low;
  unsigned width;
  std::uint32_t value;
};
inline row with_bits(row r, std::initializer_list<fixed_bits> all) {
  for (const fixed_bits& f : all) {
    r.mask |= ((uint128{1} << f.width) - 1) << f.low;
    r.value |= uint128{f.value} << f.low;
  }
  return r;
}

// An operation whose sources have several forms.
inline row arithmetic(const char* name, opcode op, std::uint32_t code, unit_class unit, element_list elements) {
  return {name, op, code, opcode_mask, unit, std::move(elements)};
}
// One with a single form: bits 0-11 are fixed.
inline row whole(const char* name, opcode op, std::uint32_t code, unit_class unit, element_list elements) {
  return {name, op, code, whole_opcode_mask, unit, std::move(elements)};
}

}  // namespace gt200::isa::volta
