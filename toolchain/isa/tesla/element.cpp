#include "toolchain/isa/tesla/element.h"

#include "toolchain/isa/tesla/operand_bits.h"
#include "toolchain/isa/tesla/operand_text.h"

namespace gt200::isa::tesla {
namespace {

constexpr bit_field condition_source_field = {44, 2};
constexpr bit_field condition_destination_field = {36, 2};
constexpr unsigned condition_enable_bit = 38;
constexpr bit_field lane_field = {46, 4};
constexpr bit_field barrier_id_field = {21, 4};
constexpr bit_field barrier_mask_field = {9, 12};
constexpr bit_field section_first_field = {11, 7};
constexpr bit_field section_count_field = {18, 7};
constexpr std::uint32_t all_warps = 0xfff;  // the mask that all compiled programs use

void transfer_choice_bits(const element& e, instruction& i, bit_stream& s) {
  if (s.reading()) {
    std::uint32_t code = 0;
    s.transfer(code, e.bits, "modifier");
    for (const choice_entry& entry : e.choices) {
      if (e.bits.width == 0 || entry.code == code) return e.set(i, entry.value);
    }
    return s.fail("a modifier field holds the undefined value " + std::to_string(code));
  }
  for (const choice_entry& entry : e.choices) {
    if (entry.value != e.get(i)) continue;
    std::uint32_t code = entry.code;
    return s.transfer(code, e.bits, "modifier");
  }
  s.fail("this modifier is not available here");
}

void transfer_choice_text(const element& e, instruction& i, text_stream& s) {
  const choice_entry* silent = nullptr;
  for (const choice_entry& entry : e.choices) {
    const bool is_silent = entry.word[0] == '\0';
    if (s.printing()) {
      if (entry.value != e.get(i)) continue;
      if (!is_silent) s.emit(entry.word);
      return;
    }
    if (is_silent) {
      silent = &entry;
    } else if (s.peek() == entry.word) {
      s.advance();
      return e.set(i, entry.value);
    }
  }
  if (silent != nullptr && !s.printing()) return e.set(i, silent->value);
  s.fail("modifier expected" + (s.printing() || s.at_end() ? "" : ", not '" + std::string(s.peek()) + "'"));
}

void transfer_number_text(std::int32_t& value, std::int32_t low, std::int32_t high, text_stream& s) {
  if (s.printing()) return s.emit(hex_number(value));
  const auto number = parse_number(s.peek());
  if (!number || *number < low || *number > high) {
    return s.fail("number from " + std::to_string(low) + " to " + std::to_string(high) + " expected");
  }
  value = static_cast<std::int32_t>(*number);
  s.advance();
}

// The lanes of a quad that a mov writes: "(l02)"; no text if all four.
void transfer_lanes_text(instruction& i, text_stream& s) {
  if (s.printing()) {
    if (i.lane_write_mask == 0xf) return;
    std::string name = "l";
    for (int lane = 0; lane < 4; ++lane) {
      if (((i.lane_write_mask >> lane) & 1) != 0) name += static_cast<char>('0' + lane);
    }
    s.emit("(");
    s.emit(i.lane_write_mask == 0 ? "lnone" : name);
    s.emit(")");
    return;
  }
  if (s.peek() != "(") return;
  s.advance();
  const std::string_view name = s.peek();
  unsigned mask = 0;
  if (name != "lnone") {
    if (name.size() < 2 || name[0] != 'l') return s.fail("lanes such as l02 expected");
    for (const char c : name.substr(1)) {
      if (c < '0' || c > '3') return s.fail("lanes such as l02 expected");
      mask |= 1u << (c - '0');
    }
  }
  i.lane_write_mask = static_cast<std::uint8_t>(mask);
  s.advance();
  s.literal(")");
}

// The field holds one less.
void transfer_section_count(instruction& i, bit_stream& s) {
  std::uint32_t less = i.section.count - 1u;
  s.transfer(less, section_count_field, "number of shared registers");
  i.section.count = static_cast<std::uint8_t>(less + 1);
}

void transfer_condition_output_bits(const element& e, instruction& i, bit_stream& s) {
  if (e.forced) {
    i.writes_condition = true;
    bool enable = true;  // compilers set it, the hardware ignores it
    s.transfer(enable, condition_enable_bit, "$c destination enable");
  } else {
    s.transfer(i.writes_condition, condition_enable_bit, "$c destination enable");
  }
  if (i.writes_condition) s.transfer(i.condition_destination, condition_destination_field, "$c destination");
}

void transfer_condition_output_text(const element& e, instruction& i, text_stream& s) {
  if (s.printing()) {
    if (i.writes_condition) transfer_numbered_text(i.condition_destination, "$c", s);
    return;
  }
  if (!e.forced && s.peek().substr(0, 2) != "$c") return;
  i.writes_condition = true;
  transfer_numbered_text(i.condition_destination, "$c", s);
}

// The same field selects the $c register of the predicate and the $c register read as operand.
void transfer_condition_source_text(instruction& i, std::uint8_t& index, text_stream& s) {
  transfer_numbered_text(index, "$c", s);
  const bool predicate_uses_field = i.condition != 0xf && i.condition != 0;
  if (!s.printing() && predicate_uses_field && index != i.condition_source) {
    s.fail("the predicate and the operand must name the same $c register");
  }
  i.condition_source = index;
}

bool has_carry_input(const instruction& i) { return i.op == opcode::addc || i.addend == addend_mode::addc; }

}  // namespace

void transfer_bits(const element& e, instruction& i, bit_stream& s) {
  switch (e.kind) {
    case element_kind::word: return;
    case element_kind::ignored: return s.ignore(e.bits);
    case element_kind::choice: return transfer_choice_bits(e, i, s);
    case element_kind::lanes: return s.transfer(i.lane_write_mask, lane_field, "lane mask");
    case element_kind::condition_output: return transfer_condition_output_bits(e, i, s);
    case element_kind::carry_input:
      if (!has_carry_input(i)) return;
      if (e.is_long) return s.transfer(i.condition_source, condition_source_field, "$c source");
      if (i.condition_source != 0) s.fail("the short and immediate forms take the carry from $c0");
      return;
    case element_kind::condition_input: {
      operand& o = i.source[e.slot];
      if (s.reading()) o.kind = operand_kind::condition;
      if (o.kind != operand_kind::condition) return s.fail("a $c register is needed here");
      s.transfer(o.index, condition_source_field, "$c source");
      i.condition_source = o.index;
      return;
    }
    case element_kind::texture_unit: return s.transfer(i.texture_unit, e.bits, "texture number");
    case element_kind::sampler_unit: return s.transfer(i.sampler_unit, e.bits, "sampler number");
    case element_kind::texture_offset: {
      std::int32_t value = i.texture_offset[e.slot];
      s.transfer_signed(value, e.bits, "texture offset");
      i.texture_offset[e.slot] = static_cast<std::int8_t>(value);
      return;
    }
    case element_kind::barrier_id: return s.transfer(i.barrier_id, barrier_id_field, "barrier number");
    case element_kind::barrier_mask: {
      std::uint32_t value = i.barrier_mask;
      s.transfer(value, barrier_mask_field, "barrier mask");
      if (value != all_warps) return s.fail("the meaning of a mask other than 0xfff is not known");
      i.barrier_mask = static_cast<std::uint16_t>(value);
      return;
    }
    case element_kind::section_first:
      return s.transfer(i.section.first, section_first_field, "first shared register");
    case element_kind::section_count: return transfer_section_count(i, s);
    case element_kind::target: {
      std::int32_t value = static_cast<std::int32_t>(i.target);
      s.transfer_offset(value, {11, 16, 46, 6}, 2, false, "branch target");
      i.target = static_cast<code_address>(value);
      return;
    }
    default: return transfer_operand_bits(e, i, s);
  }
}

void transfer_text(const element& e, instruction& i, text_stream& s, std::string& target_label) {
  switch (e.kind) {
    case element_kind::word: return s.literal(e.text);
    case element_kind::ignored: return;
    case element_kind::choice: return transfer_choice_text(e, i, s);
    case element_kind::lanes: return transfer_lanes_text(i, s);
    case element_kind::condition_output: return transfer_condition_output_text(e, i, s);
    case element_kind::carry_input:
      if (has_carry_input(i)) {
        std::uint8_t index = i.condition_source;
        transfer_condition_source_text(i, index, s);
      }
      return;
    case element_kind::condition_input: {
      operand& o = i.source[e.slot];
      if (!s.printing()) o.kind = operand_kind::condition;
      return transfer_condition_source_text(i, o.index, s);
    }
    case element_kind::texture_unit: return transfer_numbered_text(i.texture_unit, "$t", s);
    case element_kind::sampler_unit: return transfer_numbered_text(i.sampler_unit, "$s", s);
    case element_kind::texture_offset: {
      std::int32_t value = i.texture_offset[e.slot];
      transfer_number_text(value, -8, 7, s);
      i.texture_offset[e.slot] = static_cast<std::int8_t>(value);
      return;
    }
    case element_kind::barrier_id: {
      std::int32_t value = i.barrier_id;
      transfer_number_text(value, 0, 15, s);
      i.barrier_id = static_cast<std::uint8_t>(value);
      return;
    }
    case element_kind::barrier_mask: {
      std::int32_t value = i.barrier_mask;
      transfer_number_text(value, 0, 0xfff, s);
      i.barrier_mask = static_cast<std::uint16_t>(value);
      return;
    }
    case element_kind::section_first: return transfer_numbered_text(i.section.first, "$r", s);
    case element_kind::section_count: {
      std::int32_t value = i.section.count;
      transfer_number_text(value, 1, max_gpr, s);
      i.section.count = static_cast<std::uint8_t>(value);
      return;
    }
    default: return transfer_operand_text(e, i, s, target_label);
  }
}

}  // namespace gt200::isa::tesla
