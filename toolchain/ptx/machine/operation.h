// An operation of the generations with three sources and predicates of single bits: Fermi, Volta. The target
// derives its operation from basic_operation<instruction of its instruction set>.
//
// A 64-bit PTX register is one pair of words, because addresses are read as pairs. Predicates are registers of the
// class condition. The carry of Fermi is the only register of the class address.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "toolchain/ptx/machine/function.h"

namespace gt200::ptx {

template <class instruction_type>
struct basic_operation {
  using instruction = instruction_type;
  using operand = decltype(instruction::destination);
  using kind = decltype(operand::kind);
  using opcode = decltype(instruction::op);

  instruction code;  // all but the register numbers
  word_ref destination;
  // The register of code.source[k]: the value, or the base of a memory operand or of a constant.
  std::array<word_ref, 3> source;
  int guard = -1;  // executed where this predicate is as code.guard.negate says
  std::array<int, 3> predicate_in = {-1, -1, -1};
  std::array<int, 2> predicate_out = {-1, -1};
  int carry_in = -1;
  int carry_out = -1;
  bool is_volatile = false;   // must be kept even if its result is unused, and where it is
  bool is_generic = false;    // an access that may reach any memory
  bool may_contract = false;  // a sum or product of floats without a rounding of its own
  unsigned line = 0;
  bool guarded() const { return guard >= 0; }
};

// Words of a register that the operand reads from its register on.
template <class operand>
int words_read(const operand& o) {
  return o.kind == decltype(o.kind)::constant ? 1 : o.words;
}

template <class instruction, class visitor>
void for_each_source(const basic_operation<instruction>& o, visitor visit) {
  for (std::size_t k = 0; k < o.source.size(); ++k) {
    if (o.source[k].reg < 0) continue;
    for (int w = 0; w < words_read(o.code.source[k]); ++w)
      visit(word_ref{o.source[k].reg, static_cast<std::uint8_t>(o.source[k].word + w)});
  }
}

template <class instruction, class visitor>
void for_each_destination(const basic_operation<instruction>& o, visitor visit) {
  if (o.destination.reg < 0) return;
  for (int w = 0; w < o.code.destination.words; ++w)
    visit(word_ref{o.destination.reg, static_cast<std::uint8_t>(o.destination.word + w)});
}

// The same with predicates and the carry.
template <class instruction, class visitor>
void for_each_use(const basic_operation<instruction>& o, visitor visit) {
  for_each_source(o, visit);
  if (o.guard >= 0) visit(word_ref{o.guard, 0});
  for (const int p : o.predicate_in)
    if (p >= 0) visit(word_ref{p, 0});
  if (o.carry_in >= 0) visit(word_ref{o.carry_in, 0});
}

template <class instruction, class visitor>
void for_each_definition(const basic_operation<instruction>& o, visitor visit) {
  for_each_destination(o, visit);
  for (const int p : o.predicate_out)
    if (p >= 0) visit(word_ref{p, 0});
  if (o.carry_out >= 0) visit(word_ref{o.carry_out, 0});
}

template <class instruction, class visitor>
void for_each_limit(const basic_operation<instruction>&, visitor) {}

template <class instruction, class action>
void visit_registers(basic_operation<instruction>& o, action visit) {
  visit(o.destination.reg);
  for (word_ref& s : o.source) visit(s.reg);
  visit(o.guard);
  for (int& p : o.predicate_in) visit(p);
  for (int& p : o.predicate_out) visit(p);
  visit(o.carry_in);
  visit(o.carry_out);
}

template <class instruction>
bool is_copy(const basic_operation<instruction>& o) {
  using operation = basic_operation<instruction>;
  return o.code.op == operation::opcode::mov && !o.guarded() && o.code.source[1].kind == operation::kind::gpr &&
         o.source[1].reg >= 0 && o.destination.reg >= 0;
}

template <class instruction>
word_ref copied_word(const basic_operation<instruction>& o) {
  return o.source[1];
}

template <class instruction>
bool vanishes(const basic_operation<instruction>& o, const std::vector<int>& assigned) {
  const auto number = [&](word_ref r) { return assigned[static_cast<std::size_t>(r.reg)] + r.word; };
  return is_copy(o) && number(o.destination) == number(o.source[1]);
}

template <class instruction>
void guard_with(basic_operation<instruction>& o, int condition, bool when) {
  o.guard = condition;
  o.code.guard.negate = !when;
}

template <class instruction>
int source_words(const basic_operation<instruction>& o, std::size_t k) {
  return words_read(o.code.source[k]);
}
template <class instruction>
int destination_words(const basic_operation<instruction>& o) {
  return o.code.destination.words;
}
template <class instruction>
bool uses_destination_whole(const basic_operation<instruction>&) {
  return false;
}

// Drops predicates and registers that nobody reads.
template <class instruction, class predicate>
void drop_unused_results(basic_operation<instruction>& o, const predicate& is_used) {
  for (int& p : o.predicate_out)
    if (p >= 0 && !is_used({p, 0})) p = -1;
  bool needed = false;
  for_each_destination(o, [&](word_ref r) { needed = needed || is_used(r); });
  if (!needed) o.destination = {};
}

// Writes general words alone, from general words alone.
template <class operation>
bool uses_words_only(const operation& o) {
  if (o.destination.reg < 0 || o.guarded() || o.carry_in >= 0 || o.carry_out >= 0 || has_effect(o) ||
      reads_memory(o))
    return false;
  for (const int p : o.predicate_in)
    if (p >= 0) return false;
  return o.predicate_out[0] < 0 && o.predicate_out[1] < 0;
}

// The same, but it may read and make a carry or predicates.
template <class operation>
bool has_results_only(operation o) {
  o.carry_in = o.carry_out = -1;
  o.predicate_in.fill(-1);
  o.predicate_out.fill(-1);
  return uses_words_only(o);
}

// The instruction with register numbers from `assigned`. Not encoded yet.
template <class instruction>
instruction with_registers(const basic_operation<instruction>& o, const std::vector<int>& assigned) {
  instruction code = o.code;
  const auto number = [&](word_ref r) {
    return static_cast<std::uint8_t>(assigned[static_cast<std::size_t>(r.reg)] + r.word);
  };
  if (o.destination.reg >= 0) code.destination.index = number(o.destination);
  for (std::size_t k = 0; k < o.source.size(); ++k)
    if (o.source[k].reg >= 0) code.source[k].index = number(o.source[k]);
  if (o.guard >= 0) code.guard.index = number({o.guard, 0});
  for (std::size_t k = 0; k < o.predicate_in.size(); ++k)
    if (o.predicate_in[k] >= 0) code.predicate_source[k].index = number({o.predicate_in[k], 0});
  for (std::size_t k = 0; k < o.predicate_out.size(); ++k)
    if (o.predicate_out[k] >= 0) code.predicate_destination[k] = number({o.predicate_out[k], 0});
  return code;
}

// True if the operation can be encoded with any registers. Each place gets a register of its own, a multiple of 4.
// The namespace of a target has encode(instruction, reason).
template <class operation>
bool encodes(const operation& o) {
  operation trial = o;
  const std::vector<int> assigned = {4, 8, 12, 16, 1, 2, 3, 4, 5, 6, 0};
  if (trial.destination.reg >= 0) trial.destination = {0, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    if (trial.source[k].reg >= 0) trial.source[k] = {static_cast<int>(k) + 1, 0};
    if (trial.predicate_in[k] >= 0) trial.predicate_in[k] = static_cast<int>(k) + 4;
  }
  for (std::size_t k = 0; k < 2; ++k)
    if (trial.predicate_out[k] >= 0) trial.predicate_out[k] = static_cast<int>(k) + 7;
  if (trial.guard >= 0) trial.guard = 9;
  auto code = with_registers(trial, assigned);
  std::string reason;
  return encode_operation(o, code, reason);
}

// The same, or after its sources have been exchanged (exchange_sources(operation) of the target), which it keeps.
template <class operation>
bool encodes_in_some_order(operation& o) {
  if (encodes(o)) return true;
  operation other = o;
  if (!exchange_sources(other) || !encodes(other)) return false;
  o = std::move(other);
  return true;
}

}  // namespace gt200::ptx
