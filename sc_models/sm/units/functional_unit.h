// One functional unit: an SP, an SFU or the DP unit. It takes the operands of lanes and gives their results.
//
// Its group sends it one transaction for each lane, in the shader cycle in which the lane enters (detail `lane`).
// It calculates the lane and hands the result to write-back's latch in the last cycle of its pipeline; the latch
// has it one cycle later. Each result port of the group has a pipeline of its own length (config/lane_beats.h).
// Lanes whose predicate is false pass without a result. Several lanes may enter in one cycle: an SFU has four
// multipliers. An SP can be RTL (sc_models/sm/cosimulation/watched_sp.h).
//
// Which lanes a unit takes: SP k takes lane k of every group of eight lanes; SFU 0 takes the lower and SFU 1 the
// upper four lanes of every such group; the DP unit takes one lane after the other. Source: CUDA guide 4.2 (8 SPs,
// 2 SFUs, 1 DP unit); lanes per SFU: Lindholm 2008.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/cosimulation/watched_sp.h"
#include "sc_models/sm/units/unit_list.h"
#include "sc_models/sm/units/unit_transactions.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

class unit_arithmetic;

class functional_unit : public shader_stage,
                        public tlm_bus::signal_source,
                        public tlm_bus::transaction_target<lane_operation> {
 public:
  tlm_bus::transaction_in<lane_operation> operands;
  tlm_bus::transaction_out<lane_result> result;

  // Makes the RTL of a unit, given its number in the group and its name; null if it has none.
  using rtl_maker = std::function<std::unique_ptr<watched_sp>(unsigned number, const std::string& name)>;

  // Unit `number` of the group.
  functional_unit(const sc_core::sc_module_name& name, tlm_bus::clock_domain& shader, const unit_descriptor& group,
                  unsigned number, const rtl_maker& make_rtl = {});

  void transport(lane_operation& operation) override;
  // As in group_datapath.
  void use(unit_arithmetic* own) { own_ = own; }
  void tick() override;
  // The pins of its RTL.
  void publish(tlm_bus::signal_writer& to) override {
    if (rtl_ != nullptr) rtl_->publish(to);
  }

  // Its RTL; null if it has none.
  watched_sp* rtl() const { return rtl_.get(); }

  // The lanes that this unit works on, in the order in which they pass.
  const std::vector<std::uint8_t>& lanes() const { return lanes_; }

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "functional_unit"; }

 private:
  struct in_pipeline {
    shader_cycle leaves_at;
    lane_result result;
    const isa::instruction* in_rtl = nullptr;  // the instruction, if the RTL calculates the lane
    isa::code_address pc = 0;
  };
  // Results of one port, oldest first, in a ring.
  struct pipeline {
    shader_cycles length;
    std::vector<in_pipeline> ring;
    std::size_t head = 0;
    std::size_t used = 0;
  };
  // Without values unless the model calculates them.
  lane_result result_of(const lane_operation& operation, bool by_model);
  void leave(in_pipeline& lane);

  std::vector<std::uint8_t> lanes_;
  std::vector<pipeline> pipelines_;  // by result port
  isa::lane_bundle work_{};          // operands and results of the lane being calculated
  std::unique_ptr<watched_sp> rtl_;
  unit_arithmetic* own_ = nullptr;
};

}  // namespace gt200::model
