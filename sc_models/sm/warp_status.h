// The position of a resident warp and what it waits for, for the readers of a hang report.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sc_models/sm/interfaces.h"

namespace gt200::model {

struct warp_status {
  // The state of the next instruction of a warp whose instruction buffer is empty.
  enum class fetch_state : std::uint8_t {
    missing,          // waits for a line of the instruction cache
    under_way,        // fetched, and not yet decoded
    stopped,          // not fetched until block control starts the warp or the branch unit redirects it
    scoreboard_full,  // not fetched because the scoreboard has no room
    free              // may be fetched
  };
  struct oldest_instruction {
    const isa::instruction* instruction = nullptr;
    isa::code_address pc = 0;
    bool dependent = false;  // waits for results of older instructions
    std::uint64_t id = 0;    // sc_models/ids.h
  };
  struct barrier_wait {
    unsigned id = 0;
    unsigned warps_waiting = 0;     // at this barrier, this warp included
    unsigned warps_unfinished = 0;  // of the block
  };
  struct section_wait {
    unsigned sections = 0;  // that the warp may get
    warp_mask holders = 0;  // warps that hold one of them
  };
  struct formation_wait {
    unsigned threads = 0;     // of the block, that have not ended
    unsigned at_barrier = 0;  // of these, waiting at barriers
    unsigned in_pool = 0;     // of these, waiting for a warp slot
  };
  // Threads that started in one warp of the program.
  struct home_warp {
    unsigned threads = 0;
    std::uint32_t block_id = 0;
    unsigned warp_in_block = 0;
  };

  std::uint32_t block_id = 0;  // of the warp that started in the slot
  unsigned warp_in_block = 0;
  // Where warps are formed anew: what the slot holds instead; may be empty.
  std::optional<std::vector<home_warp>> formed;
  bool unfinished = false;                   // some of its lanes have not exited
  isa::code_address last_issued = 0;         // 0 before the first instruction
  stall_cause cause = stall_cause::none;     // why an unfinished warp does not issue; none: it may issue
  std::optional<oldest_instruction> oldest;  // of the instruction buffer
  std::optional<barrier_wait> barrier;       // the barrier at which it waits
  std::optional<section_wait> section;       // an acquire waits for a section of the shared registers
  // The slot has no threads, or threads that leave it to form warps anew.
  std::optional<formation_wait> forming;
  fetch_state fetch = fetch_state::free;
  isa::code_address next_fetch = 0;
};

}  // namespace gt200::model
