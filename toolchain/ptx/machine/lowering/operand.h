// Sources and destinations.
#pragma once

#include <map>

#include "toolchain/ptx/library.h"
#include "toolchain/ptx/machine/lowering/lowering.h"

namespace gt200::ptx {

template <class machine>
auto word_lowering<machine>::source_wide(const operand& o, scalar t) -> wide {
  this->require_plain(o);
  if (o.kind != operand_kind::name) {
    const std::uint64_t bits = literal(o, t);
    return {imm(static_cast<std::uint32_t>(bits)), imm(static_cast<std::uint32_t>(bits >> 32))};
  }
  if (o.name == "%clock64") return clock64();
  if (const auto known = special_register(o.name)) return {*known, imm(0)};
  const symbol* s = find(o.name);
  if (s != nullptr && s->kind == symbol_kind::reg) {
    register_named(o);
    if (s->type == scalar::pred) file_.fail(o.where, "a predicate cannot be an operand here");
    return {reg(s->words[0]), s->words.size() > 1 ? reg(s->words[1]) : imm(0)};
  }
  // The address of a variable in its space.
  const auto offset = static_cast<std::uint32_t>(o.value);
  if (s != nullptr && s->kind == symbol_kind::memory) return {imm(s->offset + offset), imm(0)};
  const auto placed = layout_.variables.find(o.name);
  if (placed == layout_.variables.end()) undeclared(o);
  switch (placed->second.declared->space) {
    case state_space::global: {
      constexpr std::uint8_t bank = machine::architecture.address_space;
      const wide address = {constant_word(bank, placed->second.offset),
                            options_.address_bytes == 8 ? constant_word(bank, placed->second.offset + 4) : imm(0)};
      return offset == 0 ? address : add_wide(address, {imm(offset), imm(o.value >> 63 != 0 ? ~0u : 0u)});
    }
    case state_space::constant: return {imm(placed->second.offset + offset), imm(0)};
    case state_space::texture: return {imm(placed->second.offset), imm(0)};  // its handle is its unit
    default: file_.fail(o.where, "'" + o.name + "' has no address");
  }
}

template <class machine>
auto word_lowering<machine>::pair_source(const operand& o, scalar t) -> value {
  if (o.kind != operand_kind::name) {
    const std::uint64_t bits = literal(o, t);
    return out_.pair(imm(static_cast<std::uint32_t>(bits)), imm(static_cast<std::uint32_t>(bits >> 32)));
  }
  const wide v = source_wide(o, t);
  return out_.pair(v.low, v.high);
}

template <class machine>
auto word_lowering<machine>::in_pair(value v) -> value {
  if (v.is_register()) return v;
  const word_ref d = out_.tuple(2);
  if (v.is_constant()) {
    out_.move(d, constant_word(v.code.bank, static_cast<std::uint32_t>(v.code.value)));
    out_.move({d.reg, 1}, constant_word(v.code.bank, static_cast<std::uint32_t>(v.code.value) + 4));
  } else {
    out_.move(d, imm(0));
    out_.move({d.reg, 1}, imm(v.immediate()));
  }
  return reg(d, 2);
}

template <class machine>
auto word_lowering<machine>::extend(value v, scalar t) -> value {
  if (bytes_of(t) >= 4) return v;
  return out_.field(v, 0, 8 * bytes_of(t), is_signed(t));
}

template <class machine>
bool word_lowering<machine>::flushes() const {
  return has("ftz") || (options_.flush_denormals && !is_library(frames_.back().code->name));
}

template <class machine>
auto word_lowering<machine>::predicate_source(const operand& o) -> predicate {
  if (o.kind == operand_kind::integer) return {-1, (o.value == 0) != o.negated};
  const predicate p = predicate_named(o.name, o.where);
  return o.negated ? inverse(p) : p;
}

template <class machine>
auto word_lowering<machine>::under_own_guard(operation& o) -> operation& {
  writer::guard(o, guard_);
  return o;
}

// Makes the last operation write to `to`, under the guard, if it is the one that has just made the value.
template <class machine>
bool word_lowering<machine>::retarget(word_ref made, word_ref to, int words) {
  if (out_.here().code.empty()) return false;
  operation& last = out_.here().code.back();
  if (last.destination != made || last.guarded() || last.code.destination.words != words ||
      last.code.op == opcode::mov || function_.registers[static_cast<std::size_t>(made.reg)].words != words)
    return false;
  if (guard_.condition >= 0 && !can_guard(last)) return false;
  // A register of PTX keeps its value: only temporaries may lose theirs.
  if (made.reg < first_temporary_) return false;
  if (words == 2 && to.word != 0) return false;
  last.destination = to;
  under_own_guard(last);
  return true;
}

template <class machine>
void word_lowering<machine>::assign_words(word_ref to, value v) {
  if (v.is_register() && !v.code.negate && v.code.words == 1 && retarget(v.reg, to, 1)) return;
  if (guard_.condition < 0)
    out_.move(to, v);
  else
    out_.move_where(guard_, to, v);
}

template <class machine>
void word_lowering<machine>::assign(const operand& o, value v) {
  if (o.name == "_" && o.kind == operand_kind::name) return;
  const symbol& s = register_named(o);
  if (s.type == scalar::pred) file_.fail(o.where, "a predicate cannot be the destination here");
  const std::vector<word_ref> words = s.words;
  assign_words(words[0], v);
  if (words.size() > 1) assign_words(words[1], imm(0));
}

template <class machine>
void word_lowering<machine>::assign_wide(const operand& o, wide v) {
  if (o.name == "_" && o.kind == operand_kind::name) return;
  const std::vector<word_ref> words = register_named(o).words;
  if (words.empty()) file_.fail(o.where, "a predicate cannot be the destination here");
  if (words.size() == 1) return assign_words(words[0], v.low);
  const bool apart = !v.low.is_register() || !v.high.is_register() || v.low.reg != v.high.reg;
  if (apart && v.high.is_register() && v.low.reg != words[1] && v.high.code.words == 1 &&
      retarget(v.high.reg, words[1], 1))
    return assign_words(words[0], v.low);
  // The upper word may be computed from the register that gets the lower word first: copy it.
  if (v.high.is_register() && v.high.reg == words[0]) v.high = out_.copy(v.high);
  if (!apart) v.low = out_.copy(v.low);
  assign_words(words[0], v.low);
  assign_words(words[1], v.high);
}

template <class machine>
void word_lowering<machine>::assign_pair(const operand& o, word_ref pair) {
  if (o.name == "_" && o.kind == operand_kind::name) return;
  const std::vector<word_ref> words = register_named(o).words;
  if (words.size() == 2 && retarget(pair, words[0], 2)) return;
  assign_wide(o, {reg(pair), reg({pair.reg, 1})});
}

template <class machine>
void word_lowering<machine>::assign_number(const operand& o, value v, scalar t) {
  const bool longer = o.name != "_" && register_named(o).words.size() > 1;
  if (longer)
    assign_wide(o, {v, is_signed(t) ? out_.shift_right(v, imm(31), true) : imm(0)});
  else
    assign(o, v);
}

}  // namespace gt200::ptx
