// The passes between lowering and machine words, in the order in which compile() runs them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "toolchain/cubin/module.h"
#include "toolchain/ptx/tesla/machine_code.h"

namespace gt200::ptx::tesla {

// With more registers, an SM cannot hold its maximum number of threads: 768 of 8,192 registers up to
// capability 1.1, 1,024 of 16,384 from 1.2 on.
constexpr unsigned registers_of_full_occupancy(unsigned capability) { return capability < 12 ? 10 : 16; }

// A register written several times within a block becomes several registers.
void split_registers(machine_function& f);

// Removes operations that compute what a dominating operation has computed.
void share_values(machine_function& f);

// Sums with a constant and shifts become part of s[], c[] and l[] operands. Each address register has one access.
void fold_addresses(machine_function& f);

// Sets loop-invariant address registers before the loop.
void hoist_addresses(machine_function& f);

// Addresses that a loop advances by constants, at most `most` of each loop, stay in address registers that the loop
// advances, if that takes fewer operations than making them anew. False if there are none.
bool advance_addresses(machine_function& f, std::size_t most);

// Marks the branches on which all threads of a warp agree.
void find_uniform_branches(machine_function& f);

// Short sides of branches become guarded operations.
void convert_branches(machine_function& f);

// Forwards constants and copies of registers that are written once, folds operations that become constant, and
// contracts products and sums if `contract`.
void forward_values(machine_function& f, bool contract);

// Words that a loop computes from a counter move on with it instead, at most `most` of each loop. False if there
// are none.
bool reduce_strength(machine_function& f, std::size_t most);

// Computes in front of loops what is needed behind them, if fewer words live through the loops then. False if there
// is nothing of the kind.
bool compute_early(machine_function& f);

// Expands pseudo operations into 16- and 24-bit multiplications, as the ranges of the factors allow.
void expand_multiplications(machine_function& f);

// Removes unneeded operations and unread results.
void remove_unused(machine_function& f);

// Computes values just before they are read, within their blocks; loads as well if `with_loads`.
void sink_values(machine_function& f, bool with_loads);

// Issues loads early within their blocks, without more than `max_registers` words live at once (or as many as
// before).
void schedule_loads(machine_function& f, unsigned max_registers);

// Makes every operation one that the hardware has. Immediates stay where they fit, else become literals in c1[] or
// moves. With `fold`, parameters, constants and words of shared memory become s[] and c[] operands of the
// operations that use them.
void legalise(machine_function& f, bool fold);

// Sets registers that get the same value in every round of a loop before it, as long as no more than `max_words`
// words live at once (or as many as before). False if there are none.
bool hoist_moves(machine_function& f, std::size_t max_words);

// Loads of shared memory beyond the reach of an s[] operand get an address register nearer to the word if several
// loads of the block can share it, so that legalise() can make operands of them. Up to `windows` such registers
// live at once.
void bring_shared_near(machine_function& f, std::size_t windows);

// For compute capability 1.0, which has no loads of shared memory: moves with an s[] operand, behind an address
// register nearer to the word where the reach of the operand is too short. Loads of a block share up to `windows`
// such registers at once; 0: each has its own. What has no such form remains.
void load_shared_by_moves(machine_function& f, std::size_t windows);

// Announces (joinat) the block where the two ways of a branch reconverge, and makes it a join. The block with the
// joinat dominates all branches it serves and lies outside loops that the join ends, so that every way from it
// reaches the join exactly once.
void place_joins(machine_function& f);

// How many registers a kernel may have, and with how many an SM still holds its maximum number of threads.
struct register_limits {
  unsigned most = 0;
  unsigned full_occupancy = 0;
};

allocation colour_registers(const machine_function& f, const register_limits& limits);

// Colours, and makes room as long as needed: general registers are spilled to l[], predicates are recomputed from
// their masks where they are used. nullopt if even that does not suffice.
std::optional<allocation> allocate_registers(machine_function& f, const register_limits& limits);

// Appends words, lines and literals to `kernel`.
void emit(machine_function& f, const allocation& registers, const std::string& file, cubin::kernel& kernel);

// The instruction with register numbers from `assigned`, and offsets for literals. Not encoded yet.
isa::tesla::instruction bind(const operation& o, const std::vector<int>& assigned);

// A copy from a register to itself, which emits no instruction.
bool vanishes(const operation& o, const std::vector<int>& assigned);

// True if the operation can be encoded with any registers.
bool encodes(const operation& o);

// Also false if the only encoding drops rounding or saturation, as the forms with an immediate do.
bool encodes_wholly(const isa::tesla::instruction& wanted);

// The c1[] word at `offset` as source k; a 16-bit factor reads its lower half.
isa::tesla::operand literal_operand(int offset, const isa::tesla::instruction& code, std::size_t k);

// Byte offset of a literal in c1[]; negative if there is no room within the reach of an operand.
int literal_offset(machine_function& f, std::uint32_t bits);

}  // namespace gt200::ptx::tesla
