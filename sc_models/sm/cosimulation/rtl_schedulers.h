// The issue arbiter as RTL, in place of the SystemC policy or beside it. For lrr and gto.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "rtl_ref/issue_arbiter/pins.h"
#include "sc_models/sm/cosimulation/lockstep_comparison.h"
#include "sc_models/sm/schedulers/scheduler.h"

namespace gt200::model {

// The RTL on the model's clock. The issued and started warps of a cycle are complete only after the next clock
// edge. So the next query ends the RTL's cycle. Cycles without activity cost nothing, because the RTL's clock
// stands still, unless it is to run freely.
class rtl_arbiter {
 public:
  rtl_arbiter(const tlm_bus::clock_domain& domain, std::unique_ptr<rtl::arbiter_pins> pins,
              bool free_running = false)
      : domain_(domain), pins_(std::move(pins)), free_running_(free_running) {}

  int grant(warp_mask candidates) {
    end_cycle();
    return pins_->grant(candidates);
  }
  void accept(warp_slot warp) {
    begin();
    pins_->accept(warp.index());
    accepted_ = warp_bit(warp);
  }
  void start(warp_slot warp) {
    begin();
    pins_->start(warp.index());
    started_ |= warp_bit(warp);
  }
  // The inputs of the last edge with activity, and the core cycle that it began.
  void publish(tlm_bus::signal_writer& to) const {
    to.number("rtl.edge", 64, told_at_);
    to.mask("rtl.accepted", max_warps, accepted_);
    to.mask("rtl.start", max_warps, started_);
  }

 private:
  void begin() {
    if (cycle_ != domain_.cycle()) {
      end_cycle();
      accepted_ = started_ = 0;
    }
    cycle_ = told_at_ = domain_.cycle();
  }
  void end_cycle() {
    if (cycle_ != tlm_bus::no_cycle) {
      pins_->edge();
      reached_ = cycle_ + 1;
    }
    cycle_ = tlm_bus::no_cycle;
    if (free_running_)
      for (; reached_ < domain_.cycle(); ++reached_) pins_->edge();
  }

  const tlm_bus::clock_domain& domain_;
  std::unique_ptr<rtl::arbiter_pins> pins_;
  bool free_running_;                           // its clock has an edge in every cycle (tpc.sm.rtl.clock)
  tlm_bus::cycle_t reached_ = 0;                // the RTL's cycle, if its clock runs freely
  tlm_bus::cycle_t cycle_ = tlm_bus::no_cycle;  // the cycle in which the model set the inputs for the next edge
  tlm_bus::cycle_t told_at_ = 0;                // the last cycle in which it did so
  warp_mask accepted_ = 0;
  warp_mask started_ = 0;
};

// A policy with RTL whose answers are checked.
class watched_scheduler : public scheduler {
 public:
  lockstep_comparison& comparison() const { return *comparison_; }
  void publish_rtl(tlm_bus::signal_writer& to) const override { rtl_->publish(to); }

 protected:
  // `warps` of the SM.
  watched_scheduler(std::unique_ptr<rtl_arbiter> rtl, lockstep_comparison comparison, unsigned warps);
  std::string queue_of_rtl() const;

  std::unique_ptr<rtl_arbiter> rtl_;
  std::unique_ptr<lockstep_comparison> comparison_;
  unsigned warps_;
};

// The RTL alone. If it grants no warp, or a warp that does not request, the run ends with a report of that.
class rtl_scheduler final : public watched_scheduler {
 public:
  rtl_scheduler(std::unique_ptr<rtl_arbiter> rtl, lockstep_comparison comparison, unsigned warps)
      : watched_scheduler(std::move(rtl), std::move(comparison), warps) {}

  warp_slot pick(warp_mask candidates) const override;
  void picked(warp_slot warp) override { rtl_->accept(warp); }
  void started(warp_slot warp) override { rtl_->start(warp); }
};

// Every grant is compared; the chip uses the model's grant.
class lockstep_scheduler final : public watched_scheduler {
 public:
  struct oldest_instruction {
    isa::code_address pc = 0;
    const isa::instruction* instruction = nullptr;  // null if the warp's buffer is empty
  };
  // `waiting` returns the oldest buffered instruction of a warp, for the report.
  lockstep_scheduler(std::unique_ptr<scheduler> model, std::unique_ptr<rtl_arbiter> rtl,
                     lockstep_comparison comparison, unsigned warps,
                     std::function<oldest_instruction(warp_slot)> waiting);

  warp_slot pick(warp_mask candidates) const override;
  void picked(warp_slot warp) override;
  void started(warp_slot warp) override;

 private:
  std::string describe(warp_mask candidates, warp_slot expected, int got) const;

  std::unique_ptr<scheduler> model_;
  std::function<oldest_instruction(warp_slot)> waiting_;
};

// Creates the policy of this scheduler of the module `module` according to tpc.sm.scheduler.model and
// tpc.sm.rtl.sms. Throws input_error if there is no such RTL.
std::unique_ptr<scheduler> make_issue_scheduler(
    config::warp_policy policy, const config::sm_config& config, const tlm_bus::clock_domain& domain,
    unsigned sm_in_chip, const char* module,
    std::function<lockstep_scheduler::oldest_instruction(warp_slot)> waiting);

}  // namespace gt200::model
