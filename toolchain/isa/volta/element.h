// The elements from which the rows of the opcode table are built.
//
// A row is a list of elements in the order of the assembly text: first modifiers of the mnemonic, then operands. An
// element is a pair of functions with their parameters: `bits` decodes or encodes its fields, `text` prints or
// parses it. The streams select the direction, so one description serves all four.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "toolchain/isa/common/bit_stream.h"
#include "toolchain/isa/volta/instruction.h"
#include "toolchain/isa/volta/line_text.h"

namespace gt200::isa::volta {

struct choice_entry {
  std::uint8_t code;   // value in the encoding
  std::uint8_t value;  // value in the instruction
  const char* word;    // its text; "" prints nothing
};

inline constexpr std::uint8_t destination_slot = 3;

// Place where a source is encoded. The port X is in bits 32-63 and may be a register, a number or a constant; the
// port Y is a register in bits 64-71. Bits 9-11 (the form) say what X holds.
enum class place : std::uint8_t {
  a,       // register in bits 24-31
  b,       // X, beside no third source
  b_of_c,  // X, with the forms of a third source: fadd, dsetp
  c,       // Y, or X if it is a number or a constant: dadd
  b_of_3,  // X, or Y if c takes X
  c_of_3,  // Y, or X if it is a number or a constant
};

// Which signs may stand before a source.
enum class signs : std::uint8_t {
  none,
  negate,
  negate_absolute,
  invert,
  negate_or_invert,      // invert with .X
  negate_or_invert_in_x  // the same, unless the source is encoded in Y
};

struct element {
  void (*bits)(const element&, instruction&, wide_bit_stream&) = nullptr;
  // `label` is the target of a control instruction, a name or a number: printing takes it, parsing returns it.
  void (*text)(const element&, instruction&, line_text&, std::string& label) = nullptr;

  const char* word = "";
  std::vector<choice_entry> choices = {};
  std::uint32_t (*get)(const instruction&) = nullptr;
  void (*set)(instruction&, std::uint32_t) = nullptr;
  bit_field field = {};
  std::uint8_t slot = 0;  // source, or destination_slot; number of a predicate
  std::uint8_t port = 0;  // reuse bit: source a 0, b 1, c 2
  std::uint8_t words = 1;
  volta::place place = place::a;
  volta::signs signs = signs::none;
  immediate_form form = immediate_form::integer;
  std::uint8_t absent = 255;  // predicates: this code is not written
  bool optional = false;      // a zero register is not written

  operand& of(instruction& i) const { return slot == destination_slot ? i.destination : i.source[slot]; }
};

using element_list = std::vector<element>;

// -- modifiers --

element word(const char* text);                              // always there
element alias(const char* text);                             // may be written, has no meaning of its own
element ignored(bit_field bits, std::uint32_t written = 0);  // bits without effect here

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
element float_comparison();                 // bits 76-79
element integer_comparison();               // bits 76-78
element combination();                      // bits 74-75: AND OR XOR
element float_rounding();                   // bits 78-79: RM RP RZ
element integral_rounding();                // bits 78-79: FLOOR CEIL TRUNC
element ftz();                              // bit 80
element saturate();                         // bit 77
element part_of_source(std::uint8_t slot);  // bits 60-61: byte or half of a narrow source

// -- predicates --

// Codes of predicates that are not written: PT, and !PT.
inline constexpr std::uint8_t code_true = 7;
inline constexpr std::uint8_t code_false = 15;
element predicate_to(std::uint8_t number, std::uint8_t low, std::uint8_t absent = 255);
element predicate_from(std::uint8_t number, std::uint8_t low, std::uint8_t absent = 255);  // negation above it

// -- operands --

element to(std::uint8_t words = 1);
element optional_to();  // not written if it is RZ
element to_by_width();  // two words if the instruction is `wide`, which stands before it
element gpr(std::uint8_t slot, std::uint8_t low, std::uint8_t words = 1);
element gpr_by_width(std::uint8_t slot,
                     std::uint8_t low);  // a pair if the instruction is wide, which must stand before
element source(volta::place place, volta::signs allowed = signs::none,
               immediate_form form = immediate_form::integer, std::uint8_t words = 1);
element half_source(volta::place place);  // of half pairs (half_element.cpp)
element number(bit_field bits, std::uint32_t (*get)(const instruction&), void (*set)(instruction&, std::uint32_t));
template <auto Member>
element number(bit_field bits) {
  using value_type = std::decay_t<decltype(std::declval<instruction&>().*Member)>;
  return number(
      bits, [](const instruction& i) { return static_cast<std::uint32_t>(i.*Member); },
      [](instruction& i, std::uint32_t v) { i.*Member = static_cast<value_type>(v); });
}
element immediate(std::uint8_t slot, bit_field bits);  // as an unsigned number
element special_register();                            // bits 72-79
element all_predicates();                              // "PR", without bits
// "[R2.64+0x8]" without the ".64": the register, and a signed offset in `offset`.
element memory_operand(bit_field offset);
element indexed_constant();                         // c[0x0][R2+0x8], form 5
element data(std::uint8_t slot, std::uint8_t low);  // as many registers as the access needs
element memory_size();                              // bits 73-75, behind other modifiers
element access_order();                             // bits 77-80
element atomic_operation();                         // bits 87-90
element atomic_kind();                              // bits 73-75
element convergence_register(std::uint8_t low);     // B0 .. B15
element dependency_barrier();                       // SB0 .. SB5
element dependency_list();                          // {2,1}

element relative_target(bit_field words, bit_field sign = {});
element absolute_target();

// -- textures (texture_element.cpp) --

element texture_destination(std::uint8_t low);  // bits 16-23: the first two components; 64-71: the others
element second_arguments();                     // source b; not written if it holds none
element texture_handle();                       // in constant memory: its bank and its word
element texture_shape_operand();                // bits 61-63
element written_components();                   // bits 72-75; not written if all are
element texture_registers();                    // behind all others: how many registers their operands have

std::string register_text(std::uint8_t index);
std::string predicate_text(std::uint8_t index, bool negate);

}  // namespace gt200::isa::volta
