// Record of one warp instruction that was executed without timing, by the emulator or by another reference. An
// access to memory that other threads can change leaves it pending, with addresses and data to store; its owner
// performs the access when it likes, and completes the instruction then (toolchain/emulator/block_state.h).
//
// Large, and meant to be reused: fields that an instruction does not use keep stale values.
#pragma once

#include <array>
#include <cstdint>

#include "toolchain/arch_state/divergence.h"
#include "toolchain/arch_state/fault.h"
#include "toolchain/isa/common/instruction.h"
#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::arch_state {

enum class step_state : std::uint8_t {
  switched,  // a join of the kind `before` switched paths; no instruction was executed
  pending,   // waits for its access
  done,      // results are in the registers
  faulted    // nothing was written; the warp must not go on
};

struct step_record {
  step_state state = step_state::done;
  const isa::instruction* instruction = nullptr;  // null only if the fetch faulted
  isa::memory_access access;                      // kind none: not pending
  unsigned warp = 0;                              // in the block
  // Its lanes are threads of any warps of the block: of warp `warps[lane]`. Otherwise all are of `warp`.
  bool formed = false;
  std::array<std::uint8_t, isa::warp_size> warps{};
  isa::code_address pc = 0;
  isa::lane_mask active = 0;
  isa::lane_mask executed = 0;   // active lanes for which the predicate holds
  isa::lane_mask performed = 0;  // lanes whose access has been performed
  control_result flow;           // where the warp continues; flow.fault is copied to `fault`
  fault_kind fault = fault_kind::none;
  isa::lane_mask fault_lanes = 0;
  std::uint64_t fault_address = 0;
  isa::register_range hazard;  // fault missed_hazard: the registers that have not been written yet
  isa::lane_bundle values;     // sources, results, flags, addresses, store data (in source[1])
};

}  // namespace gt200::arch_state
