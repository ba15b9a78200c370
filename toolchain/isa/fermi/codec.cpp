#include "toolchain/isa/fermi/codec.h"

#include <array>
#include <tuple>
#include <utility>
#include <vector>

#include "toolchain/isa/fermi/derive.h"
#include "toolchain/isa/fermi/opcode_table.h"

namespace gt200::isa::fermi {
namespace {

constexpr unsigned join_bit = 4;
constexpr bit_field guard_bits = {10, 4};
constexpr bit_field test_bits = {5, 5};
constexpr std::uint64_t length_bit = 8;  // set in instructions of 4 bytes

std::string hex_word(std::uint64_t word) {
  std::string text = "0x";
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[(word >> shift) & 15];
  return text;
}

// The elements in front of those of the row. The text of each comes in this order.
const element_list& prefix_of(encoding_format format) {
  static const element_list ordinary_prefix = {flag<&instruction::join>(join_bit, "join"), guard()};
  static const element_list control_prefix = {guard(), condition_code_test(test_bits)};
  static const element_list plain_prefix = {ignored(guard_bits)};
  switch (format) {
    case encoding_format::ordinary: return ordinary_prefix;
    case encoding_format::control: return control_prefix;
    case encoding_format::control_plain: break;
  }
  return plain_prefix;
}

// Returns how many elements succeeded; this selects the most useful error.
std::size_t transfer_row_bits(const row& r, instruction& i, bit_stream& s) {
  i.op = r.op;
  s.fix(r.mask | length_bit, r.value);
  std::size_t done = 0;
  for (const element_list* elements : {&prefix_of(r.format), &r.elements})
    for (const element& e : *elements) {
      if (e.bits != nullptr) e.bits(e, i, s);
      if (!s.ok()) return done;
      ++done;
    }
  return done;
}

void transfer_row_text(const row& r, instruction& i, text_stream& s, std::string& label) {
  i.op = r.op;
  for (const element_list* elements : {&prefix_of(r.format), &r.elements})
    for (const element& e : *elements) {
      if (e.text != nullptr) e.text(e, i, s, label);
      if (!s.ok()) return;
    }
}

std::optional<instruction> decode_row(const row& r, std::uint64_t words, decode_error& error) {
  instruction i;
  bit_stream s = bit_stream::reader(words);
  transfer_row_bits(r, i, s);
  if (!s.ok()) {
    error.reason = std::string(r.name) + ": " + s.error();
    return std::nullopt;
  }
  if (const std::uint64_t unused = words & ~s.used(); unused != 0) {
    error.reason = std::string(r.name) + ": the bits " + hex_word(unused) + " have no known meaning here";
    return std::nullopt;
  }
  i.words = {static_cast<std::uint32_t>(words), static_cast<std::uint32_t>(words >> 32)};
  derive(i, r);
  return i;
}

struct encode_failure {
  std::size_t progress = 0;
  std::string reason = "no encoding exists for this operation";
};
// The result decodes to `wanted` again, or there is none. `best` keeps the failure that got furthest.
std::optional<instruction> encode_row(const row& r, const instruction& wanted, encode_failure& best) {
  instruction i = wanted;
  bit_stream s = bit_stream::writer();
  const std::size_t progress = transfer_row_bits(r, i, s);
  decode_error error;
  std::optional<instruction> decoded;
  if (s.ok()) {
    decoded = decode_row(r, s.words(), error);
    if (decoded && !same_operation(*decoded, wanted)) {
      decoded.reset();
      error.reason = "a modifier or an operand is not available in this form";
    }
  } else {
    error.reason = s.error();
  }
  if (!decoded && progress >= best.progress) best = {progress, std::string(r.name) + ": " + error.reason};
  return decoded;
}

bool is_absolute(const instruction& i) { return i.op == opcode::jmp || i.op == opcode::jcal; }

std::string relative_text(std::int32_t distance) { return (distance < 0 ? "" : "+") + hex_number(distance); }

std::string print(const instruction& i, std::string label) {
  const row* r = find_row(words_of(i.words));
  if (r == nullptr || r->op != i.op) return "??? " + hex_word(words_of(i.words));
  instruction copy = i;
  text_stream s = text_stream::printer();
  transfer_row_text(*r, copy, s, label);
  return s.text();
}

bool has_long_immediate(const row& r) { return (r.value & 7) == 2; }

// Moves a target that is a number from the label to the instruction.
bool take_numeric_target(instruction& i, code_address at, std::string& label, decode_error& error) {
  const bool relative = label[0] == '+' || label[0] == '-';
  const auto number = parse_number(label[0] == '+' ? std::string_view(label).substr(1) : std::string_view(label));
  if (!number) return true;
  label.clear();
  if (relative)
    i.target = static_cast<std::int32_t>(*number);
  else
    return set_target(i, at, static_cast<code_address>(*number), error);
  return true;
}

bool equal(const operand& a, const operand& b) {
  return std::tie(a.kind, a.index, a.words, a.bank, a.form, a.negate, a.absolute, a.invert, a.value) ==
         std::tie(b.kind, b.index, b.words, b.bank, b.form, b.negate, b.absolute, b.invert, b.value);
}
bool equal(const predicate_operand& a, const predicate_operand& b) {
  return a.index == b.index && a.negate == b.negate;
}
bool equal_operands(const instruction& a, const instruction& b) {
  for (std::size_t k = 0; k < a.source.size(); ++k)
    if (!equal(a.source[k], b.source[k]) || !equal(a.predicate_source[k], b.predicate_source[k])) return false;
  return equal(a.destination, b.destination) && equal(a.guard, b.guard) &&
         a.predicate_destination == b.predicate_destination;
}

auto arithmetic_modifiers(const instruction& i) {
  return std::tie(i.writes_condition_code, i.carry_in, i.ftz, i.fmz, i.saturate, i.negate_product, i.high,
                  i.is_signed, i.source_signed, i.float_result, i.reverse, i.wrap, i.shift_amount, i.integral_round,
                  i.addend, i.logic, i.combine, i.round, i.source_type, i.destination_type, i.part, i.compare,
                  i.scale, i.shift);
}
auto other_modifiers(const instruction& i) {
  return std::tie(i.op, i.join, i.condition, i.atomic, i.atomic_float, i.lane_write_mask, i.function,
                  i.range_of_ex2, i.permute, i.special, i.vote, i.maximum, i.merge, i.selector, i.memory_type,
                  i.cache, i.level, i.cache_control, i.cache_control_kind, i.barrier_operation, i.target, i.limit,
                  i.all_warp, i.breakpoint);
}
auto texture_modifiers(const instruction& i) {
  return std::tie(i.texture_unit, i.sampler_unit, i.texture_write_mask, i.texture_mode, i.texture_shape,
                  i.texture_live, i.texture_all_derivatives, i.texture_level);
}

// Surface instructions, which are named and refused. Source: envytools, gf100.c.
struct surface_name {
  std::uint64_t operation;  // bits 58 to 63
  const char* name;
};
constexpr surface_name surface_names[] = {
    {0x35, "suldb"}, {0x36, "suredp"}, {0x37, "sust"}, {0x39, "suq"}, {0x3c, "suleab"}};
constexpr const char* no_surfaces = "surfaces are not supported";

const char* surface_instruction(std::uint64_t words) {
  constexpr std::uint64_t memory_group = 5;
  for (const surface_name& s : surface_names)
    if ((words & 7) == memory_group && words >> 58 == s.operation) return s.name;
  return nullptr;
}

bool is_surface_instruction(std::string_view word) {
  for (const char* name : {"suldb", "suredp", "sustb", "sustp", "suq", "suleab"})
    if (word == name) return true;
  return false;
}

}  // namespace

std::optional<instruction> decode(std::uint64_t words, decode_error& error) {
  const row* r = (words & length_bit) == 0 ? find_row(words) : nullptr;
  if (r == nullptr) {
    const char* const surface = surface_instruction(words);
    error.reason = (words & length_bit) != 0
                       ? "the 4-byte form of " + hex_word(words & 0xffffffff).substr(10) + " is not supported"
                   : surface != nullptr ? surface + std::string(": ") + no_surfaces
                                        : "no instruction has the words " + hex_word(words);
    return std::nullopt;
  }
  return decode_row(*r, words, error);
}

bool encode(instruction& i, decode_error& error) {
  encode_failure failure;
  for (const bool long_rows : {i.long_immediate, !i.long_immediate})
    for (const row& r : opcode_table()) {
      if (r.op != i.op || has_long_immediate(r) != long_rows) continue;
      if (auto encoded = encode_row(r, i, failure)) {
        i = *encoded;
        return true;
      }
    }
  error.reason = failure.reason;
  return false;
}

std::string disassemble(const instruction& i, code_address at, std::string_view target_label) {
  if (!target_label.empty() || !has_target(i)) return print(i, std::string(target_label));
  return print(i, hex_number(target_of(i, at)));
}

std::string disassemble(const instruction& i) {
  return print(i, is_absolute(i) ? hex_number(target_of(i, 0)) : relative_text(i.target));
}

std::optional<instruction> parse(std::string_view line, code_address at, std::string& target_label,
                                 decode_error& error) {
  target_label.clear();
  const std::vector<std::string> tokens = tokenize(line);
  if (tokens.empty()) {
    error.reason = "an instruction is expected";
    return std::nullopt;
  }
  std::size_t furthest = 0;
  bool text_matched = false;
  encode_failure failure;
  error.reason = is_surface_instruction(tokens[0]) ? tokens[0] + ": " + no_surfaces
                                                   : "unknown instruction '" + tokens[0] + "'";
  for (const row& r : opcode_table()) {
    instruction i;
    text_stream s = text_stream::parser(tokens);
    std::string label;
    transfer_row_text(r, i, s, label);
    if (s.ok() && !s.at_end()) s.fail("'" + std::string(s.peek()) + "' is too much");
    if (!s.ok()) {
      if (s.position() > furthest) {
        furthest = s.position();
        error.reason = std::string(r.name) + ": " + s.error();
      }
      continue;
    }
    text_matched = true;
    decode_error target_error;
    if (!label.empty() && !take_numeric_target(i, at, label, target_error)) {
      failure = {~std::size_t{0}, target_error.reason};
      continue;
    }
    if (auto encoded = encode_row(r, i, failure)) {
      target_label = label;
      return encoded;
    }
  }
  if (text_matched) error.reason = failure.reason;
  return std::nullopt;
}

bool has_target(const instruction& i) {
  switch (i.op) {
    case opcode::bra:
    case opcode::jmp:
    case opcode::cal:
    case opcode::jcal:
    case opcode::ssy:
    case opcode::pbk:
    case opcode::pcnt:
    case opcode::pret:
    case opcode::plongjmp: return true;
    default: return false;
  }
}

code_address target_of(const instruction& i, code_address at) {
  const auto value = static_cast<code_address>(i.target);
  return is_absolute(i) ? value : at + instruction_bytes + value;
}

bool set_target(instruction& i, code_address at, code_address target, decode_error& error) {
  const std::int64_t distance = std::int64_t{target} - at - instruction_bytes;
  constexpr std::int64_t limit = std::int64_t{1} << (code_address_bits - 1);
  if (!is_absolute(i) && (distance < -limit || distance >= limit)) {
    error.reason = "the target is too far away";
    return false;
  }
  i.target = static_cast<std::int32_t>(is_absolute(i) ? std::int64_t{target} : distance);
  return true;
}

bool same_operation(const instruction& a, const instruction& b) {
  return equal_operands(a, b) && arithmetic_modifiers(a) == arithmetic_modifiers(b) &&
         other_modifiers(a) == other_modifiers(b) && texture_modifiers(a) == texture_modifiers(b);
}

}  // namespace gt200::isa::fermi
