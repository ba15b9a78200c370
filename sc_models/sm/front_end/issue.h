// The front end's second loop: each scheduler issues at most one warp instruction per core cycle (two shader
// cycles).
//
// A scheduler picks one of its warps whose oldest buffered instruction has no outstanding dependency, whose
// collector class has a free unit, and which does not wait at a barrier. Some instructions may issue to a unit
// other than their own, such as an fp32 multiplication to the SFUs: see unit_reservation.h.
//
// Two schedulers own the warps of even and of odd slots and share collector units and execution units. They choose
// one after the other; the first of one cycle is the second of the next. The second one cannot send to the dispatch
// port that the first has used in this cycle: there is one port per class of collector units, or one in all
// (tpc.sm.scheduler.dispatch_ports).
//
// An instruction for the SPs may hold its scheduler's port for longer than its cycle (tpc.sm.issue.sp_hold_cycles):
// then nothing issues beside it, not even a multiplication to the SFUs. In such a machine the cycles that bank
// conflicts add to an access of shared memory hold the ports as well (docs/memory.md). A warp whose access goes
// through the pipeline again for each conflict issues nothing meanwhile
// (tpc.sm.shared_memory.replay_latency_cycles).
//
// If warps share registers over time, an acquire waits here for a section of the pool (section_pool.h), and an
// instruction whose registers are in a section is a fault unless the warp holds one.
//
// slot_accounting.h counts the use of every issue slot; stall_attribution.h finds why a warp did not issue. Source:
// one issue per two shader cycles: Kanter, Lindholm.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/blocks/block_control.h"
#include "sc_models/sm/blocks/instruction_pool.h"
#include "sc_models/sm/dependency/scoreboard.h"
#include "sc_models/sm/divergence/simt_stack.h"
#include "sc_models/sm/front_end/instruction_buffer.h"
#include "sc_models/sm/front_end/issue_conflict_if.h"
#include "sc_models/sm/front_end/slot_accounting.h"
#include "sc_models/sm/front_end/stall_attribution.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/observers.h"
#include "sc_models/sm/operands/register_file.h"
#include "sc_models/sm/schedulers/scheduler.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/units/unit_reservation.h"
#include "sc_models/sm/usual_port.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/port.h"
#include "tlm_bus/registered.h"
#include "tlm_bus/registered_signal.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/stage.h"
#include "tlm_bus/tap.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

class joined_front_end;

