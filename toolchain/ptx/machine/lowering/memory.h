// Loads, stores and fences.
#pragma once

#include <algorithm>

#include "toolchain/ptx/machine/lowering/lowering.h"

namespace gt200::ptx {

inline isa::data_type access_type(scalar t) {
  switch (t) {
    case scalar::b8:
    case scalar::u8: return isa::data_type::u8;
    case scalar::s8: return isa::data_type::s8;
    case scalar::b16:
    case scalar::u16:
    case scalar::f16: return isa::data_type::u16;
    case scalar::s16: return isa::data_type::s16;
    case scalar::b64:
    case scalar::u64:
    case scalar::s64:
    case scalar::f64: return isa::data_type::b64;
    default: return isa::data_type::b32;
  }
}

inline state_space space_named(const std::string& name) {
  if (name == "global") return state_space::global;
  if (name == "shared") return state_space::shared;
  if (name == "const") return state_space::constant;
  if (name == "local") return state_space::local;
  if (name == "param") return state_space::param;
  return state_space::none;
}

inline std::vector<operand> elements_of(const operand& o) {
  return o.kind == operand_kind::vector ? o.elements : std::vector<operand>{o};
}

// none: a generic address.
template <class machine>
state_space word_lowering<machine>::space_of(const operand& address) {
  for (const std::string& m : statement_->modifiers) {
    const state_space named = space_named(m.substr(0, m.find(':')));
    if (named != state_space::none) return named;
  }
  const symbol* s = find(address.name);
  if (s != nullptr && s->kind == symbol_kind::memory) return s->space;
  const auto placed = layout_.variables.find(address.name);
  if (s == nullptr && placed != layout_.variables.end()) return placed->second.declared->space;
  if (s != nullptr && s->kind == symbol_kind::parameter_bytes) return state_space::param;
  // Constant memory has no window (pointee.h).
  const auto known = frames_.back().spaces.find(address.name);
  if (known != frames_.back().spaces.end() && without(known->second, pointee::marked) == pointee::constant)
    return state_space::constant;
  return state_space::none;
}

// The place `offset` bytes behind the address.
template <class machine>
auto word_lowering<machine>::memory_operand(const operand& address, state_space space, std::uint32_t offset)
    -> value {
  if (address.kind != operand_kind::address) file_.fail(address.where, "expected an address in brackets");
  offset += static_cast<std::uint32_t>(address.value);
  const bool is_global = space == state_space::global || space == state_space::none;
  value v;
  v.code.kind = space == state_space::constant ? kind::constant : kind::memory;
  if (space == state_space::constant) v.code.bank = machine::architecture.user_space;
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
  const auto within = [&](std::uint32_t reach) { return reach == 0 || offset < reach || offset >= 0u - reach; };
  if (is_global) {
    if (base.low.is_immediate()) {
      base.low = out_.copy(imm(base.low.immediate() + offset));
      offset = 0;
      is_wide = false;
    }
    if (!within(space == state_space::none ? 0 : machine::reach_of_global)) {
      const value sign = imm(offset >> 31 != 0 ? ~0u : 0u);
      base = is_wide ? add_wide(base, {imm(offset), sign}) : wide{out_.add(base.low, imm(offset)), imm(0)};
      offset = 0;
    }
    v.code.value = static_cast<std::int32_t>(offset);
    v.code.words = is_wide ? 2 : 1;
    v.reg = is_wide ? in_pair(out_.pair(base.low, base.high)).reg : out_.in_register(base.low).reg;
    return v;
  }
  if (base.low.is_immediate()) {
    offset += base.low.immediate();
    base.low = value{};
  }
  const bool reaches =
      space == state_space::constant ? offset < machine::reach_of_constants : within(machine::reach_of_windows);
  if (!reaches) {
    base.low = base.low.is_register() ? out_.add(base.low, imm(offset)) : out_.copy(imm(offset));
    offset = 0;
  }
  v.code.value = static_cast<std::int32_t>(offset);
  if (base.low.code.kind != kind::none) v.reg = out_.in_register(base.low).reg;
  return v;
}

// The byte of constant memory at which a variable lies whose name the address has, if every operation can read it
// there: at a multiple of four, within the reach of an operand.
template <class machine>
std::optional<std::uint32_t> word_lowering<machine>::constant_place(const operand& address) {
  const auto placed = layout_.variables.find(address.name);
  if (address.kind != operand_kind::address || find(address.name) != nullptr || placed == layout_.variables.end() ||
      placed->second.declared->space != state_space::constant)
    return std::nullopt;
  const std::uint32_t at_byte = placed->second.offset + static_cast<std::uint32_t>(address.value);
  if (at_byte % 4 != 0 || at_byte >= machine::reach_of_constants) return std::nullopt;
  return at_byte;
}

template <class machine>
void word_lowering<machine>::load_parameter(const operand& address, const operand& to, scalar t) {
  const symbol* named = find(address.name);
  const std::vector<operand> elements = elements_of(to);
  const unsigned size = bytes_of(t);
  if (named == nullptr || named->kind != symbol_kind::memory) {
    if (named == nullptr || named->kind != symbol_kind::reg || named->words.empty())
      file_.fail(address.where, "'" + address.name + "' is not a parameter");
    const value index = out_.in_register(reg(named->words[0]));
    for (std::size_t k = 0; k < elements.size(); ++k) {
      value from;
      from.code.kind = kind::constant;
      from.code.value = static_cast<std::int32_t>(static_cast<std::uint32_t>(address.value) + k * size);
      from.reg = index.reg;
      const word_ref d = out_.tuple(size == 8 ? 2 : 1);
      describe_access(out_.emit(opcode::ldc, d, {from}, size == 8 ? 2 : 1), access_type(t), state_space::constant);
      assign_pair_or_word(elements[k], d, size == 8);
    }
    return;
  }
  const std::uint32_t first = named->offset + static_cast<std::uint32_t>(address.value);
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const auto at_byte = static_cast<std::uint32_t>(first + k * size);
    if (size >= 4 && at_byte % 4 == 0) {
      if (size == 8)
        assign_wide(elements[k], {constant_word(0, at_byte), constant_word(0, at_byte + 4)});
      else
        assign_number(elements[k], constant_word(0, at_byte), t);
      continue;
    }
    if (size >= 4) unsupported("the parameter is not aligned");
    value from = constant_word(0, at_byte);
    const word_ref d = out_.word();
    describe_access(out_.emit(opcode::ldc, d, {from}), access_type(t), state_space::constant);
    assign_number(elements[k], reg(d), t);
  }
}

