// The second loop of a processing block's front end: issues at most one warp instruction per core cycle.
//
// Candidates are warps whose oldest instruction the control gate lets through, whose unit takes one, and whose
// constants are in the cache. A policy picks one (tpc.sm.scheduler.policy; Volta: the warp that went last as long
// as it can, else the youngest). Behind an instruction that yields another warp is preferred. With control codes
// nobody looks at registers: if the codes are wrong, instructions read too early.
//
// Units of fixed time take an instruction every 32 / lanes cycles. The others have queues. An instruction whose
// sources conflict holds the path behind it: the block issues nothing, and its own stall begins later
// (operand_ports.h). Source: Huerta et al., MICRO 2025.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/front_end/buffer_transactions.h"
#include "sc_models/sm/front_end/slot_accounting.h"
#include "sc_models/sm/observers.h"
#include "sc_models/sm/schedulers/scheduler.h"
#include "sc_models/sm/volta/interfaces.h"
#include "sc_models/sm/volta/issue_path.h"
#include "sc_models/sm/volta/operand_ports.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/tap.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

class gated_issue : public core_stage,
                    public tlm_bus::signal_source,
                    public issue_barrier_if,
                    public issue_order_if {
 public:
  // By issue_path: to_fixed, to_special, to_memory, to_control.
  sc_core::sc_vector<tlm_bus::pipe_out<issued_token>> to_operands;

  tlm_bus::transaction_out<buffer_removal> removals;  // to the instruction buffer

  tlm_bus::port<instruction_buffer_issue_if> instruction_buffer;
  tlm_bus::port<control_gate_if> gate;
  tlm_bus::port<constant_cache_if> constants;
  tlm_bus::port<constant_line_if> constant_lines;
  tlm_bus::port<simt_stack_issue_if> simt_stack;
  tlm_bus::port<icache_cause_if> icache;
  tlm_bus::port<block_control_if> block_control;
  tlm_bus::port<block_control_state_if> blocks;
  tlm_bus::port<instruction_pool_if> pool;
  tlm_bus::port<barrier_waiters_if> barriers_of_sm;

  tlm_bus::counter issued{"issued", "warp instructions", "instructions issued"};
  tlm_bus::counter thread_instructions{"thread_instructions", "thread instructions",
                                       "active lanes of the issued instructions"};
  tlm_bus::counter held{"held", "core cycles", "cycles for which sources in one bank held the path"};
  tlm_bus::counter reuse_hits{"reuse_hits", "operands", "sources that came from the reuse cache"};

  // `block`: number in the SM.
  gated_issue(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
              unsigned block, unsigned sm_in_tpc, bool no_bank_conflicts);

  void tick() override;
  // -- called by the branch unit: fences that have passed --
  void release(warp_mask warps) override;
  // -- called by fetch --
  warp_slot first(unsigned, warp_mask candidates) override { return policy_->pick(candidates); }
  unsigned rank(unsigned, warp_slot) override { return 0; }
  const tlm_bus::registered_signal<warp_observation>& observed() const override { return observed_; }
  void observe_instructions() override { observes_instructions_ = true; }

  tlm_bus::tap<arbitration_observer>& observers() { return observers_; }
  const slot_accounting& accounting() const { return accounting_; }
  isa::code_address last_issued(warp_slot warp) const { return last_issued_[warp]; }
  // Why an unfinished warp does not issue.
  stall_cause waits_for(warp_slot warp) { return look_at(warp).cause; }

  void publish(tlm_bus::signal_writer& to) override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "issue"; }

 private:
  // Whether a warp can issue in this cycle; if not, why, and when it may: never() if something else wakes issue.
  struct readiness {
    stall_cause cause = stall_cause::none;
    core_cycle at = core_cycle::never();
    std::optional<std::uint64_t> absent_constant = std::nullopt;  // device address whose line it waits for
  };
  void end_of_elaboration() override;
  void start_of_simulation() override;
  void settle();
  readiness look_at(warp_slot warp);
  readiness look_at_unit(const isa::instruction& i);
  std::optional<std::uint64_t> absent_constant_of(const buffered_instruction& b) const;
  slot_use issue_from(warp_slot warp);
  slot_use lost_by(warp_slot warp, stall_cause cause) const;
  void observe();
  bool waits_long(warp_slot warp);

  const warp_signal* resident_ = nullptr;
  const warp_signal* unfinished_ = nullptr;
  const tlm_bus::registered_signal<per_warp<stall_cause>>* awaited_at_exit_ = nullptr;
  const warp_signal* missing_ = nullptr;
  const warp_signal* at_barrier_ = nullptr;
  const instruction_buffer_issue_if::warp_signals* warps_ = nullptr;
  tlm_bus::registered<warp_mask> fenced_;  // waits behind a fence
  warp_mask own_ = 0;                      // of this block
  warp_mask known_resident_ = 0;
  unsigned block_;
  unsigned blocks_per_sm_;
  std::uint8_t sm_;
  core_cycle free_at_;  // the operands of the last instruction hold the path until then
  std::array<core_cycle, isa::unit_classes> unit_free_at_{};  // by data path, see interval_
  std::array<core_cycles, isa::unit_classes> interval_{};
  std::array<std::uint8_t, isa::unit_classes> data_path_{};
  operand_ports ports_;
  std::unique_ptr<scheduler> policy_;
  bool observes_ = false;
  bool observes_instructions_ = false;
  warp_observation seen_;
  bool obeys_yields_;
  warp_mask yielded_ = 0;  // the warp that went last has yielded
  per_warp<isa::code_address> last_issued_{};
  per_warp<std::uint32_t> memory_sent_{};  // instructions to the memory path, of all warps of the slot
  tlm_bus::registered_signal<warp_observation> observed_;
  unsigned warp_slots_;
  slot_accounting accounting_;
  const config::sm_config& config_;  // what the policy is made of
  tlm_bus::tap<arbitration_observer> observers_;
};

}  // namespace gt200::model
