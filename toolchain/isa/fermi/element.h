// The elements from which the rows of the opcode table are built.
//
// A row is a list of elements in the order of the assembly text. An element is a pair of functions with their
// parameters: `bits` decodes or encodes its fields, `text` prints or parses it. The streams select the direction,
// so one description serves all four. An element without a function has no bits, or no text.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "toolchain/isa/common/bit_stream.h"
#include "toolchain/isa/common/text_stream.h"
#include "toolchain/isa/fermi/instruction.h"

namespace gt200::isa::fermi {

struct choice_entry {
  std::uint8_t code;   // value in the encoding
  std::uint8_t value;  // value in the instruction
  const char* word;    // its text; "" prints nothing
};

inline constexpr std::uint8_t destination_slot = 3;

struct element {
  void (*bits)(const element&, instruction&, bit_stream&) = nullptr;
  // `label` is the target of a control instruction, a name or a number: printing takes it, parsing returns it.
  void (*text)(const element&, instruction&, text_stream&, std::string& label) = nullptr;

  const char* word = "";
  std::vector<choice_entry> choices = {};
  std::uint32_t (*get)(const instruction&) = nullptr;
  void (*set)(instruction&, std::uint32_t) = nullptr;
  bit_field field = {};
  std::uint8_t slot = 0;   // source, or destination_slot; number of a predicate
  std::uint8_t words = 1;  // registers of the operand
  std::uint8_t shift = 0;  // units of an offset
  immediate_form form = immediate_form::integer;
  bool three_sources = false;  // the constant may be source 2 as well
  // An operand that is a register or a number: the bit that is set for a number, and the field of the register.
  std::uint8_t number_bit = 0;
  bit_field register_field = {};

  operand& of(instruction& i) const { return slot == destination_slot ? i.destination : i.source[slot]; }
};

using element_list = std::vector<element>;

// -- modifiers --

element word(const char* text);
// "long": marks a form with an immediate of 32 bits where a shorter one has the same text. May be left out.
element long_form();
// Bits that compilers or programmers set but that have no effect; written as zero.
element ignored(bit_field bits);

element choice_element(bit_field bits, std::vector<choice_entry> entries);
template <auto Member>
element choice(bit_field bits, std::vector<choice_entry> entries) {
  using value_type = std::decay_t<decltype(std::declval<instruction&>().*Member)>;
  element e = choice_element(bits, std::move(entries));
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
template <int Slot, auto Member>
element source_flag(std::uint8_t bit, const char* when_set) {
  element e = choice_element({bit, 1}, {{1, 1, when_set}, {0, 0, ""}});
  e.get = [](const instruction& i) -> std::uint32_t { return i.source[Slot].*Member ? 1 : 0; };
  e.set = [](instruction& i, std::uint32_t v) { i.source[Slot].*Member = v != 0; };
  return e;
}
template <int Slot>
element negated(std::uint8_t bit) {
  return source_flag<Slot, &operand::negate>(bit, "neg");
}
template <int Slot>
element absolute(std::uint8_t bit) {
  return source_flag<Slot, &operand::absolute>(bit, "abs");
}
template <int Slot>
element inverted(std::uint8_t bit) {
  return source_flag<Slot, &operand::invert>(bit, "not");
}
template <int Slot>
element source_sign(std::uint8_t bit) {
  element e = choice_element({bit, 1}, {{1, 1, "s32"}, {0, 0, "u32"}});
  e.get = [](const instruction& i) -> std::uint32_t { return i.source_signed[Slot] ? 1 : 0; };
  e.set = [](instruction& i, std::uint32_t v) { i.source_signed[Slot] = v != 0; };
  return e;
}
element sign(std::uint8_t bit);                     // u32 or s32
element addend(bit_field bits);                     // add, sub, subr, addpo
element logic(bit_field bits);                      // and, or, xor, mov2
element comparison(bit_field bits, bool is_float);  // of sources
element float_rounding(std::uint8_t low);           // rn rm rp rz
element integral_rounding(std::uint8_t low);        // rni rmi rpi rzi
element lanes_of_quad();                            // "l01" in front of mov
element min_or_max();                               // min, max, or minmax with a predicate: min if it is true
element condition_code_test(bit_field bits);        // "e $c", for a nop or a control instruction; nothing if true
element condition_code_compare(bit_field bits);     // the same, always with text: cset

// -- predicates --

element guard();                                                                       // in front of the mnemonic
element predicate_to(std::uint8_t number, bit_field bits);                             // $p
element predicate_from(std::uint8_t number, std::uint8_t low, std::uint8_t negation);  // [not] $p
element combined();                    // and, or, xor with predicate 2; nothing for "and $p7"
element carry_to(std::uint8_t bit);    // $c as a second result
element carry_from(std::uint8_t bit);  // $c as carry

// -- operands --

element gpr(std::uint8_t slot, std::uint8_t low, std::uint8_t words = 1);
inline element to(std::uint8_t words = 1) { return gpr(destination_slot, 14, words); }
inline element first(std::uint8_t words = 1) { return gpr(0, 20, words); }
element same_as_destination(std::uint8_t slot);  // the text names the register of the destination again
// Source 1: register, constant, immediate of 20 bits. With three sources, source 2 may be the constant.
element second(immediate_form form = immediate_form::integer, std::uint8_t words = 1);
element second_of_three(immediate_form form = immediate_form::integer, std::uint8_t words = 1);
element third(std::uint8_t words = 1);
element second_without_constant(std::uint8_t words);
element immediate(std::uint8_t slot, bit_field bits);  // as an unsigned number
element number(bit_field bits, std::uint32_t (*get)(const instruction&), void (*set)(instruction&, std::uint32_t));
element special_register(bit_field bits);
// "g[$r1+0x4]"; the letter names the space. With `wide_bit`, a pair holds a 64-bit address if it is set.
element memory_operand(const char* space, bit_field offset, std::uint8_t shift = 0);
element global_operand(bit_field offset, std::uint8_t shift = 0);
element indexed_constant();       // c1[$r1+0x4]
element data(std::uint8_t slot);  // as many registers as the type of the access needs; behind that type
element memory_type();            // u8 .. b128
element register_or_number(std::uint8_t slot, std::uint8_t number_bit, std::uint8_t register_low,
                           bit_field number_bits);
element video_part();    // of source 0: byte, half or nothing
element video_second();  // selector, sign and source 1, which may be a number of 16 bits

element relative_target();
element absolute_target();

// Registers of a texture fetch: "$r4:$r5:#:#", and "$r0:$r1" as many as the shape has coordinates.
element texture_destination();
element texture_coordinates();
element texture_shape();
element numbered(const char* prefix, bit_field bits, std::uint32_t (*get)(const instruction&),
                 void (*set)(instruction&, std::uint32_t));  // "$t3"

}  // namespace gt200::isa::fermi
