// The elements from which the rows of the opcode table are built.
//
// A row is a list of elements in the order of the assembly text. Every element knows its bits in the words and its
// text. transfer_bits() decodes or encodes it; transfer_text() prints or parses it; the stream selects the
// direction. So one description serves all four directions.
#pragma once

#include <cstdint>
#include <vector>

#include "toolchain/isa/common/bit_stream.h"
#include "toolchain/isa/common/text_stream.h"
#include "toolchain/isa/tesla/instruction.h"

namespace gt200::isa::tesla {

enum class element_kind : std::uint8_t {
  word,              // fixed text without meaning of its own: "(", "mul", ")"
  choice,            // attribute with one spelling per encoded value; width 0 = fixed by the row
  lanes,             // "(l01)" in front of mov
  condition_output,  // optional or forced $c destination
  carry_input,       // $c source of addc; none in the other addend modes
  condition_input,   // $c source of mov
  destination,       // $r or bit bucket
  register_source,   // $r
  first_source,      // $r or s[]
  second_source,     // $r or c[]
  third_source,      // $r or c[]
  immediate,
  address_destination,
  address_source,
  special_source,
  shared_memory,    // dedicated ld / st s[]
  constant_memory,  // dedicated ld c[]
  local_memory,
  global_memory,
  target,
  texture_destination,
  texture_source,
  texture_unit,
  sampler_unit,
  texture_offset,  // slot = axis
  barrier_id,
  barrier_mask,
  section_first,  // registers of a shared section: the first one ...
  section_count,  // ... and how many
  ignored,        // bits that the hardware ignores; no text, written as zero
};

// Width of a register or memory operand.
enum class width : std::uint8_t {
  half,  // 16-bit half of a register, 16-bit constant
  word,
  pair,
  quad,
  by_memory,     // same width as the memory operand source[0] of the instruction
  half_or_word,  // one bit of the encoding chooses: 1 = word
};

struct choice_entry {
  std::uint8_t code;   // value in the encoding
  std::uint8_t value;  // value in the instruction
  const char* word;    // its text; "" prints nothing
};

inline constexpr std::uint8_t destination_slot = 3;

struct element {
  element_kind kind = element_kind::word;
  const char* text = "";
  // choice
  std::vector<choice_entry> choices = {};
  std::uint32_t (*get)(const instruction&) = nullptr;
  void (*set)(instruction&, std::uint32_t) = nullptr;
  // operands
  std::uint8_t slot = 0;  // source index, or destination_slot
  width size = width::word;
  bit_field bits = {};
  std::uint8_t select_bit = 0;  // only for width::half_or_word
  bool is_long = true;          // false for short_: field layout of the short and immediate forms
  bool forced = false;          // condition_output without an enable bit: always written
};

void transfer_bits(const element& e, instruction& i, bit_stream& s);

// Parsing returns an identifier in place of a code address in `target_label`; printing uses `target_label` if not
// empty.
void transfer_text(const element& e, instruction& i, text_stream& s, std::string& target_label);

}  // namespace gt200::isa::tesla
