// The intermediate representation for Tesla: machine/function.h with Tesla operations.
//
// A 64-bit PTX register is two independent words, so an unused upper half of a pointer simply disappears. Only what
// the hardware reads or writes as a pair or a quad (double precision, wide loads and stores, textures) is one
// virtual register of 2 or 4 words.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "toolchain/isa/tesla/instruction.h"
#include "toolchain/ptx/machine/definitions.h"
#include "toolchain/ptx/machine/function.h"
#include "toolchain/ptx/machine/liveness.h"

namespace gt200::ptx::tesla {

// multiply: low 32 bits of a product of two words; expanded once the ranges of the factors are known.
enum class pseudo : std::uint8_t { none, multiply };

struct operation {
  isa::tesla::instruction code;  // all but the register numbers
  word_ref destination;
  // The register of code.source[k]: the value, the base of a g[] operand, or the $a of s[], c[] and l[].
  std::array<word_ref, 3> source;
  int condition_in = -1;   // predicate or carry
  int condition_out = -1;  // $c
  pseudo expansion = pseudo::none;
  bool reads_parameter = false;    // its s[] operand lies in the block header or the parameters, which never change
  bool rounds_explicitly = false;  // .rn or .rz is written: must not become part of a multiply-add
  bool is_volatile = false;        // must be kept even if its result is unused
  unsigned line = 0;
  bool guarded() const {
    return code.condition != 0xf && code.op != isa::tesla::opcode::vote_any &&
           code.op != isa::tesla::opcode::vote_all;
  }
};

inline constexpr std::uint8_t condition_true = 0x5;   // not zero
inline constexpr std::uint8_t condition_false = 0xa;  // zero

using block = basic_block<operation>;
using machine_function = basic_function<operation>;

// Visits the words of general registers that the operation touches. An $a register counts as its word 0. A guarded
// operation keeps what it does not write, so its destination is visited as a use too.
template <class visitor>
void for_each_source(const operation& o, visitor visit) {
  const bool texture = o.code.op == isa::tesla::opcode::tex || o.code.op == isa::tesla::opcode::texfetch;
  for (std::size_t k = 0; k < o.source.size(); ++k) {
    if (o.source[k].reg < 0) continue;
    const isa::tesla::operand& s = o.code.source[k];
    const int words = s.kind == isa::tesla::operand_kind::gpr ? isa::words_of(s.type) : 1;
    for (int w = 0; w < words; ++w)
      visit(word_ref{o.source[k].reg, static_cast<std::uint8_t>(o.source[k].word + w)});
  }
  if (texture)
    for (std::uint8_t w = 0; w < o.code.texture_arguments; ++w) visit(word_ref{o.destination.reg, w});
}

template <class visitor>
void for_each_destination(const operation& o, visitor visit) {
  if (o.destination.reg < 0) return;
  if (o.code.op == isa::tesla::opcode::tex || o.code.op == isa::tesla::opcode::texfetch) {
    std::uint8_t w = 0;
    for (unsigned c = 0; c < 4; ++c)
      if (((o.code.texture_write_mask >> c) & 1) != 0) visit(word_ref{o.destination.reg, w++});
    return;
  }
  const int words =
      o.code.destination.kind == isa::tesla::operand_kind::gpr ? isa::words_of(o.code.destination.type) : 1;
  for (int w = 0; w < words; ++w)
    visit(word_ref{o.destination.reg, static_cast<std::uint8_t>(o.destination.word + w)});
}

// The same with $c.
template <class visitor>
void for_each_use(const operation& o, visitor visit) {
  for_each_source(o, visit);
  if (o.condition_in >= 0) visit(word_ref{o.condition_in, 0});
}

template <class visitor>
void for_each_definition(const operation& o, visitor visit) {
  for_each_destination(o, visit);
  if (o.condition_out >= 0) visit(word_ref{o.condition_out, 0});
}

// Halves exist of the lower registers only.
template <class visitor>
void for_each_limit(const operation& o, visitor visit) {
  constexpr int registers_with_halves = 64;
  const auto limit = [&](word_ref r, isa::tesla::half part) {
    if (r.reg >= 0 && part != isa::tesla::half::whole) visit(r, registers_with_halves);
  };
  for (std::size_t k = 0; k < o.source.size(); ++k) limit(o.source[k], o.code.source[k].part);
  limit(o.destination, o.code.destination.part);
}

// Answers to the passes of machine/ (see there).
bool can_guard(const operation& o);
bool is_harmless(const operation& o);
void guard_with(operation& o, int condition, bool when);
bool differs_by_itself(const operation& o);
bool agrees_by_itself(const operation& o);
void drop_unused_results(operation& o, const std::function<bool(word_ref)>& is_used);
int source_words(const operation& o, std::size_t k);
int destination_words(const operation& o);
bool uses_destination_whole(const operation& o);
template <class action>
void visit_registers(operation& o, action visit) {
  visit(o.destination.reg);
  for (word_ref& s : o.source) visit(s.reg);
  visit(o.condition_in);
  visit(o.condition_out);
}

using liveness = basic_liveness<machine_function>;
using definitions = basic_definitions<machine_function>;

// Stores, atomic operations, barriers: operations that must happen even if the result is unused.
bool has_effect(const operation& o);
bool is_load(const operation& o);  // reads memory that stores may change
bool is_copy(const operation& o);  // unconditional move of a whole register
inline word_ref copied_word(const operation& o) { return o.source[0]; }

std::uint32_t computed(isa::tesla::logic_op op, std::uint32_t a, std::uint32_t b);

}  // namespace gt200::ptx::tesla
