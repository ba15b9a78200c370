#include "toolchain/isa/tesla/operand_text.h"

#include <algorithm>
#include <cctype>

namespace gt200::isa::tesla {
namespace {

constexpr std::array<const char*, 8> special_names = {"$physid", "$clock", "$sr2", "$vstride",
                                                      "$pm0",    "$pm1",   "$pm2", "$pm3"};

// For "$r12" with prefix "$r": the number and the text after it.
struct numbered {
  std::uint32_t number;
  std::string_view suffix;
};
std::optional<numbered> split_numbered(std::string_view token, std::string_view prefix) {
  if (token.substr(0, prefix.size()) != prefix) return std::nullopt;
  token.remove_prefix(prefix.size());
  std::size_t digits = 0;
  std::uint32_t number = 0;
  while (digits < token.size() && digits < 4 && std::isdigit(static_cast<unsigned char>(token[digits])) != 0) {
    number = number * 10 + static_cast<std::uint32_t>(token[digits] - '0');
    ++digits;
  }
  if (digits == 0) return std::nullopt;
  return numbered{number, token.substr(digits)};
}

std::string register_text(const operand& o) {
  std::string text = "$r" + std::to_string(o.index);
  if (o.part == half::low) text += 'l';
  if (o.part == half::high) text += 'h';
  if (o.part == half::whole && o.type == data_type::b64) text += 'd';
  if (o.part == half::whole && o.type == data_type::b128) text += 'q';
  return text;
}

bool parse_register(std::string_view token, operand& o) {
  const auto r = split_numbered(token, "$r");
  if (!r || r->number >= max_gpr) return false;
  o.kind = operand_kind::gpr;
  o.index = static_cast<std::uint8_t>(r->number);
  o.part = half::whole;
  o.type = data_type::b32;
  if (r->suffix.empty()) return true;
  if (r->suffix == "l" || r->suffix == "h") {
    o.part = r->suffix == "l" ? half::low : half::high;
    o.type = data_type::u16;
    return true;
  }
  if (r->suffix == "d" || r->suffix == "q") {
    o.type = r->suffix == "d" ? data_type::b64 : data_type::b128;
    return true;
  }
  return false;
}

// Registers must be written with the width the instruction takes: "$r1l" is not a 32-bit operand.
void check_register_width(const operand& o, width size, std::string_view token, text_stream& s) {
  bool fits = true;
  const bool whole = o.part == half::whole;
  switch (size) {
    case width::half: fits = !whole; break;
    case width::word: fits = whole && o.type == data_type::b32; break;
    case width::pair: fits = whole && o.type == data_type::b64; break;
    case width::quad: fits = whole && o.type == data_type::b128; break;
    case width::half_or_word: fits = o.type != data_type::b64 && o.type != data_type::b128; break;
    case width::by_memory: break;
  }
  if (!fits) s.fail("'" + std::string(token) + "' has the wrong width here");
}

std::string address_text(const operand& o) {
  const std::string base = o.address_register != 0 ? "$a" + std::to_string(o.address_register) : "";
  if (o.post_increment) return (base.empty() ? "0x0" : base) + "++" + hex_number(o.value);
  if (base.empty()) return hex_number(o.value);
  return o.value == 0 ? base : base + "+" + hex_number(o.value);
}

std::string memory_text(const operand& o) {
  switch (o.kind) {
    case operand_kind::shared: return "s[" + address_text(o) + "]";
    case operand_kind::constant: return "c" + std::to_string(o.index) + "[" + address_text(o) + "]";
    case operand_kind::local: return "l[" + address_text(o) + "]";
    default: return "g" + std::to_string(o.index) + "[$r" + std::to_string(o.base) + "]";
  }
}

// The inside of [...]: "0x10", "$a1", "$a1+0x10", "$a1++0x4".
bool parse_address(std::string_view inside, operand& o) {
  const auto a = split_numbered(inside, "$a");
  if (!a) {
    const auto value = parse_number(inside);
    if (!value || *value < 0 || *value > 0xffff) return false;
    o.value = static_cast<std::int32_t>(*value);
    return true;
  }
  if (a->number < 1 || a->number > 4) return false;
  o.address_register = static_cast<std::uint8_t>(a->number);
  std::string_view rest = a->suffix;
  if (rest.empty()) return true;
  if (rest[0] != '+') return false;
  rest.remove_prefix(1);
  if (!rest.empty() && rest[0] == '+') {
    o.post_increment = true;
    rest.remove_prefix(1);
  }
  const auto value = parse_number(rest);
  if (!value || *value < -0x10000 || *value > 0xffff) return false;
  o.value = static_cast<std::int32_t>(*value);
  return true;
}

bool parse_memory(std::string_view token, operand& o) {
  const std::size_t open = token.find('[');
  if (open == std::string_view::npos || token.back() != ']') return false;
  const std::string_view space = token.substr(0, open);
  const std::string_view inside = token.substr(open + 1, token.size() - open - 2);
  if (space == "s" || space == "l") {
    o.kind = space == "s" ? operand_kind::shared : operand_kind::local;
    return parse_address(inside, o);
  }
  if (const auto c = split_numbered(space, "c"); c && c->suffix.empty() && c->number < 16) {
    o.kind = operand_kind::constant;
    o.index = static_cast<std::uint8_t>(c->number);
    return parse_address(inside, o);
  }
  if (const auto g = split_numbered(space, "g"); g && g->suffix.empty() && g->number < 16) {
    const auto r = split_numbered(inside, "$r");
    if (!r || !r->suffix.empty() || r->number >= max_gpr) return false;
    o.kind = operand_kind::global;
    o.index = static_cast<std::uint8_t>(g->number);
    o.base = static_cast<std::uint8_t>(r->number);
    return true;
  }
  return false;
}

struct shared_mode {
  const char* name;
  data_type type;
};
constexpr std::array<shared_mode, 4> shared_modes = {
    {{"u8", data_type::u8}, {"u16", data_type::u16}, {"s16", data_type::s16}, {"b32", data_type::b32}}};

void print_source(const operand& o, text_stream& s) {
  if (o.kind == operand_kind::gpr) return s.emit(register_text(o));
  if (o.kind == operand_kind::shared) {
    for (const shared_mode& m : shared_modes) {
      if (m.type == o.type) s.emit(m.name);
    }
  }
  s.emit(memory_text(o));
}

// Explains why something that looks like an operand is not valid here.
std::string hint_for(const element& e, std::string_view token) {
  const bool is_type =
      std::any_of(shared_modes.begin(), shared_modes.end(), [&](const shared_mode& m) { return token == m.name; });
  operand o;
  const bool is_memory = token.size() > 2 && parse_memory(token, o);
  const bool is_shared = is_type || (is_memory && o.kind == operand_kind::shared);
  if (is_shared && e.kind == element_kind::first_source)
    return ": write how it is read in front of s[], one of u8 u16 s16 b32";
  if (is_shared) return ": s[] can only be the first source";
  if (is_memory && o.kind == operand_kind::constant && e.kind == element_kind::first_source)
    return ": c[] can only be the second or third source";
  if (is_memory && o.kind != operand_kind::constant) return ": load it with ld first";
  if (parse_number(token)) return ": no form of this instruction takes a number here";
  return {};
}

void parse_source(const element& e, operand& o, text_stream& s) {
  if (e.kind == element_kind::first_source) {
    for (const shared_mode& m : shared_modes) {
      if (s.peek() != m.name) continue;
      s.advance();
      o.type = m.type;
      if (!parse_memory(s.peek(), o) || o.kind != operand_kind::shared) return s.fail("s[...] expected");
      return s.advance();
    }
  }
  const std::string_view token = s.peek();
  if (parse_register(token, o)) {
    check_register_width(o, e.size, token, s);
    return s.advance();
  }
  const bool constant_allowed = e.kind == element_kind::second_source || e.kind == element_kind::third_source;
  if (constant_allowed && parse_memory(token, o) && o.kind == operand_kind::constant) {
    o.type = e.size == width::half ? data_type::u16 : data_type::b32;
    return s.advance();
  }
  s.fail("operand expected" + (token.empty() ? "" : ", not '" + std::string(token) + "'" + hint_for(e, token)));
}

void transfer_direct_memory(const element& e, operand& o, text_stream& s) {
  if (s.printing()) return s.emit(memory_text(o));
  const operand_kind kind = e.kind == element_kind::shared_memory     ? operand_kind::shared
                            : e.kind == element_kind::constant_memory ? operand_kind::constant
                            : e.kind == element_kind::local_memory    ? operand_kind::local
                                                                      : operand_kind::global;
  if (!parse_memory(s.peek(), o) || o.kind != kind) {
    return s.fail("memory operand expected" + (s.at_end() ? "" : ", not '" + std::string(s.peek()) + "'"));
  }
  s.advance();
}

void transfer_immediate(const element& e, operand& o, text_stream& s) {
  if (s.printing()) return s.emit(hex_number(static_cast<std::uint32_t>(o.value)));
  auto value = parse_number(s.peek());
  if (!value) return s.fail("number expected" + (s.at_end() ? "" : ", not '" + std::string(s.peek()) + "'"));
  const std::int64_t range = std::int64_t{1} << e.bits.total_width();
  if (*value < 0 && *value >= -range / 2) *value += range;
  if (*value < 0 || *value >= range) {
    return s.fail("'" + std::string(s.peek()) + "' does not fit " + std::to_string(e.bits.total_width()) + " bits");
  }
  s.advance();
  o.kind = operand_kind::immediate;
  o.value = static_cast<std::int32_t>(static_cast<std::uint32_t>(*value));
}

void transfer_target(instruction& i, text_stream& s, std::string& label) {
  if (s.printing()) return s.emit(label.empty() ? hex_number(i.target) : label);
  const std::string_view token = s.peek();
  if (token.empty()) return s.fail("branch target expected");
  if (const auto value = parse_number(token)) {
    if (*value < 0 || *value > 0xfffffc || *value % 4 != 0) {
      return s.fail("'" + std::string(token) + "' is no code address: a multiple of 4 up to 0xfffffc");
    }
    i.target = static_cast<code_address>(*value);
    return s.advance();
  }
  const char first = token[0];
  if (std::isalpha(static_cast<unsigned char>(first)) == 0 && first != '_' && first != '.') {
    return s.fail("'" + std::string(token) + "' is no branch target");
  }
  label = std::string(token);
  s.advance();
}

// "$r4:#:$r5:#": components that are written take consecutive registers; '#' marks one that is not.
void transfer_texture_destination(instruction& i, text_stream& s) {
  if (s.printing()) {
    std::string text;
    int next = i.destination.index;
    for (int c = 0; c < 4; ++c) {
      if (c != 0) text += ':';
      text += ((i.texture_write_mask >> c) & 1) != 0 ? "$r" + std::to_string(next++) : "#";
    }
    return s.emit(text);
  }
  std::string_view rest = s.peek();
  int next = -1;
  i.texture_write_mask = 0;
  for (int c = 0; c < 4; ++c) {
    const std::size_t colon = rest.find(':');
    if ((colon == std::string_view::npos) != (c == 3)) return s.fail("four texture components expected");
    const std::string_view part = rest.substr(0, colon);
    rest.remove_prefix(c == 3 ? rest.size() : colon + 1);
    if (part == "#") continue;
    const auto r = split_numbered(part, "$r");
    if (!r || !r->suffix.empty() || r->number >= max_gpr) return s.fail("register or '#' expected");
    if (next >= 0 && static_cast<int>(r->number) != next)
      return s.fail("texture components take consecutive registers");
    if (next < 0) {
      i.destination.kind = operand_kind::gpr;
      i.destination.index = static_cast<std::uint8_t>(r->number);
    }
    next = static_cast<int>(r->number) + 1;
    i.texture_write_mask = static_cast<std::uint8_t>(i.texture_write_mask | (1u << c));
  }
  s.advance();
}

void transfer_texture_source(instruction& i, text_stream& s) {
  if (s.printing()) {
    std::string text;
    for (int k = 0; k < i.texture_arguments; ++k) {
      text += (k != 0 ? ":$r" : "$r") + std::to_string(i.destination.index + k);
    }
    return s.emit(text);
  }
  std::string_view rest = s.peek();
  unsigned count = 0;
  unsigned first = 0;
  while (!rest.empty()) {
    const std::size_t colon = rest.find(':');
    const auto r = split_numbered(rest.substr(0, colon), "$r");
    if (!r || !r->suffix.empty() || (count != 0 && r->number != first + count)) break;
    if (count == 0) first = r->number;
    ++count;
    if (colon == std::string_view::npos) {
      rest = {};
    } else {
      rest.remove_prefix(colon + 1);
    }
  }
  if (!rest.empty() || count < 1 || count > 4)
    return s.fail("one to four consecutive coordinate registers expected");
  if (i.texture_write_mask != 0 && i.destination.index != first) {
    return s.fail("texture coordinates start at the first destination register");
  }
  i.destination.kind = operand_kind::gpr;
  i.destination.index = static_cast<std::uint8_t>(first);
  i.texture_arguments = static_cast<std::uint8_t>(count);
  s.advance();
}

void transfer_special(operand& o, text_stream& s) {
  if (s.printing()) return s.emit(special_names[o.index]);
  for (std::size_t k = 0; k < special_names.size(); ++k) {
    if (s.peek() != special_names[k] && s.peek() != "$sr" + std::to_string(k)) continue;
    o.kind = operand_kind::special;
    o.index = static_cast<std::uint8_t>(k);
    return s.advance();
  }
  s.fail("special register expected");
}

void transfer_address_register(operand& o, text_stream& s) {
  if (s.printing()) return s.emit(o.index == 0 ? "0x0" : "$a" + std::to_string(o.index));
  const auto a = split_numbered(s.peek(), "$a");
  const bool zero = parse_number(s.peek()) == 0;  // $a0: reads as 0, writes are ignored
  if (!zero && (!a || !a->suffix.empty() || a->number > 4)) return s.fail("address register expected");
  o.kind = operand_kind::address;
  o.type = data_type::u16;
  o.index = zero ? 0 : static_cast<std::uint8_t>(a->number);
  s.advance();
}

void transfer_destination(const element& e, operand& o, text_stream& s) {
  if (s.printing()) return s.emit(o.kind == operand_kind::discard ? "#" : register_text(o));
  if (e.is_long && s.peek() == "#") {
    o.kind = operand_kind::discard;
    return s.advance();
  }
  const std::string_view token = s.peek();
  if (!parse_register(token, o)) {
    return s.fail("destination register expected" + (token.empty() ? "" : ", not '" + std::string(token) + "'"));
  }
  check_register_width(o, e.size, token, s);
  s.advance();
}

}  // namespace

void transfer_numbered_text(std::uint8_t& index, std::string_view prefix, text_stream& s) {
  if (s.printing()) return s.emit(std::string(prefix) + std::to_string(index));
  const auto n = split_numbered(s.peek(), prefix);
  if (!n || !n->suffix.empty() || n->number > 255) return s.fail("'" + std::string(prefix) + "<number>' expected");
  index = static_cast<std::uint8_t>(n->number);
  s.advance();
}

void transfer_operand_text(const element& e, instruction& i, text_stream& s, std::string& target_label) {
  operand& o = e.slot == destination_slot ? i.destination : i.source[e.slot];
  switch (e.kind) {
    case element_kind::destination: return transfer_destination(e, o, s);
    case element_kind::register_source:
    case element_kind::first_source:
    case element_kind::second_source:
    case element_kind::third_source: return s.printing() ? print_source(o, s) : parse_source(e, o, s);
    case element_kind::immediate: return transfer_immediate(e, o, s);
    case element_kind::address_destination:
    case element_kind::address_source: return transfer_address_register(o, s);
    case element_kind::special_source: return transfer_special(o, s);
    case element_kind::shared_memory:
    case element_kind::constant_memory:
    case element_kind::local_memory:
    case element_kind::global_memory: return transfer_direct_memory(e, o, s);
    case element_kind::target: return transfer_target(i, s, target_label);
    case element_kind::texture_destination: return transfer_texture_destination(i, s);
    case element_kind::texture_source: return transfer_texture_source(i, s);
    default: return s.fail("not an operand");
  }
}

}  // namespace gt200::isa::tesla
