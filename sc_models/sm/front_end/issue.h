// The front end's second loop: each scheduler issues at most one warp instruction per core cycle (two shader
// cycles).
//
// Among its warps whose oldest buffered instruction has no outstanding dependency, whose collector class has a unit
// free and which do not wait at a barrier, a scheduler picks one. A fp32 multiplication goes to the SPs or to the
// SFUs, see unit_booking.h.
//
// Two schedulers own the warps of even and of odd slots and share collector units and units. They choose one after
// the other, the one that went first last time second; what the first sent to cannot be sent to again in the same
// cycle: one dispatch port per class of collector units, or one in all (tpc.sm.scheduler.dispatch_ports).
//
// Closed cycle accounting: every issue slot, schedulers x cycles, has exactly one cause. A slot in which nothing
// issues is charged to the cause of the warp the policy would have picked next among the scheduler's resident ones.
// Stretches in which this stage sleeps are charged when it wakes, to the cause at which it fell asleep: everything
// that can change the cause wakes it. Each slot is also charged to a warp and an instruction, see slot_profile.h.
// Source: one issue per two shader cycles: Kanter, Lindholm; attribution rule:
// docs/statistics.md.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/front_end/slot_profile.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/schedulers/scheduler.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/units/unit_booking.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/port.h"
#include "tlm_bus/registered_signal.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/stage.h"
#include "tlm_bus/tap.h"

namespace gt200::model {

// Sees what crosses the ports of a scheduler's arbiter. Attached from outside; must not influence the model.
class arbitration_observer {
 public:
  virtual ~arbitration_observer() = default;
  virtual void went(tlm_bus::cycle_t cycle, warp_mask candidates, unsigned warp) = 0;
  // A new warp occupies the slot from the cycle after `cycle` on.
  virtual void started(tlm_bus::cycle_t cycle, unsigned warp) = 0;
};

class issue : public tlm_bus::stage, public tlm_bus::signal_source, public issue_barrier_if, public issue_order_if {
 public:
  // To the operand collector, one pipe per class; its depth is the number of collector units.
  tlm_bus::pipe_out<issued_token> to_sp, to_sfu, to_dp, to_shared, to_memory, to_control;

  // Together, for the host's cache, as what is needed in every cycle below.
  alignas(64) tlm_bus::port<instruction_buffer_issue_if> instruction_buffer;
  tlm_bus::port<simt_stack_issue_if> simt_stack;
  tlm_bus::port<scoreboard_issue_if> scoreboard;
  tlm_bus::port<icache_cause_if> icache;
  tlm_bus::port<block_control_if> block_control;
  tlm_bus::port<block_control_state_if> blocks;
  tlm_bus::port<instruction_pool_if> pool;

  tlm_bus::counter issued{"issued", "warp instructions", "instructions issued"};
  tlm_bus::counter multiplications_on_sfu{"multiplications_on_sfu", "warp instructions",
                                          "fp32 multiplications sent to the SFUs"};
  tlm_bus::counter thread_instructions{"thread_instructions", "thread instructions",
                                       "active lanes of the issued instructions"};

  issue(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
        unsigned sm_in_tpc, unsigned sm_in_chip = 0);

  void tick() override;
  void release(warp_mask warps) override;
  // fetch
  unsigned first(unsigned scheduler, warp_mask candidates) override;
  unsigned rank(unsigned scheduler, unsigned warp) override;
  const tlm_bus::registered_signal<warp_observation>& observed() const override { return observed_; }

  // Another policy in place of the present one, before the first launch.
  void use(unsigned index, std::unique_ptr<scheduler> policy) { schedulers_[index].policy = std::move(policy); }

  tlm_bus::tap<arbitration_observer>& observers(unsigned scheduler) { return schedulers_[scheduler].observers; }

  // Slots charged to each cause up to (not including) core cycle `until`, [stall_cause::none] being the issued
  // ones. The sum for one scheduler is `until`.
  unsigned schedulers() const { return static_cast<unsigned>(schedulers_.size()); }
  const scheduler& policy(unsigned scheduler) const { return *schedulers_[scheduler].policy; }
  slot_counts slots_until(unsigned scheduler, tlm_bus::cycle_t until) const;
  // The same slots of all schedulers by warp and instruction; those with no resident warp are left out.
  slot_profile profile_until(tlm_bus::cycle_t until) const;
  // Resident warps summed over the same cycles.
  std::uint64_t resident_warp_cycles_until(tlm_bus::cycle_t until) const;
  // Of these, warps with an empty buffer whose fetch waits for the instruction cache.
  std::uint64_t miss_starved_warp_cycles_until(tlm_bus::cycle_t until) const;

