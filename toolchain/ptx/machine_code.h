// The intermediate representation: Tesla operations on virtual registers, in basic blocks.
//
// All values are 32-bit words. A 64-bit PTX register is two independent words, so an unused upper half of a pointer
// simply disappears. Only what the hardware reads or writes as a pair or a quad (double precision, wide loads and
// stores, textures) is one virtual register of 2 or 4 words.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/isa/tesla/instruction.h"

namespace gt200::ptx {

enum class register_class : std::uint8_t { general, condition, address };

struct virtual_register {
  register_class kind = register_class::general;
  std::uint8_t words = 1;
  int fixed = -1;  // hardware register it must have: the packed thread index arrives in $r0
  int mask = -1;   // of a condition: the general register that holds it as 0 / -1
};

// One word of a virtual register; reg < 0: none.
struct word_ref {
  int reg = -1;
  std::uint8_t word = 0;
  friend bool operator==(const word_ref& a, const word_ref& b) { return a.reg == b.reg && a.word == b.word; }
  friend bool operator!=(const word_ref& a, const word_ref& b) { return !(a == b); }
};

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

enum class ending : std::uint8_t { jump, branch, exit };

// The place where the threads that diverge at the end of a block meet again. The place is the start of `block`. The
// threads reach it by the join of that block or, if `by_break`, by a break.
struct reconvergence_point {
  int block = -1;
  bool by_break = false;
};

struct block {
  std::vector<operation> code;
  ending end = ending::exit;
  int condition = -1;       // branch: virtual condition register
  bool on_false = false;    // branch: taken where the condition is false
  bool is_uniform = false;  // branch: all threads of a warp agree
  int taken = -1;           // branch
  int next = -1;            // jump, branch
  unsigned line = 0;
  // Set by reconvergence: what this block announces at its end, whether it starts with a join, and which of its
  // ways out is a break.
  std::vector<reconvergence_point> announces;
  bool joins = false;
  bool breaks_to_taken = false;
  bool breaks_to_next = false;
};

struct machine_function {
  std::string name;
  std::vector<virtual_register> registers;
  std::vector<block> blocks;  // 0 is the entry
  std::uint32_t local_bytes = 0;
  std::uint32_t shared_bytes = 0;  // header, parameters and static variables
  std::uint32_t highest_barrier = 0;
  std::vector<std::uint32_t> literals;  // c1 words
  unsigned exact_fmas = 0;              // fma.rn.f32 that are emulated, and the line of the first
  unsigned first_exact_fma = 0;
  int add_register(register_class kind, std::uint8_t words = 1) {
    registers.push_back({kind, words, -1, -1});
    return static_cast<int>(registers.size()) - 1;
  }
};

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

// Stores, atomic operations, barriers: operations that must happen even if the result is unused.
bool has_effect(const operation& o);
bool is_load(const operation& o);  // reads memory that stores may change
bool is_copy(const operation& o);  // unconditional move of a whole register

// Removes registers that nothing uses any more.
void renumber_registers(machine_function& f);

std::uint32_t computed(isa::tesla::logic_op op, std::uint32_t a, std::uint32_t b);

// True for a block that only exits: a branch to it can be a return, which ends the threads that take it.
bool ends_threads(const block& b);

// Blocks that control can reach directly from block b.
std::vector<int> successors(const block& b);
std::vector<std::vector<int>> predecessors(const machine_function& f);

}  // namespace gt200::ptx