// Loads an argument of a device function, or of a call: bytes in registers.
template <class machine>
void word_lowering<machine>::load_argument(const symbol& from, const operand& address, const operand& to,
                                           scalar t) {
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

template <class machine>
void word_lowering<machine>::store_argument(const symbol& to, const operand& address, const operand& from,
                                            scalar t) {
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
    const auto place = static_cast<std::uint32_t>(8 * (at_byte % 4));
    assign_words(word, inserted(v.low, reg(word), imm(place), imm(8 * size)));
  }
}

template <class machine>
void word_lowering<machine>::load() {
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
  // An address that is not aligned to the size stays an access, which faults.
  if (space == state_space::constant && size >= 4)
    if (const std::optional<std::uint32_t> first = constant_place(address);
        first && *first % (size * elements.size()) == 0) {
      for (std::size_t k = 0; k < elements.size(); ++k) {
        const auto word = [&](std::size_t at_byte) {
          return constant_word(machine::architecture.user_space, static_cast<std::uint32_t>(*first + at_byte));
        };
        if (size == 8)
          assign_wide(elements[k], {word(k * size), word(k * size + 4)});
        else
          assign_number(elements[k], word(k * size), t);
      }
      return;
    }
  const opcode op = load_of(space);
  const auto read = [&](std::uint32_t offset, isa::data_type width) {
    const value from = memory_operand(address, space, offset);
    const auto words = static_cast<std::uint8_t>(isa::words_of(width));
    const word_ref d = out_.tuple(words);
    operation& o = out_.emit(op, d, {from}, words);
    o.is_generic = space == state_space::none;
    o.is_volatile = has("volatile") || has("relaxed") || has("acquire");
    describe_access(o, width, space);
    // A guarded access must not happen where the guard is false.
    return under_own_guard(o).destination;
  };
  const auto total = size * static_cast<std::uint32_t>(elements.size());
  if (size >= 4 && total > size && (total == 8 || total == 16) && op != opcode::ldc) {
    const word_ref tuple = read(0, total == 8 ? isa::data_type::b64 : isa::data_type::b128);
    const auto word = [&](std::size_t k) { return reg({tuple.reg, static_cast<std::uint8_t>(k)}); };
    for (std::size_t k = 0; k < elements.size(); ++k) {
      if (size == 8)
        assign_wide(elements[k], {word(2 * k), word(2 * k + 1)});
      else
        assign_number(elements[k], word(k), t);
    }
    return;
  }
  // A destination may be the base of the address.
  std::vector<word_ref> parts;
  for (std::size_t k = 0; k < elements.size(); ++k)
    parts.push_back(read(static_cast<std::uint32_t>(k) * size, size == 8 ? isa::data_type::b64 : access_type(t)));
  for (std::size_t k = 0; k < elements.size(); ++k) {
    if (size == 8)
      assign_wide(elements[k], {reg(parts[k]), reg({parts[k].reg, 1})});
    else
      assign_number(elements[k], reg(parts[k]), t);
  }
}

