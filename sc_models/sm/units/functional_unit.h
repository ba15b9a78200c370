// One functional unit of a group, such as an SP, an SFU or the DP unit. Shows which lanes it works on.
//
// A warp instruction passes through the units of a group in steps. SP k takes lane k of every group of eight lanes;
// SFU 0 takes the lower and SFU 1 the upper four lanes of every such group; the DP unit takes one lane after the
// other. The results of all 32 lanes are calculated at once; the steps exist for observers. Source: CUDA guide 4.2
// (8 SPs, 2 SFUs, 1 DP unit); lanes per SFU: Lindholm 2008.
#pragma once

#include <cstdint>
#include <systemc>

#include "sc_models/sm/clocked_stage.h"
#include "tlm_bus/port.h"
#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::model {

// One instruction in a group of units.
struct unit_activity {
  std::uint64_t instruction = 0;  // id
  isa::lane_mask executed = 0;
  unsigned lanes_per_step = 1;  // of the whole group
  shader_cycle started_at;
  shader_cycles occupied_for;  // until the group is free again; 0 = nothing
  bool packed = false;         // the executed lanes pass as if they were the first ones of the warp
};

class unit_activity_if : public virtual sc_core::sc_interface {
 public:
  // Null if the group is idle in this shader cycle. Valid for the current and the last cycle.
  virtual const unit_activity* activity_at(shader_cycle cycle) const = 0;
};

class functional_unit : public sc_core::sc_module {
 public:
  tlm_bus::port<unit_activity_if> group;

  // Unit `number` of `unit_count` equal units, which divide the 32 lanes in groups of `lanes_per_unit` neighbours.
  functional_unit(const sc_core::sc_module_name& name, unsigned number, unsigned unit_count,
                  unsigned lanes_per_unit);

  // Lanes of the warp that pass through this unit in the current or the last shader cycle; 0 if it is idle.
  isa::lane_mask lanes_at(shader_cycle cycle) const;

  // All lanes this unit ever works on.
  isa::lane_mask served() const { return served_; }

  const char* kind() const override { return "functional_unit"; }

 private:
  unsigned unit_count_;
  isa::lane_mask served_ = 0;
};

}  // namespace gt200::model
