// What holds a warp's next instruction back (tpc.sm.dependencies):
//
//   control_codes    the control codes of the compiler alone, as on the hardware; nothing looks at a register
//   checked_stalls   stalls and yields of the codes, and registers by a scoreboard (register_interlock.h); barriers
//                    and waits do nothing. As Kepler, whose codes have stalls alone
//   scoreboard       the scoreboard alone
//
// Per warp a stall counter and six dependency barriers SB0 to SB5, which count. The oldest instruction of a warp
// may issue when the stall of the one before it has passed and the barriers of its wait mask are zero.
//   stall n       the next instruction of the warp issues n cycles later at the earliest, 0 counts as 1
//   yield         with a stall of 1: one cycle more
//   stall 0 and yield: 45 cycles;  stall above 11 without yield: long_stall_cycles
//   barriers      are raised one cycle after the issue: an instruction in the very next cycle does not see them.
//                 Operands that have been read, or results that are written, lower them.
//   a dependency wait (DEPBAR) holds the warp from the fourth cycle after its issue on. Several may be under way.
// Operands of an instruction that hold the path delay that instruction. Its stall begins behind the delay (`held`
// of issued()). Older instructions of other warps are ahead of it and not delayed, so their stalls run on; younger
// ones issue behind it.
//
// To decode it looks like a scoreboard that always has room. Source: Huerta et al., MICRO 2025.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/dependency/scoreboard_transactions.h"
#include "sc_models/sm/front_end/buffer_transactions.h"
#include "sc_models/sm/volta/interfaces.h"
#include "sc_models/sm/volta/register_interlock.h"
#include "sc_models/sm/volta/transactions.h"
#include "tlm_bus/clock_domain.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/transaction.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::model {

class control_gate : public sc_core::sc_module,
                     public tlm_bus::signal_source,
                     public control_gate_if,
                     public scoreboard_decode_if,
                     public scoreboard_fetch_if,
                     public tlm_bus::transaction_target<scoreboard_lookup>,
                     public tlm_bus::transaction_target<scoreboard_answer>,
                     public tlm_bus::transaction_target<barrier_release>,
                     public tlm_bus::transaction_target<operand_progress>,
                     public tlm_bus::resettable {
 public:
  static constexpr unsigned barriers = 6;

  tlm_bus::transaction_in<scoreboard_lookup> lookups;  // from decode
  tlm_bus::transaction_in<scoreboard_answer> answers;  // from decode
  tlm_bus::transaction_in<barrier_release> releases;   // from the operand path
  tlm_bus::transaction_in<operand_progress> steps;     // the same; none with control_codes
  // To the instruction buffer: nothing, its instructions depend on nothing that the hardware knows.
  tlm_bus::transaction_out<dependency_update> dependency_updates;

  control_gate(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
               const arch_state::generation& generation);

  void transport(scoreboard_lookup& lookup) override { lookup.answer = {true, 0, 0}; }
  void transport(scoreboard_answer& fetched) override { fetched.answer = {true, 0, 0}; }
  void transport(barrier_release& release) override;
  void transport(operand_progress& progress) override;

  // -- called by decode and fetch --
  const tlm_bus::registered_event& release() const override { return never_; }
  const warp_signal& has_room() const override { return room_; }
  // -- called by issue --
  core_cycle open_at(warp_slot warp, const isa::instruction& oldest) override;
  stall_cause waits_for(warp_slot warp, const isa::instruction& oldest) const override;
  bool waits_for_memory(warp_slot warp, const isa::instruction& oldest) const override;
  void issued(warp_slot warp, const isa::instruction& instruction, core_cycles held) override;
  void started(warp_slot warp) override;
  const tlm_bus::registered_event& released() const override { return released_; }

  // For observers: how often a barrier is raised.
  unsigned count(warp_slot warp, unsigned barrier) const { return warps_[warp].counts[barrier]; }

  void publish(tlm_bus::signal_writer& to) override;
  tlm_bus::part_tap* parts() override { return &parts_; }
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "control_gate"; }

 private:
  // A dependency wait that holds the warp from then on, until the instruction behind it has issued.
  struct pending_wait {
    isa::dependency_wait wait;
    core_cycle from;
  };
  static constexpr unsigned most_waits = 4;  // one can issue in each cycle before the first holds the warp
  struct warp_state {
    core_cycle open_at;
    std::array<std::uint16_t, barriers> counts{};
    std::array<pending_wait, most_waits> waits{};  // in no order
  };
  struct change {
    core_cycle at;  // visible from then on
    warp_slot warp;
    std::uint8_t barrier;
    bool raises;
  };
  core_cycle now() const { return core_cycle(domain_.cycle()); }
  void settle();
  // The dependency barriers for which the instruction waits; bit per barrier.
  std::uint8_t awaited(warp_slot warp, const isa::instruction& oldest) const;
  void raise(warp_slot warp, std::uint8_t barrier);
  core_cycles stall_of(const isa::control_codes& codes) const;

  tlm_bus::clock_domain& domain_;
  config::dependency_rule rule_;
  std::optional<register_interlock> interlock_;  // none with control_codes
  core_cycles long_stall_;
  unsigned warp_slots_;
  per_warp<warp_state> warps_{};
  // The stall cause of a warp that waits for barrier b: of the last instruction that has set it.
  per_warp<std::array<stall_cause, barriers>> barrier_cause_{};
  std::vector<change> changes_;  // not visible yet, in no order
  struct step {
    core_cycle at;
    operand_progress progress;
  };
  std::vector<step> steps_;  // the same of the interlock
  warp_signal room_;
  tlm_bus::registered_event never_;
  tlm_bus::registered_event released_;
  tlm_bus::part_tap parts_;
};

}  // namespace gt200::model