class issue : public tlm_bus::stage,
              public tlm_bus::signal_source,
              public issue_barrier_if,
              public issue_conflict_if,
              public issue_order_if {
 public:
  // To the operand collector, by collector class: to_sp, ..., to_shared, to_memory, to_control. The depth of a pipe
  // is the number of collector units of its class.
  sc_core::sc_vector<tlm_bus::pipe_out<issued_token>> to_collector;

  tlm_bus::port<instruction_buffer_issue_if> instruction_buffer;
  tlm_bus::port<scoreboard_issue_if> scoreboard;
  tlm_bus::port<icache_cause_if> icache;
  tlm_bus::port<block_control_state_if> blocks;

  // To the scoreboard. From here on stands what every instruction needs, together for the host's cache.
  alignas(64) tlm_bus::transaction_out<scoreboard_allocation, gt200::model::scoreboard> allocations;
  tlm_bus::transaction_out<buffer_removal, gt200::model::instruction_buffer> removals;  // to the instruction buffer
  usual_port<simt_stack_issue_if, gt200::model::simt_stack> simt_stack;
  usual_port<block_control_if, gt200::model::block_control> block_control;
  tlm_bus::counter issued{"issued", "warp instructions", "instructions issued"};
  // Number of instructions that issued to each of unit_list::alternatives(), such as multiplications_on_sfu.
  std::deque<tlm_bus::counter> issued_to_alternative;
  alignas(64) usual_port<instruction_pool_if, instruction_pool> pool;
  tlm_bus::counter thread_instructions{"thread_instructions", "thread instructions",
                                       "active lanes of the issued instructions"};

  issue(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
        const unit_list& units, unsigned sm_in_tpc, unsigned sm_in_chip = 0, lane_share share = {});

  void tick() override;
  // -- called by the barrier --
  void release(warp_mask warps) override;
  warp_mask replaying() const override;
  // -- called by shared memory --
  void hold_ports_until(core_cycle end) override;
  void replays_began(warp_slot warp) override;
  void replays_ended(warp_slot warp) override;
  // -- called by fetch --
  warp_slot first(unsigned scheduler, warp_mask candidates) override;
  unsigned rank(unsigned scheduler, warp_slot warp) override;
  const tlm_bus::registered_signal<warp_observation>& observed() const override { return observed_; }
  void observe_instructions() override { observes_instructions_ = true; }

  // Before the first launch: warps share registers over time.
  void share_registers(section_pool_if& sections);
  // The same: operands of what issues are announced.
  void announce_operands(const gt200::model::register_file& registers) { registers_ = &registers; }
  // The same: an instruction that no lane executes takes no more than its issue cycle here.
  void drop_unexecuted(const arch_state::generation& rules) { dropping_by_ = &rules; }
  // The same: warps are formed anew.
  void form_warps(warp_former_if& former);

  // Replaces a policy before the first launch.
  void use(unsigned index, std::unique_ptr<scheduler> policy);

  tlm_bus::tap<arbitration_observer>& observers(unsigned scheduler) { return schedulers_[scheduler].observers; }

  unsigned schedulers() const { return scheduler_count_; }
  const scheduler& policy(unsigned scheduler) const { return *schedulers_[scheduler].policy; }

  // Of slot_accounting.h: the core cycles before `until`.
  slot_counts slots_until(unsigned scheduler, core_cycle until) const {
    return accounting_.slots_until(scheduler, until);
  }
  slot_profile profile_until(core_cycle until) const { return accounting_.profile_until(until); }
  std::uint64_t resident_warp_cycles_until(core_cycle until) const {
    return accounting_.resident_warp_cycles_until(until);
  }
  std::uint64_t miss_starved_warp_cycles_until(core_cycle until) const {
    return accounting_.miss_starved_warp_cycles_until(until);
  }

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "issue"; }
  // See stall_attribution.h; the warp must be unfinished.
  stall_cause waits_for(warp_slot warp) { return attribution_.cause_of(module_front(view_), warp); }
  isa::code_address last_issued(warp_slot warp) const { return attribution_.last_issued(warp); }
  void publish(tlm_bus::signal_writer& to) override;

 private:
  friend class joined_front_end;
  // Number of the scheduler at position `i` (at most COUNT) after the first one.
  template <unsigned COUNT>
  unsigned in_turn(unsigned i) const {
    if (COUNT == 1) return 0;
    return first_ + i < COUNT ? first_ + i : first_ + i - COUNT;
  }
  struct scheduler_state {
    warp_mask warps = 0;
    std::unique_ptr<scheduler> policy;
    tlm_bus::tap<arbitration_observer> observers;
    std::optional<warp_slot> picked;  // the warp that went in the last tick, not told to the policy yet
    core_cycle port_free_at;          // the last instruction holds the port until then
  };
  std::unique_ptr<scheduler> make_policy(unsigned scheduler);
  void end_of_elaboration() override;
  void start_of_simulation() override;
  void run();
  inline void settle();
  inline void settle_now();
  void settle_residents(warp_mask resident);
  void observe();
  bool waits_long(warp_slot warp);
  warp_mask without_section(warp_mask ready) const;
  void use_sections(warp_slot warp, warp_instruction& operation);
  bool class_has_room(unsigned c) { return pipes_[c]->can_send(); }
  isa::lane_mask charged_lanes(warp_slot warp, const warp_instruction& operation) const;
  inline unsigned destination_of(scheduler_state& s, const isa::instruction& instruction, unsigned own,
                                 unsigned alternatives, isa::lane_mask active);
  unsigned alternative_for(const isa::instruction& instruction, unsigned own, unsigned alternatives,
                           isa::lane_mask active);
  // The rule (issue_rule.h). COUNT: of schedulers. PLAIN: there are no sections, formed warps or probes, and
  // nothing holds a port beyond its cycle.
  class modules;
  template <class Front>
  void run_over(Front front) {
    if (plain_)
      scheduler_count_ == 1 ? issue_cycle<1, true>(front) : issue_cycle<2, true>(front);
    else
      scheduler_count_ == 1 ? issue_cycle<1, false>(front) : issue_cycle<2, false>(front);
  }
  template <unsigned COUNT, bool PLAIN, class Front>
  void issue_cycle(Front front);
  template <bool PLAIN, class Front>
  slot_use run_scheduler(Front front, scheduler_state& s, warp_mask ready, warp_mask probed, bool port_taken);
  template <bool PLAIN, class Front>
  slot_use issue_from(Front front, scheduler_state& s, warp_slot warp);
  template <class Front>
  warp_mask issuable(Front front, warp_mask ready);
  template <class Front>
  warp_mask issuable_to_alternatives(Front front, unsigned own, warp_mask wanting);
  void tell_went(const scheduler_state& s, warp_mask candidates, warp_slot warp);
  std::uint64_t state_of(warp_slot warp);
  warp_mask moved_warps(tlm_bus::signal_writer& to);

  joined_front_end* step_ = nullptr;    // does the work of a tick, if not null
  joined_front_end* joined_ = nullptr;  // has the buffer and the scoreboard
  std::uint64_t sequence_ = 0;
  const gt200::model::register_file* registers_ = nullptr;  // null: no register file is there
  // What every cycle needs.
  alignas(64) issue_view view_;
  warp_mask known_resident_ = 0;
  tlm_bus::cycle_t settled_at_ = tlm_bus::no_cycle;
  std::vector<scheduler_state> schedulers_;
  unsigned scheduler_count_;
  unsigned first_ = 0;      // the scheduler that chooses first
  unsigned residents_ = 0;  // warps in known_resident_
  unsigned alternatives_;
  bool probes_;       // the scoreboard probes only some warps per cycle, or counts its probes
  bool single_port_;  // one dispatch port in all
  bool plain_ = true;
  bool observes_ = false;
  bool observes_instructions_ = false;
  std::uint8_t sm_;
  const unit_list& units_;
  std::array<tlm_bus::pipe_out<issued_token>*, max_collector_classes> pipes_{};
  unit_reservation reservation_;
  unsigned classes_;  // of collector units
  unsigned sp_path_;  // data path of the SPs
  core_cycles sp_hold_;
  tlm_bus::registered<core_cycle> conflicts_end_;        // bank conflicts hold the ports until then
  const arch_state::generation* dropping_by_ = nullptr;  // null: guards do not matter here

  warp_observation seen_;
  tlm_bus::registered_signal<warp_observation> observed_;
  unsigned warp_slots_;
  slot_accounting accounting_;
  stall_attribution attribution_;
  // What a policy is made of.
  const config::sm_config& config_;
  const unsigned sm_in_chip_;
  bool has_others_ = false;  // use() has replaced a policy
};

