// How long the instructions issued so far reserve the execution units of an SM.
//
// Some instructions can be executed by more than one unit (unit_list.h, alternatives): an fp32 multiplication by
// the SPs and by the multipliers of the SFUs. It goes to the SFUs if the SPs are reserved and the SFUs are not. So
// a MAD and a multiplication can start in neighbouring issue slots ("dual issue", Kanter). Each instruction
// reserves its unit's data path for its initiation interval. The reservation starts at its issue, or when the unit
// has finished earlier instructions. This is an estimate, because operands may delay an instruction.
#pragma once

#include <algorithm>
#include <array>

#include "sc_models/sm/units/lane_share.h"
#include "sc_models/sm/units/unit_list.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

class unit_reservation {
 public:
  unit_reservation(const unit_list& units, const config::clock_ratio& clocks, lane_share share = {})
      : units_(units), clocks_(clocks), share_(share) {}

  // True if an instruction issued in this core cycle finds the alternative's unit free.
  bool is_open(const alternative_unit& alternative, core_cycle now) const;
  // True if it should issue there rather than to its own unit.
  bool is_preferred(const alternative_unit& alternative, core_cycle now) const;
  // The first core cycle in which is_open() holds if nothing else is issued.
  core_cycle open_at(const alternative_unit& alternative) const;
  // Records an issued instruction, which this unit will execute.
  void issued(unsigned unit, const isa::instruction& instruction, isa::lane_mask active, core_cycle now);

  void visit_state(tlm_bus::state_image& state) {
    state.fixed(clocks_, share_);
    state(until_);
  }

 private:
  shader_cycle until(unsigned unit) const { return until_[units_.units()[unit].data_path]; }

  const unit_list& units_;
  config::clock_ratio clocks_;
  lane_share share_;
  std::array<shader_cycle, max_units> until_{};  // by data path
};

inline bool unit_reservation::is_open(const alternative_unit& alternative, core_cycle now) const {
  return until(alternative.instead) <= clocks_.to_shader(now);
}

inline bool unit_reservation::is_preferred(const alternative_unit& alternative, core_cycle now) const {
  return until(alternative.own) > clocks_.to_shader(now) && is_open(alternative, now);
}

inline core_cycle unit_reservation::open_at(const alternative_unit& alternative) const {
  return clocks_.first_core_from(until(alternative.instead));
}

inline void unit_reservation::issued(unsigned unit, const isa::instruction& instruction, isa::lane_mask active,
                                     core_cycle now) {
  const unit_list::occupancy& o = units_.occupancy_of(unit, instruction.unit);
  const shader_cycles interval(instruction.reads_shared ? o.shared_operand_interval : o.interval);
  shader_cycle& until = until_[o.data_path];
  until = std::max(until, clocks_.to_shader(now)) + share_.cycles(interval, o.lanes_per_step, active);
}

}  // namespace gt200::model
