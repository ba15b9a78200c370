// Functional execution of a whole launch: what the program computes, without timing.
//
// Blocks run in the order of their number (y * grid.x + x), one after the other until one takes long
// (block_turns.h). The warps of a block take turns: each runs until it waits at a barrier, ends, or has executed
// `turn` instructions. A program must not depend on that order.
#pragma once

#include <array>
#include <csignal>
#include <cstdint>

#include "toolchain/arch_state/fault.h"
#include "toolchain/arch_state/memory.h"
#include "toolchain/emulator/block_state.h"
#include "toolchain/emulator/block_turns.h"

namespace gt200::emulator {

struct run_options {
  arch_state::tesla::divergence_options divergence;
  std::uint64_t initial_state_seed = 1;
  std::uint64_t instruction_limit = 4'000'000'000;   // warp instructions per launch before the watchdog stops it
  std::uint32_t turn = 1024;                         // warp instructions before it is the next warp's turn
  std::uint64_t patience = default_patience;         // warp instructions of a block before others begin beside it
  const volatile std::sig_atomic_t* stop = nullptr;  // not owned; the launch ends when it is no longer 0
  texture_memory* textures = nullptr;                // not owned; null: texture fetches fault
};

struct run_counters {
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;  // lanes that executed, predicate true
  std::array<std::uint64_t, static_cast<std::size_t>(isa::tesla::opcode::count_)>
      per_opcode{};                                         // warp instructions
  std::array<std::uint64_t, isa::unit_classes> per_unit{};  // warp instructions
};

struct run_result {
  arch_state::fault fault;  // kind none: the launch ran to its end
  run_counters counters;
};

// Sees every instruction after it has written its results. The record has block, program counter, lanes,
// destination values, and the addresses and data of stores.
class run_observer {
 public:
  virtual ~run_observer() = default;
  virtual void launch_begins(const launch::launch_parameters&) {}
  virtual void retired(const step_record& r, const block_state& block) = 0;
};

// `constants` must be those of launch.kernel in its module. The launch must be one the hardware can start
// (launch::refusal).
run_result run(const launch::launch_parameters& launch, const code_image& code, const constant_memory& constants,
               arch_state::memory& global, const run_options& options = {}, run_observer* observer = nullptr);

}  // namespace gt200::emulator
