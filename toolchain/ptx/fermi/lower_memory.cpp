// Loads, stores and fences.
#include <algorithm>

#include "toolchain/ptx/fermi/lowering.h"

namespace gt200::ptx::fermi {
namespace {

using isa::data_type;
using isa::fermi::cache_operator;
using isa::fermi::logic_op;
using isa::fermi::opcode;
using memory_kind = isa::fermi::operand_kind;

data_type access_type(scalar t) {
  switch (t) {
    case scalar::b8:
    case scalar::u8: return data_type::u8;
    case scalar::s8: return data_type::s8;
    case scalar::b16:
    case scalar::u16:
    case scalar::f16: return data_type::u16;
    case scalar::s16: return data_type::s16;
    case scalar::b64:
    case scalar::u64:
    case scalar::s64:
    case scalar::f64: return data_type::b64;
    default: return data_type::b32;
  }
}

state_space space_named(const std::string& name) {
  if (name == "global") return state_space::global;
  if (name == "shared") return state_space::shared;
  if (name == "const") return state_space::constant;
  if (name == "local") return state_space::local;
  if (name == "param") return state_space::param;
  return state_space::none;
}

std::vector<operand> elements_of(const operand& o) {
  return o.kind == operand_kind::vector ? o.elements : std::vector<operand>{o};
}

// Offsets of s[] and l[] have 24 bits, those of c[] 16, with a sign.
constexpr std::uint32_t reach_of_windows = 1u << 23;
constexpr std::uint32_t reach_of_constants = 1u << 15;

}  // namespace

// none: a generic address.
state_space lowering::space_of(const operand& address) {
  for (const std::string& m : statement_->modifiers) {
    const state_space named = space_named(m.substr(0, m.find(':')));
    if (named != state_space::none) return named;
  }
  const symbol* s = find(address.name);
  if (s != nullptr && s->kind == symbol_kind::memory) return s->space;
  const auto placed = layout_.variables.find(address.name);
  if (s == nullptr && placed != layout_.variables.end()) return placed->second.declared->space;
  if (s != nullptr && s->kind == symbol_kind::parameter_bytes) return state_space::param;
  // Constant memory has no generic addresses.
  const auto known = frames_.back().spaces.find(address.name);
  if (known != frames_.back().spaces.end() && known->second == pointee::constant) return state_space::constant;
  return state_space::none;
}

// The place `offset` bytes behind the address.
value lowering::memory_operand(const operand& address, state_space space, std::uint32_t offset) {
  if (address.kind != operand_kind::address) file_.fail(address.where, "expected an address in brackets");
  offset += static_cast<std::uint32_t>(address.value);
  const bool is_global = space == state_space::global || space == state_space::none;
  value v;
  v.code.kind = space == state_space::constant ? memory_kind::constant : memory_kind::memory;
  if (space == state_space::constant) v.code.bank = cubin::fermi.user_space;
  wide base = {imm(0), imm(0)};
  bool is_wide = false;
  if (!address.name.empty()) {
    operand name = address;
    name.kind = operand_kind::name;
    name.value = 0;
    name.elements.clear();
    const symbol* s = find(address.name);
    is_wide = s != nullptr && s->kind == symbol_kind::reg ? s->words.size() == 2
                                                          : is_global && options_.address_bytes == 8;
    base = source_wide(name, scalar::u64);
  }
  if (is_global) {
    v.code.value = static_cast<std::int32_t>(offset);
    if (base.low.is_immediate()) {
      base.low = out_.copy(imm(base.low.immediate() + offset));
      v.code.value = 0;
      is_wide = false;
    }
    v.code.words = is_wide ? 2 : 1;
    v.reg = is_wide ? in_pair(out_.pair(base.low, base.high)).reg : out_.in_register(base.low).reg;
    return v;
  }
  if (base.low.is_immediate()) {
    offset += base.low.immediate();
    base.low = value{};
  }
  const bool reaches = space == state_space::constant
                           ? offset < reach_of_constants
                           : offset < reach_of_windows || offset >= 0u - reach_of_windows;
  if (!reaches) {
    base.low = base.low.is_register() ? out_.add(base.low, imm(offset)) : out_.copy(imm(offset));
    offset = 0;
  }
  v.code.value = static_cast<std::int32_t>(offset);
  if (base.low.code.kind != memory_kind::none) v.reg = out_.in_register(base.low).reg;
  return v;
}

void lowering::load_parameter(const operand& address, const operand& to, scalar t) {
  const symbol* named = find(address.name);
  const std::vector<operand> elements = elements_of(to);
  const unsigned size = bytes_of(t);
  if (named == nullptr || named->kind != symbol_kind::memory) {
    if (named == nullptr || named->kind != symbol_kind::reg || named->words.empty())
      file_.fail(address.where, "'" + address.name + "' is not a parameter");
    const value index = out_.in_register(reg(named->words[0]));
    for (std::size_t k = 0; k < elements.size(); ++k) {
      value from;
      from.code.kind = memory_kind::constant;
      from.code.value = static_cast<std::int32_t>(static_cast<std::uint32_t>(address.value) + k * size);
      from.reg = index.reg;
      const word_ref d = out_.tuple(size == 8 ? 2 : 1);
      operation& o = out_.emit(opcode::ldc, d, {from}, size == 8 ? 2 : 1);
      o.code.memory_type = access_type(t);
      assign_pair_or_word(elements[k], d, size == 8);
    }
    return;
  }
  const std::uint32_t first = named->offset + static_cast<std::uint32_t>(address.value);
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const auto at_byte = static_cast<std::uint32_t>(first + k * size);
    if (size >= 4 && at_byte % 4 == 0) {
      assign_wide(elements[k], {constant_word(0, at_byte), size == 8 ? constant_word(0, at_byte + 4) : imm(0)});
      continue;
    }
    if (size >= 4) unsupported("the parameter is not aligned");
    value from = constant_word(0, at_byte);
    const word_ref d = out_.word();
    out_.emit(opcode::ldc, d, {from}).code.memory_type = access_type(t);
    assign_number(elements[k], reg(d), t);
  }
}

