#include "toolchain/isa/volta/codec.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "toolchain/isa/common/text_stream.h"
#include "toolchain/isa/volta/control_codes.h"
#include "toolchain/isa/volta/derive.h"
#include "toolchain/isa/volta/line_text.h"
#include "toolchain/isa/volta/opcode_table.h"

namespace gt200::isa::volta {
namespace {

constexpr bit_field guard_field = {12, 4};
constexpr bit_field control_field = {105, control_bits};

std::string hex_words(uint128 words) {
  std::string text = "0x";
  for (int shift = 124; shift >= 0; shift -= 4)
    text += "0123456789abcdef"[static_cast<unsigned>(words >> shift) & 15];
  return text;
}

void transfer_row_bits(const row& r, instruction& i, wide_bit_stream& s, std::size_t& done) {
  i.op = r.op;
  s.fix(r.mask, r.value);
  std::uint32_t guard = i.guard.index | std::uint32_t{i.guard.negate} << 3;
  s.transfer(guard, guard_field, "guard");
  i.guard = {static_cast<std::uint8_t>(guard & 7), guard >> 3 != 0};
  if (s.reading()) {
    std::uint32_t codes = 0;
    s.transfer(codes, control_field, "control codes");
    i.codes = decode_control(codes);
    if (!is_defined(i.codes)) return s.fail("the control codes name the dependency barrier 6");
  }
  for (const element& e : r.elements) {
    if (e.bits != nullptr) e.bits(e, i, s);
    if (!s.ok()) return;
    ++done;
  }
  if (s.reading()) return;
  std::uint32_t codes = encode_control(i.codes);
  s.transfer(codes, control_field, "control codes");
}

std::optional<instruction> decode_row(const row& r, uint128 words, decode_error& error, std::size_t& done) {
  instruction i;
  wide_bit_stream s = wide_bit_stream::reader(words);
  transfer_row_bits(r, i, s, done);
  if (!s.ok()) {
    error.reason = std::string(r.name) + ": " + s.error();
    return std::nullopt;
  }
  if (const uint128 unused = words & ~s.used(); unused != 0) {
    error.reason = std::string(r.name) + ": the bits " + hex_words(unused) + " have no known meaning here";
    return std::nullopt;
  }
  i.words = to_words(words);
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
  wide_bit_stream s = wide_bit_stream::writer();
  std::size_t progress = 0;
  transfer_row_bits(r, i, s, progress);
  decode_error error;
  std::optional<instruction> decoded;
  if (s.ok()) {
    std::size_t ignored_progress = 0;
    decoded = decode_row(r, s.words(), error, ignored_progress);
    if (decoded && find_row(s.words()) != &r) {
      decoded.reset();
      error.reason = std::string(r.name) + ": these operands need another form";
    } else if (decoded && !same_operation(*decoded, i)) {
      decoded.reset();
      error.reason = std::string(r.name) + ": a modifier or an operand is not available in this form";
    }
  } else {
    error.reason = std::string(r.name) + ": " + s.error();
  }
  if (!decoded && progress >= best.progress) best = {progress, error.reason};
  return decoded;
}

std::string relative_text(std::int32_t distance) { return (distance < 0 ? "" : "+") + hex_number(distance); }

std::string print(const instruction& i, std::string label) {
  const row* r = find_row(words_of(i.words));
  if (r == nullptr || r->op != i.op) return "??? " + hex_words(words_of(i.words));
  instruction copy = i;
  line_text s = line_text::printer();
  for (const element& e : r->elements)
    if (e.text != nullptr) e.text(e, copy, s, label);
  const bool is_guarded = i.guard.index != true_predicate || i.guard.negate;
  return (is_guarded ? "@" + predicate_text(i.guard.index, i.guard.negate) + " " : std::string()) + r->name +
         s.text();
}

// Moves a target that is a number from the label to the instruction.
void take_numeric_target(instruction& i, code_address at, std::string& label) {
  const bool relative = label[0] == '+' || label[0] == '-';
  const auto number = parse_number(label[0] == '+' ? std::string_view(label).substr(1) : std::string_view(label));
  if (!number) return;
  label.clear();
  if (relative)
    i.target = static_cast<std::int32_t>(*number);
  else
    set_target(i, at, static_cast<code_address>(*number));
}

bool parse_guard(std::string text, predicate_operand& guard) {
  guard.negate = !text.empty() && text[0] == '!';
  if (guard.negate) text.erase(0, 1);
  if (text.size() != 2 || text[0] != 'P') return false;
  if (text[1] == 'T')
    guard.index = true_predicate;
  else if (text[1] >= '0' && text[1] < static_cast<char>('0' + predicate_count))
    guard.index = static_cast<std::uint8_t>(text[1] - '0');
  else
    return false;
  return true;
}

bool equal(const operand& a, const operand& b) {
  const auto key = [](const operand& o) {
    return std::tie(o.kind, o.index, o.words, o.bank, o.part, o.negate, o.absolute, o.invert, o.reuse, o.value);
  };
  return key(a) == key(b) && (a.kind != operand_kind::immediate || a.form == b.form);
}
bool equal(const predicate_operand& a, const predicate_operand& b) {
  return a.index == b.index && a.negate == b.negate;
}

}  // namespace

std::optional<instruction> decode(uint128 words, decode_error& error) {
  const row* r = find_row(words);
  std::size_t done = 0;
  if (r != nullptr) return decode_row(*r, words, error, done);
  if (const char* name = refused_name(words))
    error.reason = (rows_named(name).empty() ? "" : "this form of ") + std::string(name) + " is not supported";
  else
    error.reason = "no instruction has the words " + hex_words(words);
  return std::nullopt;
}

bool encode(instruction& i, decode_error& error) {
  encode_failure failure;
  for (const row& r : opcode_table()) {
    if (r.op != i.op) continue;
    if (auto encoded = encode_row(r, i, failure)) {
      i = *encoded;
      return true;
    }
  }
  error.reason = failure.reason;
  return false;
}

std::string disassemble(const instruction& i, code_address at, std::string_view target_label) {
  if (!target_label.empty() || !has_target(i))
    return print(i, target_label.empty() ? relative_text(i.target) : std::string(target_label));
  return print(i, hex_number(target_of(i, at)));
}

std::string disassemble(const instruction& i) {
  return print(i, i.absolute_target ? hex_number(target_of(i, 0)) : relative_text(i.target));
}

std::optional<instruction> parse(std::string_view line, code_address at, std::string& target_label,
                                 decode_error& error) {
  target_label.clear();
  const line_parts parts = take_apart(line);
  instruction start;
  const auto fail = [&error](std::string reason) {
    error.reason = std::move(reason);
    return std::nullopt;
  };
  if (parts.mnemonic.empty()) return fail("an instruction is expected");
  if (!parts.control.empty()) {
    std::string reason;
    const auto codes = parse_control(parts.control, reason);
    if (!codes) return fail(reason);
    start.codes = *codes;
  }
  if (!parts.guard.empty() && !parse_guard(parts.guard, start.guard))
    return fail("a guard such as @P0 or @!P0 is expected, not '@" + parts.guard + "'");
  const std::vector<const row*>& rows = rows_named(parts.mnemonic);
  if (rows.empty())
    return fail(is_refused(parts.mnemonic) ? parts.mnemonic + " is not supported"
                                           : "unknown instruction '" + parts.mnemonic + "'");
  std::size_t furthest = 0;
  bool text_matched = false;
  encode_failure failure;
  for (const row* r : rows) {
    instruction i = start;
    line_text s = line_text::parser(parts);
    std::string label;
    i.op = r->op;
    for (const element& e : r->elements) {
      if (e.text != nullptr) e.text(e, i, s, label);
      if (!s.ok()) break;
    }
    if (s.ok() && !s.at_end()) s.fail("'" + s.rest() + "' is too much");
    if (!s.ok()) {
      if (error.reason.empty() || s.progress() >= furthest) {
        furthest = s.progress();
        error.reason = std::string(r->name) + ": " + s.error();
      }
      continue;
    }
    text_matched = true;
    if (!label.empty()) take_numeric_target(i, at, label);
    if (parts.control.empty()) {
      i.control = r->control;
      i.codes = serial_codes(i);
    }
    if (auto encoded = encode_row(*r, i, failure)) {
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
    case opcode::bssy:
    case opcode::ret: return true;
    case opcode::call: return !i.absolute_target || i.source[0].kind == operand_kind::none;
    default: return false;
  }
}

code_address target_of(const instruction& i, code_address at) {
  const auto value = static_cast<code_address>(i.target);
  return i.absolute_target ? value : at + instruction_bytes + value;
}

void set_target(instruction& i, code_address at, code_address target) {
  i.target = static_cast<std::int32_t>(i.absolute_target ? target : target - at - instruction_bytes);
}

bool has_variable_latency(const instruction& i) {
  switch (i.op) {
    case opcode::fchk:
    case opcode::mufu:
    case opcode::flo:
    case opcode::popc:
    case opcode::brev:
    case opcode::f2f:
    case opcode::f2i:
    case opcode::i2f:
    case opcode::frnd:
    case opcode::s2r:
    case opcode::b2r:
    case opcode::shfl:
    case opcode::match:
    case opcode::ld:
    case opcode::st:
    case opcode::ldg:
    case opcode::stg:
    case opcode::ldl:
    case opcode::stl:
    case opcode::lds:
    case opcode::sts:
    case opcode::ldc:
    case opcode::atom:
    case opcode::atomg:
    case opcode::atoms:
    case opcode::red:
    case opcode::qspc:
    case opcode::cctl:
    case opcode::membar:
    case opcode::errbar:
    case opcode::tex:
    case opcode::tld:
    case opcode::bmov: return true;
    default: return false;
  }
}

control_codes serial_codes(const instruction& i) {
  control_codes codes;
  codes.wait_mask = 3;
  codes.stall_cycles = max_stall_cycles;
  codes.yield = true;  // a stall above 11 counts only with it
  if (!has_variable_latency(i)) return codes;
  codes.yield = false;
  codes.stall_cycles = 2;  // the barrier counts one cycle after the issue
  codes.write_barrier = 0;
  codes.read_barrier = 1;
  return codes;
}

bool same_operation(const instruction& a, const instruction& b) {
  for (std::size_t k = 0; k < a.source.size(); ++k)
    if (!equal(a.source[k], b.source[k]) || !equal(a.predicate_source[k], b.predicate_source[k])) return false;
  return a.op == b.op && a.target == b.target && equal(a.destination, b.destination) &&
         equal(a.second_destination, b.second_destination) && equal(a.guard, b.guard) &&
         a.predicate_destination == b.predicate_destination && encode_control(a.codes) == encode_control(b.codes) &&
         std::memcmp(static_cast<const modifiers*>(&a), static_cast<const modifiers*>(&b), sizeof(modifiers)) == 0;
}

}  // namespace gt200::isa::volta
