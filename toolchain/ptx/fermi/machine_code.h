// The intermediate representation for Fermi: machine/function.h with operations of sm_20.
//
// A 64-bit PTX register is one pair of words, because addresses are read as pairs. Predicates are registers of the
// class condition; the carry in $c is the only register of the class address.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "toolchain/isa/fermi/instruction.h"
#include "toolchain/ptx/machine/definitions.h"
#include "toolchain/ptx/machine/function.h"
#include "toolchain/ptx/machine/liveness.h"

namespace gt200::ptx::fermi {

struct operation {
  isa::fermi::instruction code;  // all but the register numbers
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

using block = basic_block<operation>;
using machine_function = basic_function<operation>;

// Words of a register that the operand reads from its register on.
inline int words_read(const isa::fermi::operand& o) {
  return o.kind == isa::fermi::operand_kind::constant ? 1 : o.words;
}

template <class visitor>
void for_each_source(const operation& o, visitor visit) {
  for (std::size_t k = 0; k < o.source.size(); ++k) {
    if (o.source[k].reg < 0) continue;
    for (int w = 0; w < words_read(o.code.source[k]); ++w)
      visit(word_ref{o.source[k].reg, static_cast<std::uint8_t>(o.source[k].word + w)});
  }
}

template <class visitor>
void for_each_destination(const operation& o, visitor visit) {
  if (o.destination.reg < 0) return;
  for (int w = 0; w < o.code.destination.words; ++w)
    visit(word_ref{o.destination.reg, static_cast<std::uint8_t>(o.destination.word + w)});
}

// The same with predicates and the carry.
template <class visitor>
void for_each_use(const operation& o, visitor visit) {
  for_each_source(o, visit);
  if (o.guard >= 0) visit(word_ref{o.guard, 0});
  for (const int p : o.predicate_in)
    if (p >= 0) visit(word_ref{p, 0});
  if (o.carry_in >= 0) visit(word_ref{o.carry_in, 0});
}

template <class visitor>
void for_each_definition(const operation& o, visitor visit) {
  for_each_destination(o, visit);
  for (const int p : o.predicate_out)
    if (p >= 0) visit(word_ref{p, 0});
  if (o.carry_out >= 0) visit(word_ref{o.carry_out, 0});
}

template <class visitor>
void for_each_limit(const operation&, visitor) {}

template <class action>
void visit_registers(operation& o, action visit) {
  visit(o.destination.reg);
  for (word_ref& s : o.source) visit(s.reg);
  visit(o.guard);
  for (int& p : o.predicate_in) visit(p);
  for (int& p : o.predicate_out) visit(p);
  visit(o.carry_in);
  visit(o.carry_out);
}

// What the passes of machine/ ask (see there).
bool has_effect(const operation& o);
bool is_copy(const operation& o);
inline word_ref copied_word(const operation& o) { return o.source[1]; }
bool can_guard(const operation& o);
bool is_harmless(const operation& o);
void guard_with(operation& o, int condition, bool when);
bool differs_by_itself(const operation& o);
bool agrees_by_itself(const operation& o);
void drop_unused_results(operation& o, const std::function<bool(word_ref)>& is_used);
bool vanishes(const operation& o, const std::vector<int>& assigned);
inline int source_words(const operation& o, std::size_t k) { return words_read(o.code.source[k]); }
inline int destination_words(const operation& o) { return o.code.destination.words; }
inline bool uses_destination_whole(const operation&) { return false; }

bool is_plain_load(const operation& o);
bool loads_shared(const operation& o);
bool is_computation(const operation& o);
bool must_follow(const operation& other, const operation& load);

// Reads memory that others may change, or a counter: not the same at another time.
bool reads_memory(const operation& o);

using liveness = basic_liveness<machine_function>;
using definitions = basic_definitions<machine_function>;

}  // namespace gt200::ptx::fermi