// Of a device function, or of a call: bytes in registers.
void lowering::load_argument(const symbol& from, const operand& address, const operand& to, scalar t) {
  const std::vector<operand> elements = elements_of(to);
  const std::vector<word_ref> words = from.words;
  const unsigned size = bytes_of(t);
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const std::size_t at_byte = static_cast<std::uint32_t>(address.value) + k * size;
    if (at_byte + size > 4 * words.size()) fail("the access lies outside the parameter");
    const value word = reg(words[at_byte / 4]);
    if (size == 8)
      assign_wide(elements[k], {word, reg(words[at_byte / 4 + 1])});
    else if (size == 4)
      assign_number(elements[k], word, t);
    else
      assign_number(elements[k], out_.field(word, 8 * (at_byte % 4), 8 * size, is_signed(t)), t);
  }
}

void lowering::store_argument(const symbol& to, const operand& address, const operand& from, scalar t) {
  const std::vector<operand> elements = elements_of(from);
  const std::vector<word_ref> words = to.words;
  const unsigned size = bytes_of(t);
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const std::size_t at_byte = static_cast<std::size_t>(address.value) + k * size;
    if (at_byte + size > 4 * words.size()) fail("the access lies outside the parameter");
    const word_ref word = words[at_byte / 4];
    const wide v = source_wide(elements[k], t);
    if (size >= 4) {
      assign_words(word, v.low);
      if (size == 8) assign_words(words[at_byte / 4 + 1], v.high);
      continue;
    }
    if (at_byte % 4 == 0) {
      assign_words(word, out_.field(v.low, 0, 8 * size, false));
      continue;
    }
    const word_ref d = out_.word();
    const auto place = static_cast<std::uint32_t>(8 * (at_byte % 4));
    out_.emit(opcode::bfi, d, {out_.in_register(v.low), imm(8 * size << 8 | place), reg(word)});
    assign_words(word, reg(d));
  }
}

