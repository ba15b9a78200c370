#include "toolchain/isa/tesla/codec.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "toolchain/isa/tesla/condition.h"
#include "toolchain/isa/tesla/derive.h"
#include "toolchain/isa/tesla/opcode_table.h"

namespace gt200::isa::tesla {
namespace {

constexpr bit_field predicate_field = {39, 5};
constexpr bit_field predicate_source_field = {44, 2};
constexpr bit_field format_field_1 = {0, 2};
constexpr bit_field format_field_2 = {32, 2};
constexpr bit_field exit_join_field = {32, 2};

std::uint64_t joined(const std::uint32_t words[2]) { return words[0] | std::uint64_t{words[1]} << 32; }

bool is_predicable(encoding_format f) { return f == encoding_format::long_ || f == encoding_format::control; }

void transfer_predicate_bits(instruction& i, bit_stream& s) {
  s.transfer(i.condition, predicate_field, "predicate");
  if (!condition_defined(i.condition)) {
    return s.fail("predicate condition " + std::to_string(i.condition) + " is undefined");
  }
  if (i.condition != 0xf && i.condition != 0)
    s.transfer(i.condition_source, predicate_source_field, "predicate register");
}

// Transfers what all instructions of a format share, then the elements of the row. Returns how many elements
// succeeded; this selects the most useful error.
std::size_t transfer_row_bits(const row& r, instruction& i, bit_stream& s) {
  i.op = r.op;
  s.fix(joined(r.mask), joined(r.value));
  std::uint32_t format_bits = 1;
  std::uint32_t exit_join = 0;
  switch (r.format) {
    case encoding_format::short_: format_bits = 0; break;
    case encoding_format::short_control: format_bits = 2; break;
    case encoding_format::long_:
      if (i.exit && i.join) s.fail("exit and join exclude each other");
      exit_join = i.exit ? 1 : i.join ? 2 : 0;
      s.transfer(exit_join, exit_join_field, "exit or join");
      i.exit = exit_join == 1;
      i.join = exit_join == 2;
      break;
    case encoding_format::immediate:
      exit_join = 3;
      s.transfer(exit_join, format_field_2, "format");
      break;
    case encoding_format::control:
    case encoding_format::control_plain: format_bits = 3; break;
  }
  s.transfer(format_bits, format_field_1, "format");
  if (is_predicable(r.format)) transfer_predicate_bits(i, s);
  if (r.format == encoding_format::control_plain) {
    s.ignore(predicate_field);
    s.ignore(predicate_source_field);
  }
  std::size_t done = 0;
  while (s.ok() && done < r.elements.size()) {
    transfer_bits(r.elements[done], i, s);
    if (s.ok()) ++done;
  }
  return done;
}

// The formats that the low bits of the two words permit.
std::array<encoding_format, 2> formats_of(std::uint32_t first_word, std::uint32_t second_word) {
  using f = encoding_format;
  switch (first_word & 3) {
    case 0: return {f::short_, f::short_};
    case 2: return {f::short_control, f::short_control};
    case 3: return {f::control, f::control_plain};
    default: break;
  }
  const f format = (second_word & 3) == 3 ? f::immediate : f::long_;
  return {format, format};
}

const row* find_row(std::uint32_t first_word, std::uint32_t second_word) {
  for (const encoding_format format : formats_of(first_word, second_word)) {
    for (const row* r : rows_of(format, first_word >> 28)) {
      if (((first_word ^ r->value[0]) & r->mask[0]) == 0 && ((second_word ^ r->value[1]) & r->mask[1]) == 0)
        return r;
    }
  }
  return nullptr;
}

std::string hex_word(std::uint32_t word) {
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[(word >> shift) & 15];
  return text;
}

std::optional<instruction> decode_row(const row& r, std::uint32_t first_word, std::uint32_t second_word,
                                      decode_error& error) {
  instruction i;
  const std::uint32_t words[2] = {first_word, second_word};
  bit_stream s = bit_stream::reader(joined(words));
  transfer_row_bits(r, i, s);
  if (!s.ok()) {
    error.reason = std::string(r.mnemonic) + ": " + s.error();
    return std::nullopt;
  }
  const std::uint64_t unused = s.words() & ~s.used();
  if (unused != 0) {
    error.reason = std::string(r.mnemonic) + ": the bits " + hex_word(static_cast<std::uint32_t>(unused)) + " " +
                   hex_word(static_cast<std::uint32_t>(unused >> 32)) + " have no known meaning here";
    return std::nullopt;
  }
  i.words[0] = first_word;
  i.words[1] = second_word;
  i.length = is_short(r.format) ? 4 : 8;
  normalize(i);
  derive(i, r);
  return i;
}

// Encodes with one row. The result decodes to `i` again, or there is none. `best` keeps the failure that got
// furthest.
struct encode_failure {
  std::size_t progress = 0;
  std::string reason = "no encoding exists for this operation";
};
std::optional<instruction> encode_row(const row& r, const instruction& wanted, encode_failure& best) {
  instruction i = wanted;
  normalize(i);
  const instruction normalized = i;
  bit_stream s = bit_stream::writer();
  const std::size_t progress = transfer_row_bits(r, i, s);
  decode_error error;
  std::optional<instruction> decoded;
  if (s.ok()) {
    decoded =
        decode_row(r, static_cast<std::uint32_t>(s.words()), static_cast<std::uint32_t>(s.words() >> 32), error);
    if (decoded && equivalent(*decoded, normalized)) return decoded;
    if (decoded)
      error.reason = std::string(r.mnemonic) + ": this combination of operands and modifiers has no encoding";
  } else {
    error.reason = std::string(r.mnemonic) + ": " + s.error();
  }
  if (progress >= best.progress) best = {progress, error.reason};
  return std::nullopt;
}

// "(lg $c0)"; nothing for "always".
void transfer_predicate_text(instruction& i, text_stream& s) {
  if (s.printing()) {
    if (i.condition == 0xf) return;
    s.emit("(");
    s.emit(condition_names[i.condition & 31]);
    if (i.condition != 0) s.emit("$c" + std::to_string(i.condition_source));
    return s.emit(")");
  }
  if (s.peek() != "(") return;
  const std::string_view wanted = s.peek(1);
  std::size_t code = 0;
  while (code < condition_names.size() && (condition_names[code] == nullptr || wanted != condition_names[code]))
    ++code;
  const bool lane_list =
      wanted.size() > 1 && wanted[0] == 'l' && (wanted == "lnone" || (wanted[1] >= '0' && wanted[1] <= '3'));
  if (lane_list) return;  // in front of mov
  if (code == condition_names.size()) {
    return s.fail("unknown condition '" + std::string(wanted) +
                  "'; integers: l e le g lg ge, floats also with u behind, flags: o c a s no nc na ns");
  }
  s.advance();
  s.advance();
  i.condition = static_cast<std::uint8_t>(code);
  if (code != 0) {
    const std::string_view name = s.peek();
    if (name.size() != 3 || name.substr(0, 2) != "$c" || name[2] < '0' || name[2] > '3') {
      return s.fail("$c0..$c3 expected after the condition");
    }
    i.condition_source = static_cast<std::uint8_t>(name[2] - '0');
    s.advance();
  }
  s.literal(")");
}

// Prints or parses the mnemonic and the operands of a row, as `s` does. The lane list of mov, as in "(l01) mov",
// comes before the mnemonic.
void transfer_row_text(const row& r, instruction& i, text_stream& s, std::string& target_label) {
  i.op = r.op;
  std::size_t k = 0;
  if (!r.elements.empty() && r.elements[0].kind == element_kind::lanes)
    transfer_text(r.elements[k++], i, s, target_label);
  if (s.ok()) s.literal(r.mnemonic);
  for (; s.ok() && k < r.elements.size(); ++k) transfer_text(r.elements[k], i, s, target_label);
}

// False if `s`, which parses, cannot be the text of this row: it begins with another mnemonic.
bool may_begin(const row& r, const text_stream& s) {
  const bool lanes_first = !r.elements.empty() && r.elements[0].kind == element_kind::lanes;
  return lanes_first || s.peek() == r.mnemonic;
}

// `.S` behind the mnemonic is another way to write the prefix join. Removes it, and returns true if it was there.
bool take_sync_suffix(std::vector<std::string>& tokens) {
  std::size_t n = 0;
  const auto take = [&](std::string_view word) {
    const bool found = n < tokens.size() && tokens[n] == word;
    n += found ? 1 : 0;
    return found;
  };
  if (!take("short")) take("long");
  if (!take("exit")) take("join");
  if (take("("))
    while (n < tokens.size() && tokens[n++] != ")") {
    }
  if (n == tokens.size()) return false;
  std::string& mnemonic = tokens[n];
  if (mnemonic.size() < 3 || mnemonic.compare(mnemonic.size() - 2, 2, ".S") != 0) return false;
  mnemonic.resize(mnemonic.size() - 2);
  return true;
}

// The floating-point type that the line has in place of a rounding mode of the long form, or nothing. For such a
// line the row that gets furthest is a different one, and its error would mislead.
std::string type_without_rounding(const std::vector<std::string>& tokens) {
  const auto type = std::find_if(tokens.begin(), tokens.end(),
                                 [](const std::string& token) { return token == "f32" || token == "f64"; });
  if (type == tokens.begin() || type == tokens.end() || *(type - 1) == "rn") return {};
  std::string line;
  for (auto token = tokens.begin(); token != tokens.end(); ++token)
    line += (token == type ? "rn " : "") + *token + " ";
  std::string label;
  decode_error error;
  return parse(line, label, error) ? *type : std::string();
}

}  // namespace

std::optional<instruction> decode(std::uint32_t first_word, std::uint32_t second_word, decode_error& error) {
  if (length_of(first_word) == 4) second_word = 0;
  const row* r = find_row(first_word, second_word);
  if (r == nullptr) {
    error.reason = "no instruction has the words " + hex_word(first_word) +
                   (length_of(first_word) == 8 ? " " + hex_word(second_word) : "");
    return std::nullopt;
  }
  return decode_row(*r, first_word, second_word, error);
}

bool encode(instruction& i, decode_error& error, bool force_long) {
  encode_failure failure;
  for (const bool short_rows : {true, false}) {
    if (short_rows && force_long) continue;
    for (const row& r : opcode_table()) {
      if (r.op != i.op || is_short(r.format) != short_rows) continue;
      if (auto encoded = encode_row(r, i, failure)) {
        i = *encoded;
        return true;
      }
    }
  }
  error.reason = failure.reason;
  return false;
}

std::string disassemble(const instruction& i, std::string_view target_label) {
  const row* r = find_row(i.words[0], i.words[1]);
  if (r == nullptr || r->op != i.op) return "??? " + hex_word(i.words[0]) + " " + hex_word(i.words[1]);
  instruction copy = i;
  text_stream s = text_stream::printer();
  if (is_short(r->format)) s.emit("short");
  if (i.exit) s.emit("exit");
  if (i.join) s.emit("join");
  if (is_predicable(r->format)) transfer_predicate_text(copy, s);
  std::string label(target_label);
  transfer_row_text(*r, copy, s, label);
  return s.text();
}

std::optional<instruction> parse(std::string_view line, std::string& target_label, decode_error& error) {
  target_label.clear();
  std::vector<std::string> tokens = tokenize(line);
  const bool is_sync = take_sync_suffix(tokens);
  if (tokens.empty()) {
    error.reason = "an instruction is expected";
    return std::nullopt;
  }
  text_stream prefix = text_stream::parser(tokens);
  instruction start;
  const bool wants_short = prefix.peek() == "short";
  if (wants_short || prefix.peek() == "long") prefix.advance();
  if (prefix.peek() == "exit" || prefix.peek() == "join") {
    (prefix.peek() == "exit" ? start.exit : start.join) = true;
    prefix.advance();
  }
  if (is_sync) start.join = true;
  transfer_predicate_text(start, prefix);
  if (!prefix.ok()) {
    error.reason = prefix.error();
    return std::nullopt;
  }

  std::size_t furthest = 0;
  bool text_matched = false;
  error.reason = "unknown instruction '" + std::string(prefix.peek()) + "'";
  encode_failure failure;
  for (const row& r : opcode_table()) {
    if (is_short(r.format) != wants_short || !may_begin(r, prefix)) continue;
    instruction i = start;
    text_stream s = prefix;
    std::string label;
    transfer_row_text(r, i, s, label);
    if (s.ok() && !s.at_end()) s.fail("'" + std::string(s.peek()) + "' is too much");
    if (s.ok()) {
      text_matched = true;
      if (auto encoded = encode_row(r, i, failure)) {
        target_label = label;
        return encoded;
      }
    } else if (s.position() > furthest && s.position() > prefix.position()) {
      furthest = s.position();
      error.reason = std::string(r.mnemonic) + ": " + s.error();
    }
  }
  if (text_matched) {
    error.reason = failure.reason;
  } else if (wants_short && furthest == 0) {
    error.reason = "no instruction '" + std::string(prefix.peek()) + "' has a short form";
  } else if (const std::string type = type_without_rounding(tokens); !type.empty()) {
    error.reason =
        std::string(prefix.peek()) + ": the rounding is missing in front of '" + type + "', such as rn or rz";
  }
  return std::nullopt;
}

bool same_operation(const instruction& a, const instruction& b) { return equivalent(a, b); }

}  // namespace gt200::isa::tesla
