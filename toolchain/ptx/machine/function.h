// Common part of the intermediate representations of all targets: operations on virtual registers, in basic
// blocks.
//
// All values are 32-bit words. Only what the hardware reads or writes as a pair or a quad is one virtual register
// of 2 or 4 words; passes still look at each word by itself.
//
// An operation belongs to its target, and holds a machine instruction without register numbers. The passes of this
// folder are templates, and ask these functions of the target's namespace:
//
//   for_each_source(operation, visitor), for_each_destination    the words of general registers it reads and writes
//   for_each_use(operation, visitor), for_each_definition        the same with predicates and flags, as word 0
//   has_effect(operation)          it must happen even if nobody needs its results
//   is_copy(operation)             an unconditional move of a whole word
//   copied_word(operation)         what such a move reads
//   operation::guarded()           it keeps its destinations in threads whose guard is false
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gt200::ptx {

// condition: predicates of single bits, or $c. address: what else has a file of its own ($a of Tesla, the carry of
// Fermi).
enum class register_class : std::uint8_t { general, condition, address };

struct virtual_register {
  register_class kind = register_class::general;
  std::uint8_t words = 1;
  int fixed = -1;         // hardware register it must have: the packed thread index arrives in $r0
  int mask = -1;          // of a condition: the general register that holds it as 0 / -1
  bool advances = false;  // of an address: a loop adds to it, so it cannot be computed again where it is used
};

// One word of a virtual register; reg < 0: none.
struct word_ref {
  int reg = -1;
  std::uint8_t word = 0;
  friend bool operator==(const word_ref& a, const word_ref& b) { return a.reg == b.reg && a.word == b.word; }
  friend bool operator!=(const word_ref& a, const word_ref& b) { return !(a == b); }
};

enum class ending : std::uint8_t { jump, branch, exit };

// The place where the threads that diverge at the end of a block meet again. The place is the start of `block`. The
// threads reach it by the join of that block or, if `by_break`, by a break.
struct reconvergence_point {
  int block = -1;
  bool by_break = false;
};

template <class operation_type>
struct basic_block {
  std::vector<operation_type> code;
  ending end = ending::exit;
  int condition = -1;       // branch: virtual condition register
  bool on_false = false;    // branch: taken where the condition is false
  bool is_uniform = false;  // branch: all threads of a warp agree
  int taken = -1;           // branch
  int next = -1;            // jump, branch
  unsigned line = 0;
  // Set by reconvergence: what this block announces at its end, whether the threads of a region meet in it, and
  // which of its ways out is a break.
  std::vector<reconvergence_point> announces;
  bool joins = false;
  bool breaks_to_taken = false;
  bool breaks_to_next = false;
};

template <class operation_type>
struct basic_function {
  using operation = operation_type;
  using block = basic_block<operation_type>;

  std::string name;
  std::vector<virtual_register> registers;
  std::vector<block> blocks;  // 0 is the entry
  std::uint32_t local_bytes = 0;
  std::uint32_t shared_bytes = 0;  // of Tesla with header and parameters
  std::uint32_t highest_barrier = 0;
  bool has_barriers = false;
  std::vector<std::uint32_t> literals;  // words in the constant space of the kernel
  unsigned exact_fmas = 0;              // fma.rn.f32 that are emulated, and the line of the first
  unsigned first_exact_fma = 0;
  int add_register(register_class kind, std::uint8_t words = 1) {
    registers.push_back({kind, words, -1, -1, false});
    return static_cast<int>(registers.size()) - 1;
  }
};

// Registers of a kernel, as colouring found them: hardware registers of all virtual registers; for a tuple the
// first.
struct allocation {
  std::vector<int> assigned;
  unsigned registers = 0;   // used, at least 1
  int uncoloured = -1;      // a register for which none was left; `assigned` and `registers` are then meaningless
  std::vector<int> rivals;  // the registers that conflict with it, and itself
  std::vector<std::size_t> degrees;  // for every rival, the number of words it conflicts with
};

// True for a block that only exits: a branch to it can be a return, which ends the threads that take it.
template <class operation>
bool ends_threads(const basic_block<operation>& b) {
  return b.code.empty() && b.end == ending::exit && !b.joins && b.announces.empty();
}

// Blocks that control can reach directly from block b.
template <class operation>
std::vector<int> successors(const basic_block<operation>& b) {
  switch (b.end) {
    case ending::jump: return {b.next};
    case ending::branch: return {b.taken, b.next};
    case ending::exit: break;
  }
  return {};
}

template <class operation>
std::vector<std::vector<int>> predecessors(const basic_function<operation>& f) {
  std::vector<std::vector<int>> result(f.blocks.size());
  for (std::size_t b = 0; b < f.blocks.size(); ++b) {
    for (const int s : successors(f.blocks[b])) {
      auto& list = result[static_cast<std::size_t>(s)];
      if (list.empty() || list.back() != static_cast<int>(b)) list.push_back(static_cast<int>(b));
    }
  }
  return result;
}

}  // namespace gt200::ptx
