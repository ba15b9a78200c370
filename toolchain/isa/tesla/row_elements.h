// Short names for the elements in the rows of the opcode table.
//
// Bit numbers: 0..31 first word, 32..63 second word.
#pragma once

#include <vector>

#include "toolchain/isa/tesla/element.h"
#include "toolchain/isa/tesla/opcode_table.h"

namespace gt200::isa::tesla {

using element_list = std::vector<element>;

// Modifiers and sub-expressions -------------------------------------------------------------------------------

inline element word(const char* text) {
  element e;
  e.text = text;
  return e;
}

// Bits that compilers or programmers set but that have no effect, as envytools' hardware tests show.
inline element ignored(bit_field bits) {
  element e;
  e.kind = element_kind::ignored;
  e.bits = bits;
  return e;
}

// An attribute `Member` of the instruction with one text per encoded value.
template <auto Member>
element choice(bit_field bits, std::vector<choice_entry> entries) {
  using value_type = std::decay_t<decltype(std::declval<instruction&>().*Member)>;
  element e;
  e.kind = element_kind::choice;
  e.bits = bits;
  e.choices = std::move(entries);
  e.get = [](const instruction& i) { return static_cast<std::uint32_t>(i.*Member); };
  e.set = [](instruction& i, std::uint32_t v) { i.*Member = static_cast<value_type>(v); };
  return e;
}
template <auto Member>
element flag(std::uint8_t bit, const char* when_set, const char* when_clear = "") {
  return choice<Member>({bit, 1}, {{1, 1, when_set}, {0, 0, when_clear}});
}
// An attribute whose value is a constant of the row; it has no field.
template <auto Member, typename Value>
element fixed(Value value, const char* text = "") {
  return choice<Member>({}, {{0, static_cast<std::uint8_t>(value), text}});
}

// The same for an attribute of a source operand.
template <int Slot, auto Member>
element source_choice(bit_field bits, std::vector<choice_entry> entries) {
  using value_type = std::decay_t<decltype(std::declval<operand&>().*Member)>;
  element e;
  e.kind = element_kind::choice;
  e.bits = bits;
  e.choices = std::move(entries);
  e.get = [](const instruction& i) { return static_cast<std::uint32_t>(i.source[Slot].*Member); };
  e.set = [](instruction& i, std::uint32_t v) { i.source[Slot].*Member = static_cast<value_type>(v); };
  return e;
}
template <int Slot, auto Member>
element source_flag(std::uint8_t bit, const char* when_set) {
  return source_choice<Slot, Member>({bit, 1}, {{1, 1, when_set}, {0, 0, ""}});
}
template <int Slot>
element memory_type(data_type type, const char* text) {
  return source_choice<Slot, &operand::type>({}, {{0, static_cast<std::uint8_t>(type), text}});
}

template <int Slot>
element source_sign(std::uint8_t bit, const char* when_signed, const char* when_unsigned) {
  element e;
  e.kind = element_kind::choice;
  e.bits = {bit, 1};
  e.choices = {{1, 1, when_signed}, {0, 0, when_unsigned}};
  e.get = [](const instruction& i) -> std::uint32_t { return i.source_signed[Slot] ? 1 : 0; };
  e.set = [](instruction& i, std::uint32_t v) { i.source_signed[Slot] = v != 0; };
  return e;
}
template <int Slot>
element fixed_source_sign(bool is_signed) {
  element e = source_sign<Slot>(0, "", "");
  e.bits = {};
  e.choices = {{0, static_cast<std::uint8_t>(is_signed), ""}};
  return e;
}

// Operands ----------------------------------------------------------------------------------------------------

inline element operand_element(element_kind kind, std::uint8_t slot, width size, bit_field bits, bool is_long) {
  element e;
  e.kind = kind;
  e.slot = slot;
  e.size = size;
  e.bits = bits;
  e.is_long = is_long;
  return e;
}

// Long form: $r or bit bucket.
inline element to(width size) {
  return operand_element(element_kind::destination, destination_slot, size, {2, 7}, true);
}
// Short form; mov with immediate has the 7-bit field of the long form but no bit bucket.
inline element short_to(width size, std::uint8_t field_width = 6) {
  return operand_element(element_kind::destination, destination_slot, size, {2, field_width}, false);
}
// $r only: loads and other destinations without bit bucket.
inline element register_to(width size) {
  return operand_element(element_kind::destination, destination_slot, size, {2, 7}, false);
}
inline element first(width size) { return operand_element(element_kind::first_source, 0, size, {}, true); }
inline element second(width size) { return operand_element(element_kind::second_source, 1, size, {}, true); }
inline element third(std::uint8_t slot, width size) {
  return operand_element(element_kind::third_source, slot, size, {}, true);
}
inline element short_first(width size) { return operand_element(element_kind::first_source, 0, size, {}, false); }
inline element short_second(width size) { return operand_element(element_kind::second_source, 1, size, {}, false); }
// Plain register in a field of its own.
inline element from(std::uint8_t slot, bit_field bits, width size = width::word) {
  return operand_element(element_kind::register_source, slot, size, bits, true);
}
inline constexpr bit_field field_1 = {9, 7};
inline constexpr bit_field field_2 = {16, 7};
inline constexpr bit_field field_3 = {46, 7};
inline constexpr bit_field field_destination = {2, 7};
inline constexpr bit_field short_field_1 = {9, 6};
inline constexpr bit_field short_field_2 = {16, 6};
inline constexpr bit_field short_field_destination = {2, 6};

inline element immediate(std::uint8_t slot, bit_field bits) {
  return operand_element(element_kind::immediate, slot, width::word, bits, true);
}
inline constexpr bit_field field_immediate_32 = {16, 6, 34, 26};

inline element condition_to() { return operand_element(element_kind::condition_output, 0, width::word, {}, true); }
inline element forced_condition_to() {
  element e = condition_to();
  e.forced = true;
  return e;
}
inline element carry_in(bool is_long = true) {
  return operand_element(element_kind::carry_input, 0, width::word, {}, is_long);
}
inline element simple(element_kind kind, std::uint8_t slot = 0) {
  return operand_element(kind, slot, width::word, {}, true);
}

// Shared by single and double precision.
element float_condition();  // the 16 conditions of a float set
enum class rounding_target : std::uint8_t { same_format, integer };
std::vector<choice_entry> rounding_names(rounding_target target);  // rn rm rp rz, or rni rmi rpi rzi

// Parts of the table, one function per group of instructions.
void append_move_rows(std::vector<row>& rows);
void append_integer_rows(std::vector<row>& rows);
void append_multiply_rows(std::vector<row>& rows);
void append_float_rows(std::vector<row>& rows);
void append_double_rows(std::vector<row>& rows);
void append_convert_rows(std::vector<row>& rows);
void append_memory_rows(std::vector<row>& rows);
void append_texture_rows(std::vector<row>& rows);
void append_control_rows(std::vector<row>& rows);

}  // namespace gt200::isa::tesla