// -- what happens at every instruction --

// Brings the policies up to date with the last edge. The first caller in a cycle does it. Everything it reads is
// from that edge, except what issue changes later in its own tick.
[[gnu::always_inline]] inline void issue::settle_now() {
  settled_at_ = cycle();
  for (scheduler_state& s : schedulers_) {
    if (!s.picked) continue;
    s.policy->picked(*s.picked);
    s.picked.reset();
  }
  const warp_mask resident = view_.resident_warps();
  if (known_resident_ != resident) settle_residents(resident);
  if (!observes_) return;
  observe();
  for (scheduler_state& s : schedulers_) s.policy->observe(seen_);
}

inline void issue::settle() {
  if (settled_at_ != cycle()) settle_now();
}

// The collector class to which the instruction issues: its own, or that of an alternative unit. Reserves the unit,
// and the scheduler's port if the unit is that of the SPs.
inline unsigned issue::destination_of(scheduler_state& s, const isa::instruction& instruction, unsigned own,
                                      unsigned alternatives, isa::lane_mask active) {
  if (alternatives != 0)
    if (const unsigned other = alternative_for(instruction, own, alternatives, active); other != own) return other;
  const unsigned unit = units_.unit_of(instruction.unit);
  if (unit == no_unit) return own;
  reservation_.issued(unit, instruction, active, core_cycle(cycle()));
  const bool is_dropped = dropping_by_ != nullptr && active == 0;
  if (!plain_ && units_.units()[unit].data_path == sp_path_ && !is_dropped)
    s.port_free_at = core_cycle(cycle()) + core_cycles(1) + sp_hold_;
  return own;
}

// The lanes that unit and port are charged for. The scoreboard has let the instruction pass, so its guard is there.
inline isa::lane_mask issue::charged_lanes(warp_slot warp, const warp_instruction& operation) const {
  if (dropping_by_ == nullptr || registers_ == nullptr || operation.formed) return operation.active;
  return dropping_by_->guarded_lanes(*operation.instruction, registers_->rows(warp), operation.active);
}

}  // namespace gt200::model
