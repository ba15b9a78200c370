// One warp instruction between issue and write-back, as the reference has executed it, and its comparison
// with the model's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "observe/checker/reference.h"
#include "sc_models/warp_instruction.h"
#include "toolchain/arch_state/generation.h"
#include "toolchain/arch_state/step_record.h"

namespace gt200::observe {

// A difference between the two sides. It is thrown and caught within one observer call.
struct difference_found {
  int lane = -1;
  std::string what;
  std::string expected;
  std::string got;
};

std::string hex(std::uint64_t value);

// The lanes of an instruction whose threads are of one block: all of them, unless warps are formed anew across
// blocks.
struct block_part {
  model::block_slot block;
  isa::lane_mask lanes = 0;
  // Order by barriers: everything that completes barrier n of the block comes before every access after barrier n.
  std::uint64_t after_barriers = 0;
  std::uint64_t before_barrier = 0;
};

struct in_flight {
  arch_state::step_record record;
  const isa::instruction* instruction = nullptr;       // null when the fetch faults
  const model::warp_instruction* operation = nullptr;  // the model's
  std::uint64_t id = 0;
  std::uint64_t sequence = 0;  // issue order within the SM
  arch_state::fault_kind fault =
      arch_state::fault_kind::none;  // that the reference found; the model must find it too

  std::vector<block_part> parts;

  // Lanes of the access by the memory that they reach. A generic access may reach several.
  isa::lane_mask shared_lanes = 0;
  isa::lane_mask local_lanes = 0;
  isa::lane_mask global_lanes = 0;

  // Accesses to global and local memory. Each lane accesses one 32-bit word at a time (or less, for narrow types).
  bool device_memory = false;
  std::uint8_t words = 0;
  std::uint8_t word_bytes = 4;
  std::uint64_t physical[isa::warp_size] = {};
  std::uint64_t lowest = 0;  // range of all lanes, last byte included
  std::uint64_t highest = 0;
  isa::lane_mask performed[4] = {};  // per word

  bool is(isa::access_kind kind) const { return record.access.kind == kind; }
  bool writes_memory() const {
    return is(isa::access_kind::store) || is(isa::access_kind::atomic) || is(isa::access_kind::reduction);
  }
  isa::lane_mask device_lanes() const { return local_lanes | global_lanes; }
  bool reaches_several() const { return (shared_lanes != 0) + (local_lanes != 0) + (global_lanes != 0) > 1; }
  isa::lane_mask unperformed(unsigned word) const { return device_lanes() & ~performed[word]; }
  // A barrier that a block of this instruction has passed lies behind all of `older`'s threads of that block.
  bool follows_by_barrier(const in_flight& older) const {
    for (const block_part& own : parts)
      for (const block_part& other : older.parts)
        if (own.block == other.block && other.before_barrier <= own.after_barriers) return true;
    return false;
  }
  bool all_performed() const {
    for (unsigned w = 0; w < words; ++w)
      if (unperformed(w) != 0) return false;
    return true;
  }
};

// True if `older` comes first for a thread of `f`: of one warp, or of those that are in both if warps are formed
// anew.
bool is_earlier_of_a_thread(const in_flight& older, const in_flight& f);

// Finds the memory of each lane of an access, after its step. Of a generic access that reaches several, addresses
// in the window of shared or local memory become offsets, as in resolve_generic().
void find_memories(in_flight& f, const arch_state::generation_values& values);

// Compare the lanes of the model with the lanes of the reference. Each function throws difference_found. Only
// executed lanes count.
void compare_sources(const in_flight& f, const checked_operands& operands);
void compare_results(const in_flight& f, const checked_operands& operands);
// Addresses of an access to shared memory by `operation`: the instruction, or its part that reaches shared memory.
void compare_addresses(const in_flight& f, const model::warp_instruction& operation);
// `younger` is performed in shared memory now, and `older`, which must come first, is not: they may not meet at an
// address that one of them changes.
void check_shared_order(const in_flight& older, const in_flight& younger);
// Words and flags that the same access delivers, or the data it stores.
void compare_shared_access(const in_flight& f, const model::warp_instruction& operation,
                           const checked_operands& operands);

}  // namespace gt200::observe
