// An SP as RTL, in place of the model's arithmetic or beside it (tpc.sm.sp.model).
//
// The RTL gets each lane in the cycle in which it enters the SP, and its result leaves with the SP's pipeline: the
// RTL has one stage less than the pipeline is long, because the last cycle hands the result on. Its clock stands
// still while nothing is in it. What the RTL lacks (rtl_ref/sp/control.h: supported()) and lanes of instructions
// that look at other lanes pass beside it, in the model, and are counted.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rtl_ref/sp/sp.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/cosimulation/lockstep_comparison.h"
#include "sc_models/sm/units/unit_list.h"
#include "sc_models/sm/units/unit_transactions.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

class watched_sp {
 public:
  tlm_bus::counter rtl_operations{"rtl_operations", "lanes", "lanes that the RTL calculated"};
  tlm_bus::counter rtl_bypassed{"rtl_bypassed", "lanes", "lanes that passed beside the RTL, in the model"};

  // `alone`: the RTL's results are used; otherwise they are compared with the model's. Create it within the
  // constructor of the SP, to which the counters then belong. `sp`: its name, for reports.
  watched_sp(const tlm_bus::clock_domain& shader, std::string sp, bool alone, lockstep_comparison comparison,
             std::unique_ptr<rtl::sp_pins> pins);

  // Makes the same RTL again, in reset, for a reset of the chip.
  using maker = std::function<std::unique_ptr<rtl::sp_pins>()>;
  void made_by(maker make) { make_pins_ = std::move(make); }
  bool can_be_reset() const { return make_pins_ != nullptr; }
  void visit_state(tlm_bus::state_image& state) {
    state.fixed(sp_, alone_, make_pins_, free_running_);
    state.remake(pins_, [this] { return make_pins_(); });
    state(comparison_, cycle_, empty_from_, instruction_, is_supported_, control_, driven_, in_pipeline_, oldest_,
          youngest_, left_);
  }

  // The RTL's clock has an edge in every cycle (tpc.sm.rtl.clock), and not only while something is in the pipeline.
  void run_freely() { free_running_ = true; }
  bool alone() const { return alone_; }
  lockstep_comparison& comparison() { return comparison_; }

  // A lane enters in this cycle. Returns true if the RTL calculates it.
  bool start(const lane_operation& operation);
  // The result of the oldest lane in the RTL leaves in this cycle. Sets it, or compares it with the one that is
  // set.
  void finish(const isa::instruction& instruction, isa::code_address pc, lane_result& result);

  // The pins as they were driven last.
  void publish(tlm_bus::signal_writer& to) const;

 private:
  void clock_until(tlm_bus::cycle_t cycle);
  void compare(const isa::instruction& instruction, isa::code_address pc, const lane_result& model,
               const rtl::lane_operands& operands, const rtl::lane_result* got);
  // One line: the lane and what entered the RTL for it.
  static std::string text_of(const lane_result& lane, const rtl::lane_operands& operands);

  const tlm_bus::clock_domain& shader_;
  std::string sp_;
  bool alone_;
  lockstep_comparison comparison_;
  std::unique_ptr<rtl::sp_pins> pins_;
  maker make_pins_;
  bool free_running_ = false;
  tlm_bus::cycle_t cycle_ = 0;       // of the RTL
  tlm_bus::cycle_t empty_from_ = 0;  // nothing is in the pipeline from this cycle on

  // Of the instruction that entered last.
  const isa::instruction* instruction_ = nullptr;
  bool is_supported_ = false;
  rtl::sp_control control_;

  lane_operation driven_;  // the lane that entered last
  // The operands of the lanes in the RTL, in a ring, for reports.
  std::vector<rtl::lane_operands> in_pipeline_;
  std::size_t oldest_ = 0;    // the lane that leaves next
  std::size_t youngest_ = 0;  // where the lane that enters next goes
  rtl::lane_result left_;     // the result that left last
};

// Stages of the RTL's pipeline, for the SPs of this group. Throws input_error if their pipeline is too short for
// RTL.
unsigned rtl_depth_of(const unit_descriptor& group);

// Whether units of this group may have RTL in this SM.
bool may_be_watched(const config::sm_config& config, const unit_descriptor& group, unsigned sm_in_chip);

// The RTL of unit `number` of a group according to tpc.sm.sp.model, tpc.sm.sp.rtl_units and tpc.sm.rtl.sms; null if
// it has none. `unit`: the name of its module. Throws input_error if the pipeline is too short for RTL, or if the
// RTL cannot be had.
std::unique_ptr<watched_sp> make_watched_sp(const config::sm_config& config, const unit_descriptor& group,
                                            unsigned number, const std::string& unit,
                                            const tlm_bus::clock_domain& shader, const tlm_bus::clock_domain& core,
                                            unsigned sm_in_chip);

}  // namespace gt200::model