  const char* kind() const override { return "issue"; }
  // To what a slot would be charged if this warp, which is unfinished, were to blame.
  stall_cause waits_for(unsigned warp) { return cause_of(warp, ready_warps()); }
  // Where the warp's last issued instruction stands; 0 before its first.
  isa::code_address last_issued(unsigned warp) const { return last_pc_[warp]; }
  void publish(tlm_bus::signal_writer& to) override;

 private:
  // Number of the scheduler that comes `i` (at most schedulers()) after the first one.
  unsigned in_turn(unsigned i) const { return first_ + i < schedulers() ? first_ + i : first_ + i - schedulers(); }
  warp_mask ready_warps() const { return warps_->ready.read(cycle()); }
  warp_mask occupied_warps() const { return warps_->occupied.read(cycle()); }
  warp_mask unfinished_warps() const { return unfinished_->read(cycle()); }
  struct scheduler_state {
    warp_mask warps = 0;
    std::unique_ptr<scheduler> policy;
    tlm_bus::tap<arbitration_observer> observers;
    int picked = -1;    // warp that went in the last tick, not told to the policy yet
    slot_use sleeping;  // what its slots are charged to while this stage sleeps
    slot_counts slots{};
  };
  void end_of_elaboration() override;
  void start_of_simulation() override;
  void settle();
  warp_observation observation();
  bool waits_long(unsigned warp);
  warp_mask awaited_of(warp_mask unfinished, warp_mask waiting);
  warp_mask issuable(warp_mask ready);
  bool class_has_room(collector_class c);
  slot_use run(scheduler_state& s, warp_mask ready, warp_mask probed, bool port_taken);
  slot_use issue_from(unsigned warp);
  stall_cause cause_of(unsigned warp, warp_mask ready);
  std::uint64_t state_of(unsigned warp);
  warp_mask moved_warps(tlm_bus::signal_writer& to);
  slot_use use_of_empty_slot(const scheduler_state& s);
  slot_use lost_by(unsigned warp, stall_cause cause);
  void charge(tlm_bus::cycle_t cycles);
  unsigned starved_warps();

  // What is needed in every cycle comes first and together, for the host's cache: ports are large objects, each in
  // a place of its own.
  alignas(64) const instruction_buffer_issue_if::warp_signals* warps_ = nullptr;
  const warp_signal* resident_ = nullptr;
  const warp_signal* unfinished_ = nullptr;
  const warp_signal* missing_ = nullptr;  // in the instruction cache
  const warp_signal* scoreboard_full_ = nullptr;
  tlm_bus::registered<warp_mask> at_barrier_;
  warp_mask known_resident_ = 0;
  tlm_bus::cycle_t settled_at_ = tlm_bus::no_cycle;
  tlm_bus::cycle_t accounted_until_ = 0;  // cycles before this one are charged
  std::vector<scheduler_state> schedulers_;
  unsigned first_ = 0;      // who chooses first
  unsigned residents_ = 0;  // warps in known_resident_
  bool probes_;             // the scoreboard does not see every warp in every cycle, or counts its looks
  bool single_port_;        // one dispatch port in all
  bool observes_ = false;
  std::uint8_t sm_;
  unsigned sleeping_warps_ = 0;  // in every cycle from accounted_until_ on
  unsigned sleeping_starved_ = 0;
  std::uint64_t resident_warp_cycles_ = 0;
  std::uint64_t miss_starved_warp_cycles_ = 0;

  std::uint64_t sequence_ = 0;
  unit_booking booking_;
  std::array<tlm_bus::pipe_out<issued_token>*, collector_classes> pipes_;

  warp_observation seen_;
  tlm_bus::registered_signal<warp_observation> observed_;
  slot_profile profile_;
  std::array<std::uint32_t, 64> last_pc_{};  // issued last, by warp
};

}  // namespace gt200::model
