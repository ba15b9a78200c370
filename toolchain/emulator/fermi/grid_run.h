// Functional execution of a whole launch of sm_20 code: what the program computes, without timing.
//
// Blocks run one after the other, x fastest, then y, then z, or take turns if they wait for each other. The warps
// of a block take turns: each runs until it waits at a barrier, ends, or has executed `turn` instructions. A
// program must not depend on that order.
#pragma once

#include <csignal>
#include <cstdint>

#include "toolchain/arch_state/fault.h"
#include "toolchain/emulator/fermi/block.h"

namespace gt200::emulator::fermi {

struct run_options {
  std::uint64_t initial_state_seed = 1;
  std::uint64_t instruction_limit = 4'000'000'000;   // warp instructions per launch before the watchdog stops it
  std::uint32_t turn = 1024;                         // warp instructions before it is the next warp's turn
  const volatile std::sig_atomic_t* stop = nullptr;  // not owned; the launch ends when it is no longer 0
  bool together = false;                             // all blocks take turns, so that they may wait for each other
  texture_memory* textures = nullptr;                // not owned; null: texture fetches fault
};

struct run_result {
  arch_state::fault fault;  // kind none: the launch ran to its end
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;  // lanes that executed
};

// Sees every instruction after it has written its results.
template <class block_type>
class basic_run_observer {
 public:
  virtual ~basic_run_observer() = default;
  virtual void retired(const step_record& r, const block_type& b) = 0;
};
using run_observer = basic_run_observer<block>;

// `module` is that of launch.kernel; `variables` holds the contents of c14 (launch::fermi::variable_addresses()).
// The launch must be one the hardware can start (launch::fermi::refusal).
run_result run(const cubin::module& module, const launch::fermi::launch_parameters& launch,
               const std::vector<std::uint8_t>& variables, const arch_state::generation& generation,
               arch_state::memory& global, const run_options& options = {}, run_observer* observer = nullptr);

}  // namespace gt200::emulator::fermi
