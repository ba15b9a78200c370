// Second half of the first loop: words become instructions, the scoreboard is asked, the instruction enters the
// buffer.
//
// Decoded instructions are cached by their words, so each distinct instruction is decoded once per run. When the
// scoreboard has no entry free, `when_full` decides: the warp's instructions wait here (stall_warp, stall_all:
// fetch stops by the scoreboard's has_room), or are discarded and fetched again (discard). Source: look-up when the
// instruction enters the buffer: Coon et al.; answers when full: GPGPU architectures book.
#pragma once

#include <array>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/tpc/sm/interfaces.h"
#include "sc_models/tpc/sm/tokens.h"
#include "tlm_bus/arbiter.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/stage.h"

namespace gt200::model {

class decode : public tlm_bus::stage {
 public:
  tlm_bus::pipe_in<fetched_token> in;              // from the instruction cache
  tlm_bus::pipe_out<fetch_control_token> control;  // to fetch

  sc_core::sc_port<scoreboard_enter_if> scoreboard;
  sc_core::sc_port<instruction_buffer_decode_if> instruction_buffer;

  tlm_bus::counter decoded{"decoded", "warp instructions", "instructions that entered the buffer"};
  tlm_bus::counter discarded{"discarded", "warp instructions",
                             "instructions dropped: wrong path, or no scoreboard entry with when_full = discard"};
  tlm_bus::counter scoreboard_full{"scoreboard_full", "warp instructions",
                                   "instructions that found no scoreboard entry free when they arrived"};

  // `first_id`: ids of this SM's instructions count up from here. `capability`: compute capability x 10;
  // instructions beyond it are faults.
  decode(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
         std::uint64_t first_id, unsigned capability);

  void tick() override;
  const char* kind() const override { return "decode"; }

 private:
  struct decoded_entry {
    isa::instruction instruction;
    emulator::fault_kind fault = emulator::fault_kind::none;
    std::unique_ptr<decoded_entry> meeting;  // of an instruction with join, where join acts before it
  };
  struct pending {
    const decoded_entry* entry = nullptr;
    const grid_descriptor* grid = nullptr;
    isa::code_address pc = 0;
    std::uint8_t epoch = 0;
  };
  struct warp_state {
    std::uint8_t epoch = 1;    // fetches of other epochs are void
    std::uint8_t waiting = 0;  // instructions in `queue`
    std::array<pending, 16> queue;
  };
  void end_of_elaboration() override;
  const decoded_entry& decode_words(isa::code_address pc, std::uint32_t first, std::uint32_t second);
  const decoded_entry& invalid_pc_entry();
  void take(const fetched_token& token);
  bool enter(unsigned warp, const pending& p);
  void enter_waiting();

  config::scoreboard_full when_full_;
  bool join_before_;
  unsigned capability_;
  std::uint64_t next_id_;
  std::array<warp_state, max_warps> warps_{};
  warp_mask waiting_ = 0;
  tlm_bus::round_robin order_;
  std::unordered_map<std::uint64_t, std::unique_ptr<decoded_entry>> cache_;
  // In front of the map: the last instruction at each address, by low bits of the program counter.
  struct recent_entry {
    std::uint32_t first = 0, second = 0;
    const decoded_entry* entry = nullptr;
  };
  std::vector<recent_entry> recent_;
  decoded_entry invalid_pc_;
};

}  // namespace gt200::model
