// The instruction set as a table: one row per encoding of an operation.
//
// Decoder, encoder, disassembler and parser are loops over the elements of a row; to support another instruction,
// add rows. Encodings: envytools gf100.c, restated in docs/isa.md. Not in the table: the 4-byte forms (no
// compiler emits them for sm_20), graphics, surfaces, and texture instructions with a level, offset or comparison.
#pragma once

#include <cstdint>
#include <vector>

#include "toolchain/isa/fermi/element.h"
#include "toolchain/isa/fermi/instruction.h"

namespace gt200::isa::fermi {

enum class encoding_format : std::uint8_t {
  ordinary,      // guard, join
  control,       // guard, test of $c
  control_plain  // the fields of the guard are ignored
};

struct row {
  const char* name;  // for messages
  opcode op;
  encoding_format format;
  std::uint64_t value;  // fixed bits
  std::uint64_t mask;
  unit_class unit;
  element_list elements;  // in the order of the text, behind join and guard
  control_kind control = control_kind::none;
};

// All rows. No two rows match the same words.
const std::vector<row>& opcode_table();

// The row that matches these words, or null.
const row* find_row(std::uint64_t words);

// Parts of the table, one function per group of instructions.
void append_float_rows(std::vector<row>& rows);
void append_double_rows(std::vector<row>& rows);
void append_integer_rows(std::vector<row>& rows);
void append_convert_rows(std::vector<row>& rows);
void append_move_rows(std::vector<row>& rows);
void append_video_rows(std::vector<row>& rows);
void append_memory_rows(std::vector<row>& rows);
void append_atomic_rows(std::vector<row>& rows);
void append_control_rows(std::vector<row>& rows);
// Forms with an immediate of 32 bits. They come last: text that fits a shorter immediate takes that.
void append_long_rows(std::vector<row>& rows);

// The bits 58..63 and 0..2, which tell most operations apart.
constexpr std::uint64_t operation_bits(unsigned high, unsigned low) { return std::uint64_t{high} << 56 | low; }
inline constexpr std::uint64_t mask_5 = operation_bits(0xf8, 7);  // bits 59..63
inline constexpr std::uint64_t mask_6 = operation_bits(0xfc, 7);

// An ordinary row whose text begins with its name.
inline row ordinary(const char* name, opcode op, std::uint64_t value, std::uint64_t mask, unit_class unit,
                    element_list elements) {
  elements.insert(elements.begin(), word(name));
  return {name, op, encoding_format::ordinary, value, mask, unit, std::move(elements)};
}
// One whose elements make all of the text.
inline row unnamed(const char* name, opcode op, std::uint64_t value, std::uint64_t mask, unit_class unit,
                   element_list elements) {
  return {name, op, encoding_format::ordinary, value, mask, unit, std::move(elements)};
}

}  // namespace gt200::isa::fermi
