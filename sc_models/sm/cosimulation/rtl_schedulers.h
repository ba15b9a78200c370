// The issue arbiter as RTL in place of the SystemC policy, or beside it. For lrr and gto.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "rtl_ref/issue_arbiter/pins.h"
#include "sc_models/sm/cosimulation/lockstep_comparison.h"
#include "sc_models/sm/schedulers/scheduler.h"

namespace gt200::model {

// The RTL on the model's clock. What went and what started is known at the edge after it, before anybody asks: the
// RTL's cycle ends with the next question. Cycles without any of that cost nothing; its clock stands still.
class rtl_arbiter {
 public:
  rtl_arbiter(const tlm_bus::clock_domain& domain, std::unique_ptr<rtl::arbiter_pins> pins)
      : domain_(domain), pins_(std::move(pins)) {}

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
  // What the last edge that did something was told, and the core cycle it began.
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
    if (cycle_ != tlm_bus::no_cycle) pins_->edge();
    cycle_ = tlm_bus::no_cycle;
  }

  const tlm_bus::clock_domain& domain_;
  std::unique_ptr<rtl::arbiter_pins> pins_;
  tlm_bus::cycle_t cycle_ = tlm_bus::no_cycle;  // in which the model told what the coming edge is to do
  tlm_bus::cycle_t told_at_ = 0;                // the last time it did
  warp_mask accepted_ = 0;
  warp_mask started_ = 0;
};

// A policy with RTL in it, whose answers are watched.
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

// The RTL alone. When it grants nobody, or a warp that does not request, the run ends with a report of that.
class rtl_scheduler final : public watched_scheduler {
 public:
  rtl_scheduler(std::unique_ptr<rtl_arbiter> rtl, lockstep_comparison comparison, unsigned warps)
      : watched_scheduler(std::move(rtl), std::move(comparison), warps) {}

  warp_slot pick(warp_mask candidates) const override;
  void picked(warp_slot warp) override { rtl_->accept(warp); }
  void started(warp_slot warp) override { rtl_->start(warp); }
};

// Every grant is compared; the model's counts.
class lockstep_scheduler final : public watched_scheduler {
 public:
  struct oldest_instruction {
    isa::code_address pc = 0;
    const isa::instruction* instruction = nullptr;  // null: the warp's buffer is empty
  };
  // `waiting` tells of a warp's oldest buffered instruction, for the report.
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

// The policy of this scheduler as tpc.sm.scheduler.model and tpc.sm.rtl.sms want it. Throws input_error when this
// build has no such RTL.
std::unique_ptr<scheduler> make_issue_scheduler(
    config::warp_policy policy, const config::sm_config& config, const tlm_bus::clock_domain& domain,
    unsigned sm_in_chip, std::function<lockstep_scheduler::oldest_instruction(warp_slot)> waiting);

}  // namespace gt200::model
