// The coalescer of a TPC as RTL: in place of the coalescing rules of the model, or beside them.
//
// The RTL's cycle ends when the model's cycle has ended. Cycles without a transaction cost nothing, because the
// RTL's clock stands still. The load/store queue always takes the transaction: the model asks for none while it
// cannot. What is around the half-warp stays with the model: which half and which word of a wide local access comes
// next, and the way from the virtual to the physical address.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "rtl_ref/coalescer/pins.h"
#include "sc_models/config/tpc_config.h"
#include "sc_models/memory_path/access_tokens.h"
#include "sc_models/memory_path/coalescing.h"
#include "sc_models/sm/cosimulation/lockstep_comparison.h"
#include "tlm_bus/clock_domain.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

class watched_coalescer {
 public:
  // `comparisons`: one for each SM of the TPC.
  watched_coalescer(const tlm_bus::clock_domain& uncore, rtl::coalescer_rule rule,
                    std::unique_ptr<rtl::coalescer_pins> pins, std::vector<lockstep_comparison> comparisons);
  virtual ~watched_coalescer() = default;

  // The next half-warp, whose transactions follow. `half` of the access, `pass`: word of a wide local access.
  void start(const memory_access& access, unsigned half, unsigned pass);
  // The transaction of this cycle is segment number `next` of the half-warp.
  virtual void next(segment_list& segments, unsigned next) = 0;
  // The RTL's transactions replace those of the model.
  virtual bool alone() const = 0;

  std::vector<lockstep_comparison>& comparisons() { return comparisons_; }
  // As in watched_sp.
  using maker = std::function<std::unique_ptr<rtl::coalescer_pins>()>;
  void made_by(maker make) { make_pins_ = std::move(make); }
  bool can_be_reset() const { return make_pins_ != nullptr; }
  void visit_state(tlm_bus::state_image& state) {
    state.fixed(rule_, make_pins_, free_running_);
    state.remake(pins_, [this] { return make_pins_(); });
    state(comparisons_, cycle_, access_, half_, pass_, half_warp_, left_);
  }
  // The RTL's clock has an edge in every cycle (tpc.sm.rtl.clock), and not only in those in which it works.
  void run_freely() { free_running_ = true; }
  // The pins, and the uncore cycle in which they were last driven.
  void publish(tlm_bus::signal_writer& to) const;

 protected:
  using transaction = rtl::coalescer_pins::transaction;

  // The RTL's transaction of this cycle, which is taken.
  transaction answer();
  // Of the SM whose access this is.
  lockstep_comparison& comparison() { return comparisons_[access_->operation->sm]; }
  // Reports the transaction: `complaint` says what is wrong, `answers` are lines of both sides.
  void differs(const char* complaint, unsigned number, const std::string& answers, lockstep_difference::kind what);

  rtl::coalescer_rule rule() const { return rule_; }
  const rtl::coalescer_pins::half_warp& half_warp() const { return half_warp_; }
  std::uint16_t left() const { return left_; }  // lanes that no transaction of the chip has served
  void served(std::uint16_t lanes) { left_ = static_cast<std::uint16_t>(left_ & ~lanes); }

 private:
  void begin();

  const tlm_bus::clock_domain& uncore_;
  rtl::coalescer_rule rule_;
  std::unique_ptr<rtl::coalescer_pins> pins_;
  maker make_pins_;
  bool free_running_ = false;
  std::vector<lockstep_comparison> comparisons_;
  tlm_bus::cycle_t cycle_ = tlm_bus::no_cycle;  // in which the pins were last driven
  const memory_access* access_ = nullptr;
  unsigned half_ = 0;
  unsigned pass_ = 0;
  rtl::coalescer_pins::half_warp half_warp_;
  std::uint16_t left_ = 0;
};

// The RTL alone. A transaction that no coalescer gives ends the run with a report.
class rtl_coalescer final : public watched_coalescer {
 public:
  using watched_coalescer::watched_coalescer;
  bool alone() const override { return true; }
  // Puts the RTL's transaction into the list. The list ends behind it, or one later if lanes are left.
  void next(segment_list& segments, unsigned next) override;

 private:
  const char* complaint_about(const transaction& got) const;
};

// Every transaction is compared; the chip uses the model's.
class lockstep_coalescer final : public watched_coalescer {
 public:
  lockstep_coalescer(const tlm_bus::clock_domain& uncore, rtl::coalescer_rule rule,
                     std::unique_ptr<rtl::coalescer_pins> pins, std::vector<lockstep_comparison> comparisons);
  bool alone() const override { return false; }
  void next(segment_list& segments, unsigned next) override;
};

// According to tpc.memory.coalescer.model and tpc.sm.rtl, for TPC number `tpc` of `sms` SMs; null: the model alone.
// Throws input_error if the RTL cannot be had.
std::unique_ptr<watched_coalescer> make_watched_coalescer(const tlm_bus::clock_domain& uncore,
                                                          const tlm_bus::clock_domain& core,
                                                          const config::tpc_config& config, unsigned tpc,
                                                          unsigned sms);

}  // namespace gt200::model
