// Loads, stores and moves.
#include <algorithm>

#include "toolchain/ptx/tesla/lowering.h"

namespace gt200::ptx::tesla {
namespace {

using isa::data_type;
using isa::tesla::opcode;

constexpr std::uint32_t max_access_bytes = 16;
constexpr std::uint32_t max_direct_offset = 65535;  // addresses of these spaces have 16 bits

data_type access_type(scalar t) {
  switch (t) {
    case scalar::b8:
    case scalar::u8: return data_type::u8;
    case scalar::s8: return data_type::s8;
    case scalar::b16:
    case scalar::u16:
    case scalar::f16: return data_type::u16;
    case scalar::s16: return data_type::s16;
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

}  // namespace

state_space lowering::space_of(const operand& address) {
  for (const std::string& m : statement_->modifiers) {
    const state_space named = space_named(m.substr(0, m.find(':')));
    if (named != state_space::none) return named;
  }
  const symbol* s = find(address.name);
  if (s != nullptr && s->kind == symbol_kind::memory) return s->space;
  const auto placed = layout_.variables.find(address.name);
  if (placed != layout_.variables.end()) return placed->second.declared->space;
  if (s != nullptr && s->kind == symbol_kind::parameter_bytes) return state_space::param;
  const auto known = frames_.back().spaces.find(address.name);
  const pointee where =
      known == frames_.back().spaces.end() ? pointee::unknown : without(known->second, pointee::marked);
  switch (where) {
    case pointee::shared: return state_space::shared;
    case pointee::constant: return state_space::constant;
    case pointee::local: return state_space::local;
    case pointee::unknown: break;
    default:
      if (!may_be(where, pointee::special)) return state_space::global;
      unsupported("'" + address.name + "' points to more than one state space without cvta");
  }
  unsupported("the state space of '" + address.name + "' is not known; this hardware has no generic addresses");
}

// The operand for an access `offset` bytes behind the address.
value lowering::memory_operand(const operand& address, state_space space, std::uint32_t offset, data_type type,
                               bool& is_parameter) {
  if (address.kind != operand_kind::address) file_.fail(address.where, "expected an address in brackets");
  offset += static_cast<std::uint32_t>(address.value);
  is_parameter = space == state_space::param;
  value base = imm(0);
  if (!address.name.empty()) {
    operand name = address;
    name.kind = operand_kind::name;
    name.value = 0;
    name.elements.clear();
    base = source(name, scalar::u32);
  }
  value v;
  v.code.type = type;
  if (space == state_space::global) {
    v.code.kind = isa::tesla::operand_kind::global;
    v.code.index = 14;
    v.reg = out_.copy(out_.add(base, imm(offset))).reg;
    return v;
  }
  const auto size = static_cast<std::uint32_t>(isa::bytes_of(type));
  v.code.kind = space == state_space::constant ? isa::tesla::operand_kind::constant
                : space == state_space::local  ? isa::tesla::operand_kind::local
                                               : isa::tesla::operand_kind::shared;
  if (base.is_immediate()) {
    offset = (offset + base.immediate()) & max_direct_offset;
    if (offset % size == 0 || space == state_space::local) {
      v.code.value = static_cast<std::int32_t>(offset);
      return v;
    }
    // Leaves a misaligned access to the hardware, which faults.
    base = out_.copy(imm(offset));
    offset = 0;
  }
  if (offset > max_direct_offset || (offset % size != 0 && space != state_space::local)) {
    base = out_.add(base, imm(offset));
    offset = 0;
  }
  const word_ref a = {function_.add_register(register_class::address), 0};
  operation& to_address = out_.emit(opcode::shl_to_a, a, {base, imm(0)});
  to_address.code.destination.kind = isa::tesla::operand_kind::address;
  to_address.code.destination.type = data_type::u16;
  v.reg = a;
  v.code.value = static_cast<std::int32_t>(offset);
  return v;
}

// Alignment in bytes, as far as the address shows it without its registers. Registers are aligned as PTX demands.
std::uint32_t lowering::known_alignment(const operand& address, state_space space) {
  const auto offset = static_cast<std::uint32_t>(address.value);
  const auto largest = [](std::uint32_t bits) {
    return bits == 0 ? max_access_bytes : std::min(bits & (0 - bits), max_access_bytes);
  };
  if (address.name.empty()) return largest(offset);
  const symbol* s = find(address.name);
  if (s != nullptr && s->kind == symbol_kind::memory) return largest(s->offset + offset);
  const auto placed = layout_.variables.find(address.name);
  if (s != nullptr || placed == layout_.variables.end()) return max_access_bytes;
  if (space == state_space::global)
    return std::min(largest(offset), largest(placed->second.declared->natural_alignment()));
  return largest(placed->second.offset + offset);
}

// Loads at most a word from an address of smaller alignment, piece by piece.
value lowering::load_pieces(const operand& address, state_space space, std::uint32_t offset, std::uint32_t size,
                            std::uint32_t piece) {
  value word = imm(0);
  for (std::uint32_t k = 0; k < size; k += piece) {
    const value part = reg(load_element(address, space, offset + k, piece == 1 ? data_type::u8 : data_type::u16));
    word = k == 0 ? part : out_.logic(isa::tesla::logic_op::or_, word, out_.shift_left(part, imm(8 * k)));
  }
  return word;
}

word_ref lowering::load_element(const operand& address, state_space space, std::uint32_t offset, data_type type) {
  bool is_parameter = false;
  // s[] and c[] have no signed bytes.
  const bool extend_sign = type == data_type::s8 && (space == state_space::shared || space == state_space::param ||
                                                     space == state_space::constant);
  const value from = memory_operand(address, space, offset, extend_sign ? data_type::u8 : type, is_parameter);
  const word_ref d = out_.tuple(static_cast<std::uint8_t>(isa::words_of(type)));
  opcode op = opcode::ld_global;
  switch (space) {
    case state_space::global: break;
    case state_space::local: op = opcode::ld_local; break;
    case state_space::constant: op = opcode::ld_const; break;
    default: op = opcode::ld_shared; break;
  }
  operation& o = out_.emit(op, d, {from});
  o.code.destination.type = isa::words_of(type) > 1 ? type : data_type::b32;
  o.reads_parameter = is_parameter;
  o.is_volatile = has("volatile");
  // A guarded access must not happen where the guard is false.
  if (guard_.condition >= 0) {
    o.code.condition = condition_true;
    o.condition_in = guard_.condition;
  }
  if (!extend_sign) return d;
  return out_.copy(extend(reg(d), scalar::s8)).reg;
}

void lowering::load_parameter_bytes(const symbol& from, const operand& address, const operand& to, scalar t) {
  const auto offset = static_cast<std::uint32_t>(address.value);
  const std::vector<operand> elements = to.kind == operand_kind::vector ? to.elements : std::vector<operand>{to};
  const unsigned size = bytes_of(t);
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const std::size_t at_byte = offset + k * size;
    if (at_byte + size > 4 * from.words.size()) fail("the access lies outside the parameter");
    const value word = reg(from.words[at_byte / 4]);
    if (size == 8) {
      assign_wide(elements[k], {word, reg(from.words[at_byte / 4 + 1])});
    } else {
      const auto shift = static_cast<std::uint32_t>(8 * (at_byte % 4));
      assign_number(elements[k], extend(out_.shift_right(word, imm(shift), false), t), t);
    }
  }
}

void lowering::load(const statement& s) {
  operand_count(2, 2);
  const scalar t = type();
  const operand to = at(0);
  const operand address = at(1);
  const state_space space = space_of(address);
  const symbol* named = find(address.name);
  if (named != nullptr && named->kind == symbol_kind::parameter_bytes)
    return load_parameter_bytes(*named, address, to, t);
  const std::vector<operand> elements = to.kind == operand_kind::vector ? to.elements : std::vector<operand>{to};
  const auto size =
      static_cast<std::uint32_t>(options_.demote_f64 && s.modifiers.back() == "f64" ? 8 : bytes_of(t));
  const auto total = size * static_cast<std::uint32_t>(elements.size());
  const std::uint32_t alignment = known_alignment(address, space);
  // Wide accesses of g[] and l[] take pairs and quads; everything else goes element by element.
  if ((space == state_space::global || space == state_space::local) && size >= 4 && (total == 8 || total == 16) &&
      alignment >= total) {
    const word_ref tuple = load_element(address, space, 0, total == 8 ? data_type::b64 : data_type::b128);
    const auto word = [&](std::size_t k) { return reg({tuple.reg, static_cast<std::uint8_t>(k)}); };
    for (std::size_t k = 0; k < elements.size(); ++k) {
      if (size == 8)
        assign_wide(elements[k], {word(2 * k), word(2 * k + 1)});
      else
        assign_number(elements[k], word(k), t);
    }
    return;
  }
  std::vector<wide> parts;
  for (std::size_t k = 0; k < elements.size(); ++k) {
    const auto offset = static_cast<std::uint32_t>(k) * size;
    const std::uint32_t word_size = std::min(size, 4u);
    const bool whole = alignment >= word_size;
    const auto word = [&](std::uint32_t at_byte, data_type type) {
      return whole ? reg(load_element(address, space, at_byte, type))
                   : load_pieces(address, space, at_byte, word_size, alignment);
    };
    wide v = {word(offset, access_type(t)), imm(0)};
    if (!whole) v.low = extend(v.low, t);
    if (size == 8) v.high = word(offset + 4, data_type::b32);
    parts.push_back(v);
  }
  for (std::size_t k = 0; k < elements.size(); ++k) {
    if (size < 8)
      assign_number(elements[k], parts[k].low, t);
    else
      assign_wide(elements[k], parts[k]);
  }
}

void lowering::store(const statement&) {
  operand_count(2, 2);
  const scalar t = type();
  const operand address = at(0);
  const operand from = at(1);
  const std::vector<operand> elements =
      from.kind == operand_kind::vector ? from.elements : std::vector<operand>{from};
  const unsigned size = bytes_of(t);
  const symbol* named = find(address.name);
  if (named != nullptr && named->kind == symbol_kind::parameter_bytes) {
    const std::vector<word_ref> bytes = named->words;
    for (std::size_t k = 0; k < elements.size(); ++k) {
      const std::size_t at_byte = static_cast<std::size_t>(address.value) + k * size;
      if (at_byte + size > 4 * bytes.size()) fail("the access lies outside the parameter");
      const word_ref to = bytes[at_byte / 4];
      const wide v = source_wide(elements[k], t);
      if (size >= 4) {
        assign_words(to, v.low);
        if (size == 8) assign_words(bytes[at_byte / 4 + 1], v.high);
      } else {
        const auto shift = static_cast<std::uint32_t>(8 * (at_byte % 4));
        const std::uint32_t mask = ((1u << (8 * size)) - 1) << shift;
        const value kept = shift == 0 ? imm(0) : out_.logic(isa::tesla::logic_op::and_, reg(to), imm(~mask));
        const value put = out_.logic(isa::tesla::logic_op::and_, out_.shift_left(v.low, imm(shift)), imm(mask));
        assign_words(to, shift == 0 ? put : out_.logic(isa::tesla::logic_op::or_, kept, put));
      }
    }
    return;
  }
  const state_space space = space_of(address);
  if (space == state_space::constant || space == state_space::param)
    unsupported("this state space cannot be written");
  const opcode op = space == state_space::global  ? opcode::st_global
                    : space == state_space::local ? opcode::st_local
                                                  : opcode::st_shared;
  std::vector<value> words;
  for (const operand& e : elements) {
    const wide v = source_wide(e, t);
    words.push_back(v.low);
    if (size == 8) words.push_back(v.high);
  }
  const auto put = [&](std::uint32_t offset, data_type type, value v) {
    bool is_parameter = false;
    const value to = memory_operand(address, space, offset, type, is_parameter);
    operation& o = out_.emit(op, {}, {to, v});
    if (guard_.condition >= 0) {
      o.code.condition = condition_true;
      o.condition_in = guard_.condition;
    }
    if (space == state_space::global) read_back_store(to, type);
  };
  const std::size_t count = words.size();
  const std::uint32_t alignment = known_alignment(address, space);
  if (space != state_space::shared && size >= 4 && (count == 2 || count == 4) && alignment >= 4 * count) {
    const word_ref tuple = out_.tuple(static_cast<std::uint8_t>(count));
    for (std::size_t k = 0; k < count; ++k) out_.move({tuple.reg, static_cast<std::uint8_t>(k)}, words[k]);
    return count == 2 ? put(0, data_type::b64, pair_of(tuple)) : put(0, data_type::b128, quad_of(tuple));
  }
  data_type type = access_type(t);
  if (space == state_space::shared && type == data_type::s8) type = data_type::u8;
  if (space == state_space::shared && type == data_type::s16) type = data_type::u16;
  const std::uint32_t step = size >= 4 ? 4 : size;
  const std::uint32_t piece = std::min(step, alignment);
  if (piece < step) type = piece == 1 ? data_type::u8 : data_type::u16;
  for (std::uint32_t at_byte = 0; at_byte < count * step; at_byte += piece) {
    value v = words[at_byte / step];
    v = out_.shift_right(v.is_immediate() ? out_.copy(v) : v, imm(8 * (at_byte % step)), false);
    put(at_byte, type, v);
  }
}

bool lowering::lower_memory(const statement& s) {
  if (s.name == "ld" || s.name == "ldu") {
    load(s);
    return true;
  }
  if (s.name == "st") {
    store(s);
    return true;
  }
  if ((s.name == "membar" || s.name == "fence") && !has("cta")) lower_fence();
  return s.name == "prefetch" || s.name == "prefetchu" || s.name == "membar" || s.name == "fence";
}

// This hardware has no membar. Accesses of an SM to one memory partition stay in order, and a load sees all earlier
// accesses to it. So in kernels with a membar, a load from the same address follows every store, and the membar
// waits for the last of these loads. Each load waits for the one before, because they share a destination.
void lowering::read_back_store(const value& to, data_type type) {
  if (fence_.reg < 0) return;
  value from = to;
  from.code.type = isa::bytes_of(type) > 4 ? data_type::b32 : type;
  operation& o = out_.emit(opcode::ld_global, fence_, {from});
  o.code.destination.type = data_type::b32;
  o.is_volatile = true;
  if (guard_.condition < 0) return;
  o.code.condition = condition_true;
  o.condition_in = guard_.condition;
}

void lowering::lower_fence() {
  if (fence_.reg < 0) return;
  operation& o = out_.emit(opcode::logic, fence_, {reg(fence_), reg(fence_)});
  o.code.logic = isa::tesla::logic_op::xor_;
  o.is_volatile = true;
}

// The generic address of what is not global has a mark in its upper word (pointee.h).
void lowering::convert_address() {
  operand_count(2, 2);
  const wide from = source_wide(at(1), scalar::u64);
  const state_space space = has("shared")  ? state_space::shared
                            : has("local") ? state_space::local
                            : has("const") ? state_space::constant
                                           : state_space::global;
  const bool is_global = space == state_space::global;
  assign_wide(at(0), {from.low, is_global ? from.high : imm(has("to") ? 0 : address_mark(space))});
}

bool lowering::lower_move(const statement& s) {
  if (s.name == "cvta") {
    convert_address();
    return true;
  }
  if (s.name == "isspacep") {
    operand_count(2, 2);
    const value mark = source_wide(at(1), scalar::u64).high;
    const state_space asked = has("shared")  ? state_space::shared
                              : has("local") ? state_space::local
                              : has("const") ? state_space::constant
                                             : state_space::global;
    assign_predicate(at(0), out_.compare(2, mark, imm(address_mark(asked)), false));
    return true;
  }
  if (s.name != "mov") return false;
  operand_count(2, 2);
  const scalar t = type();
  if (t == scalar::pred) {
    const predicate from = predicate_source(at(1));
    const bool is_made_here = at(1).negated || at(1).kind == operand_kind::integer;
    assign_predicate(at(0), is_made_here ? from : out_.predicate_of(reg(from.mask)));
    return true;
  }
  // Packs and unpacks elements of equal size, lowest first.
  const bool packs = at(1).kind == operand_kind::vector;
  if (!packs && at(0).kind != operand_kind::vector) {
    assign_wide(at(0), source_wide(at(1), t));
    return true;
  }
  const std::vector<operand> elements = at(packs ? 1 : 0).elements;
  const auto count = static_cast<std::uint32_t>(elements.size());
  if (count != 2 && count != 4) unsupported("expected two or four elements");
  const std::uint32_t bits = 8 * bytes_of(t) / count;
  if (bits < 8) unsupported("the elements would be smaller than a byte");
  const std::uint32_t per_word = std::min(count, 32 / bits);
  const scalar part = bits == 32 ? scalar::b32 : bits == 16 ? scalar::u16 : scalar::u8;
  if (packs) {
    const auto word = [&](std::uint32_t first) {
      value v = source(elements[first], part);
      if (per_word > 1) v = extend(v, part);
      for (std::uint32_t k = 1; k < per_word; ++k) {
        // The highest element needs no mask: the bits above it are shifted out.
        const value next = source(elements[first + k], part);
        const value masked = (k + 1) * bits == 32 ? next : extend(next, part);
        v = out_.logic(isa::tesla::logic_op::or_, v, out_.shift_left(masked, imm(k * bits)));
      }
      return v;
    };
    assign_wide(at(0), {word(0), per_word < count ? word(per_word) : imm(0)});
    return true;
  }
  wide v = source_wide(at(1), t);
  v = {out_.copy(v.low), per_word < count ? out_.copy(v.high) : imm(0)};
  for (std::uint32_t k = 0; k < count; ++k) {
    const value lowest = out_.shift_right(k < per_word ? v.low : v.high, imm(k % per_word * bits), false);
    assign(elements[k], bits == 8 ? extend(lowest, part) : lowest);  // no register is that small
  }
  return true;
}

}  // namespace gt200::ptx::tesla
