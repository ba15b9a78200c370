// Moves, packing and unpacking, and conversions of addresses.
#pragma once

#include "toolchain/ptx/machine/lowering/lowering.h"

namespace gt200::ptx {

// Generic addresses of shared and local memory lie in windows, whose bases are in constant memory; those of global
// memory are the same. Those of constants have a mark.
template <class machine>
void word_lowering<machine>::convert_address() {
  operand_count(2, 2);
  const wide a = source_wide(at(1), scalar::u64);
  if (has("param")) unsupported("this hardware has no generic addresses of parameters");
  if (has("const")) return assign_wide(at(0), {a.low, imm(has("to") ? 0 : address_mark(state_space::constant))});
  if (!has("shared") && !has("local")) return assign_wide(at(0), a);
  const value base = constant_word(0, has("shared") ? machine::shared_window : machine::local_window);
  if (has("to")) return assign_wide(at(0), {out_.subtract(out_.in_register(a.low), base), imm(0)});
  assign_wide(at(0), {out_.add(out_.in_register(a.low), base), imm(0)});
}

template <class machine>
void word_lowering<machine>::pack(scalar t) {
  const std::vector<operand>& elements = at(1).elements;
  const auto count = static_cast<std::uint32_t>(elements.size());
  const std::uint32_t bits = 8 * bytes_of(t) / count;
  const std::uint32_t per_word = std::min(count, 32 / bits);
  const scalar part = bits == 32 ? scalar::b32 : bits == 16 ? scalar::u16 : scalar::u8;
  const auto word = [&](std::uint32_t first) {
    value v = source(elements[first], part);
    for (std::uint32_t k = 1; k < per_word; ++k) {
      const value next = source(elements[first + k], part);
      v = inserted(next, v, imm(k * bits), imm(32 - k * bits));  // behind what is there
    }
    return v;
  };
  if (per_word == count) return assign(at(0), word(0));
  const value low = word(0);
  assign_wide(at(0), {low, word(per_word)});
}

template <class machine>
void word_lowering<machine>::unpack(scalar t) {
  const std::vector<operand> elements = at(0).elements;
  const auto count = static_cast<std::uint32_t>(elements.size());
  const std::uint32_t bits = 8 * bytes_of(t) / count;
  const std::uint32_t per_word = std::min(count, 32 / bits);
  wide v = source_wide(at(1), t);
  v = {out_.copy(v.low), per_word < count ? out_.copy(v.high) : imm(0)};
  for (std::uint32_t k = 0; k < count; ++k) {
    const value from = k < per_word ? v.low : v.high;
    const std::uint32_t first = k % per_word * bits;
    if (bits == 8)
      assign(elements[k], out_.field(from, first, 8, false));  // no register is that small
    else
      assign(elements[k], out_.shift_right(from, imm(first), false));
  }
}

template <class machine>
void word_lowering<machine>::lower_isspacep() {
  operand_count(2, 2);
  const predicate to = destination_predicate(at(0));
  constexpr std::uint32_t window_bytes = 1u << 24;
  const wide address = source_wide(at(1), scalar::u64);
  const value low = out_.in_register(address.low);
  const auto is_marked = [&](const predicate& p, unsigned condition) -> operation& {
    const value mark = imm(address_mark(state_space::constant));
    operation& o = out_.emit_test(opcode::isetp, p, {out_.in_register(address.high), mark});
    o.code.compare = static_cast<std::uint8_t>(condition);
    return o;
  };
  if (has("const")) {
    under_own_guard(is_marked(to, equal));
    return;
  }
  const auto compare = [&](std::uint32_t window, const predicate& p, unsigned condition) -> operation& {
    const value distance = out_.subtract(low, constant_word(0, window));
    operation& o = out_.emit_test(opcode::isetp, p, {distance, imm(window_bytes)});
    o.code.compare = static_cast<std::uint8_t>(condition);
    return o;
  };
  if (!has("global")) {
    under_own_guard(compare(has("shared") ? machine::shared_window : machine::local_window, to, less));
    return;
  }
  const predicate shared = out_.new_predicate();
  compare(machine::shared_window, shared, less);
  operation& o = compare(machine::local_window, to, not_less);
  writer::set_source(o, machine::predicate_slot, inverse(shared));
  under_own_guard(o);
}

template <class machine>
bool word_lowering<machine>::lower_move(const statement& s) {
  if (s.name == "cvta") {
    convert_address();
    return true;
  }
  if (s.name == "isspacep") {
    lower_isspacep();
    return true;
  }
  if (s.name != "mov") return false;
  operand_count(2, 2);
  const scalar t = type();
  const bool packs = at(1).kind == operand_kind::vector;
  if (!packs && at(0).kind != operand_kind::vector) {
    if (bytes_of(t) == 8)
      assign_wide(at(0), source_wide(at(1), t));
    else
      assign(at(0), source(at(1), t));
    return true;
  }
  // Packs and unpacks elements of equal size, lowest first.
  const std::size_t count = at(packs ? 1 : 0).elements.size();
  if (count != 2 && count != 4) unsupported("expected two or four elements");
  if (8 * bytes_of(t) / count < 8) unsupported("the elements would be smaller than a byte");
  if (packs)
    pack(t);
  else
    unpack(t);
  return true;
}

}  // namespace gt200::ptx
