// Second half of the first loop: turns words into instructions, looks them up in the scoreboard, and enters them
// into the instruction buffer.
//
// If the scoreboard has no free entry, `when_full` decides. With stall_warp and stall_all the warp's instructions
// wait here, and the scoreboard's has_room stops fetch. With discard they are dropped and fetched again. Source:
// look-up when the instruction enters the buffer: Coon et al.; behaviour when full: GPGPU architectures book.
//
// With a look-up latency a warp has at most one look-up in flight, and its instructions wait here in order. The
// first one is looked up; it enters when the answer arrives, or is looked up again if it was refused. Two look-ups
// can start per cycle: one for waiting warps, which take turns, and one for an instruction that has just been
// fetched.
//
// Where the paths of a warp take turns, an operation that ends the turn enters in place of an instruction when the
// turn is over; the branch unit has the instruction fetched again when its path runs next.
#pragma once

#include <array>
#include <memory>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/dependency/scoreboard.h"
#include "sc_models/sm/front_end/buffer_transactions.h"
#include "sc_models/sm/front_end/decoded_instructions.h"
#include "sc_models/sm/front_end/path_turns_if.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/stage_tokens.h"
#include "tlm_bus/arbiter.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/port.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

class joined_front_end;

class decode : public core_stage, public tlm_bus::signal_source {
 public:
  tlm_bus::pipe_in<fetched_token> in;              // from the instruction cache
  tlm_bus::pipe_out<fetch_control_token> control;  // to fetch

  tlm_bus::transaction_out<scoreboard_answer> answers;  // to the scoreboard, with a look-up latency
  tlm_bus::port<scoreboard_decode_if> scoreboard;
  // From here on stands what every instruction needs, together for the host's cache.
  alignas(64) tlm_bus::transaction_out<scoreboard_lookup, gt200::model::scoreboard> lookups;  // to the scoreboard
  tlm_bus::transaction_out<buffer_write, instruction_buffer> buffer_writes;

  tlm_bus::counter decoded{"decoded", "warp instructions", "instructions that entered the buffer"};
  tlm_bus::counter discarded{"discarded", "warp instructions",
                             "instructions dropped: wrong path, or no scoreboard entry with when_full = discard"};
  tlm_bus::counter scoreboard_full{"scoreboard_full", "warp instructions",
                                   "instructions that found no scoreboard entry free when they arrived"};

  // `first_id`: the ids of this SM's instructions count up from here.
  decode(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
         decoded_instructions& instructions, std::uint64_t first_id);

  // Before the simulation: paths take turns, and this operation ends one.
  void take_turns(const path_turns_if& turns, std::shared_ptr<const isa::instruction> turn_end);

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "decode"; }

 private:
  friend class joined_front_end;
  struct pending {
    const instruction_descriptor* instruction = nullptr;
    const grid_descriptor* grid = nullptr;
    isa::code_address pc = 0;
    std::uint8_t epoch = 0;
    bool refused = false;
  };
  struct asked {
    core_cycle due;
    warp_slot warp;
  };
  // What every fetch needs: small, so that a few lines of the host's cache have it for all warps.
  struct warp_state {
    std::uint8_t epoch = 1;    // fetches of other epochs are void
    std::uint8_t waiting = 0;  // instructions in its queue
  };
  using pending_queue = std::array<pending, 16>;
  void end_of_elaboration() override;
  void run();
  void take(const fetched_token& token);
  void command(const fetch_control_token& token);
  bool enter(warp_slot warp, const pending& p);
  inline void into_buffer(warp_slot warp, const pending& p, const lookup_answer& answer);
  template <class Fill>
  void send_write(warp_slot warp, const Fill& fill);
  void cancel(warp_slot warp, unsigned entries);
  bool enter_waiting();
  void take_answers();
  void ask(warp_slot warp);
  void ask_waiting();

  joined_front_end* step_ = nullptr;    // does the work of a tick, if not null
  joined_front_end* joined_ = nullptr;  // has the links, the scoreboard and the buffer
  config::scoreboard_full when_full_;
  decoded_instructions& instructions_;
  std::uint64_t next_id_;
  core_cycles lookup_latency_;  // 0: the answer comes at once
  per_warp<warp_state> warps_{};
  per_warp<pending_queue> queues_{};
  warp_mask waiting_ = 0;
  // With a look-up latency: warps with a look-up in flight, and the same warps in the order of their answers.
  warp_mask asking_ = 0;
  std::array<asked, 16> on_its_way_{};
  unsigned first_on_its_way_ = 0;
  unsigned looked_up_ = 0;  // number of look-ups in flight
  tlm_bus::round_robin order_;
  const path_turns_if* turns_ = nullptr;  // null: paths take no turns
  instruction_descriptor turn_end_;
};

}  // namespace gt200::model