template <class machine>
void word_lowering<machine>::store() {
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
  const opcode op = store_of(space);
  const std::vector<operand> elements = elements_of(from);
  const unsigned size = bytes_of(t);
  std::vector<value> words;
  for (const operand& e : elements) {
    const wide v = source_wide(e, t);
    words.push_back(v.low);
    if (size == 8) words.push_back(v.high);
  }
  const auto put = [&](std::uint32_t offset, isa::data_type width, value v) {
    const value to = memory_operand(address, space, offset);
    operation& o = out_.emit_effect(op, {to, v});
    o.is_generic = space == state_space::none;
    o.is_volatile = has("volatile") || has("relaxed") || has("release");
    describe_access(o, width, space);
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
    return put(0, count == 2 ? isa::data_type::b64 : isa::data_type::b128, v);
  }
  const std::uint32_t step = size >= 4 ? 4 : size;
  for (std::size_t k = 0; k < count; ++k)
    put(static_cast<std::uint32_t>(k) * step, size >= 4 ? isa::data_type::b32 : access_type(t), term(words[k]));
}

template <class machine>
fence_scope word_lowering<machine>::scope_of_order() const {
  return has("cta") ? fence_scope::block : has("sys") ? fence_scope::system : fence_scope::device;
}

template <class machine>
void word_lowering<machine>::order_before() {
  if (has("release") || has("acq_rel")) fence(scope_of_order());
}

template <class machine>
void word_lowering<machine>::order_behind() {
  if (!has("acquire") && !has("acq_rel")) return;
  fence(scope_of_order());
  forget_old_lines(scope_of_order());
}

template <class machine>
bool word_lowering<machine>::lower_memory(const statement& s) {
  if (!machine::has_memory_orders) this->refuse_memory_orders();
  if (s.name == "ld" || s.name == "ldu") {
    load();
    order_behind();
    return true;
  }
  if (s.name == "st") {
    order_before();
    store();
    return true;
  }
  if (s.name == "membar" || s.name == "fence") {
    if (s.name == "fence" && !has("sc") && !has("acq_rel")) unsupported("fences are .sc and .acq_rel");
    fence(scope_of_order());
    forget_old_lines(scope_of_order());
    return true;
  }
  if (s.name == "prefetch") {
    operand_count(1, 1);
    prefetch(at(0), space_of(at(0)), has("L2"));
    return true;
  }
  return s.name == "prefetchu";
}

}  // namespace gt200::ptx