void lowering::load() {
  operand_count(2, 2);
  const scalar t = type();
  const operand to = at(0);
  const operand address = at(1);
  const state_space space = space_of(address);
  const symbol* named = find(address.name);
  if (named != nullptr && named->kind == symbol_kind::parameter_bytes) return load_argument(*named, address, to, t);
  if (space == state_space::param) return load_parameter(address, to, t);
  const std::vector<operand> elements = elements_of(to);
  const auto size =
      static_cast<std::uint32_t>(options_.demote_f64 && statement_->modifiers.back() == "f64" ? 8 : bytes_of(t));
  const opcode op = space == state_space::shared     ? opcode::lds
                    : space == state_space::local    ? opcode::ldl
                    : space == state_space::constant ? opcode::ldc
                                                     : opcode::ld;
  const auto read = [&](std::uint32_t offset, data_type type) {
    const value from = memory_operand(address, space, offset);
    const auto words = static_cast<std::uint8_t>(isa::words_of(type));
    const word_ref d = out_.tuple(words);
    operation& o = out_.emit(op, d, {from}, words);
    o.code.memory_type = type;
    o.is_generic = space == state_space::none;
    o.is_volatile = has("volatile");
    if (op == opcode::ld || op == opcode::ldl)
      o.code.cache = has("volatile") || has("cv") ? cache_operator::last
                     : has("cg")                  ? cache_operator::global
                     : has("cs")                  ? cache_operator::streaming
                                                  : cache_operator::all;
    // A guarded access must not happen where the guard is false.
    return under_own_guard(o).destination;
  };
  const auto total = size * static_cast<std::uint32_t>(elements.size());
  if (size >= 4 && total > size && (total == 8 || total == 16) && op != opcode::ldc) {
    const word_ref tuple = read(0, total == 8 ? data_type::b64 : data_type::b128);
    const auto word = [&](std::size_t k) { return reg({tuple.reg, static_cast<std::uint8_t>(k)}); };
    for (std::size_t k = 0; k < elements.size(); ++k) {
      if (size == 8)
        assign_wide(elements[k], {word(2 * k), word(2 * k + 1)});
      else
        assign(elements[k], word(k));
    }
    return;
  }
  // A destination may be the base of the address.
  std::vector<word_ref> parts;
  for (std::size_t k = 0; k < elements.size(); ++k)
    parts.push_back(read(static_cast<std::uint32_t>(k) * size, size == 8 ? data_type::b64 : access_type(t)));
  for (std::size_t k = 0; k < elements.size(); ++k) {
    if (size == 8)
      assign_wide(elements[k], {reg(parts[k]), reg({parts[k].reg, 1})});
    else
      assign_number(elements[k], reg(parts[k]), t);
  }
}

void lowering::store() {
  operand_count(2, 2);
  const scalar t = type();
  const operand address = at(0);
  const operand from = at(1);
  const symbol* named = find(address.name);
  if (named != nullptr && named->kind == symbol_kind::parameter_bytes)
    return store_argument(*named, address, from, t);
  const state_space space = space_of(address);
  if (space == state_space::constant || space == state_space::param)
    unsupported("this state space cannot be written");
  const opcode op = space == state_space::shared  ? opcode::sts
                    : space == state_space::local ? opcode::stl
                                                  : opcode::st;
  const std::vector<operand> elements = elements_of(from);
  const unsigned size = bytes_of(t);
  std::vector<value> words;
  for (const operand& e : elements) {
    const wide v = source_wide(e, t);
    words.push_back(v.low);
    if (size == 8) words.push_back(v.high);
  }
  const auto put = [&](std::uint32_t offset, data_type type, value v) {
    const value to = memory_operand(address, space, offset);
    operation& o = out_.emit(op, {}, {to, v});
    o.code.destination = {};
    o.code.memory_type = type;
    o.is_generic = space == state_space::none;
    o.is_volatile = has("volatile");
    if (op != opcode::sts)
      o.code.cache = has("volatile") || has("wt") ? cache_operator::last
                     : has("cg")                  ? cache_operator::global
                     : has("cs")                  ? cache_operator::streaming
                                                  : cache_operator::all;
    under_own_guard(o);
  };
  const std::size_t count = words.size();
  if (size >= 4 && (count == 2 || count == 4) && (elements.size() > 1 || size == 8)) {
    value v;
    if (count == 2) {
      v = in_pair(out_.pair(words[0], words[1]));
    } else {
      const word_ref tuple = out_.tuple(4);
      for (std::size_t k = 0; k < count; ++k) out_.move({tuple.reg, static_cast<std::uint8_t>(k)}, words[k]);
      v = reg(tuple, 4);
    }
    return put(0, count == 2 ? data_type::b64 : data_type::b128, v);
  }
  const std::uint32_t step = size >= 4 ? 4 : size;
  const auto data = [&](value v) { return v.is_immediate() && v.immediate() == 0 ? zero() : out_.in_register(v); };
  for (std::size_t k = 0; k < count; ++k)
    put(static_cast<std::uint32_t>(k) * step, size >= 4 ? data_type::b32 : access_type(t), data(words[k]));
}

bool lowering::lower_memory(const statement& s) {
  if (s.name == "ld" || s.name == "ldu") {
    load();
    return true;
  }
  if (s.name == "st") {
    store();
    return true;
  }
  if (s.name == "membar" || s.name == "fence") {
    operation& o = out_.emit(opcode::membar, {}, {});
    o.code.destination = {};
    o.code.level = has("cta")                ? isa::fermi::membar_level::cta
                   : has("sys") || has("sc") ? isa::fermi::membar_level::sys
                                             : isa::fermi::membar_level::gl;
    under_own_guard(o);
    return true;
  }
  return s.name == "prefetch" || s.name == "prefetchu";
}

}  // namespace gt200::ptx::fermi
