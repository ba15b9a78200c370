// What an instruction occupies of a part that is made for a whole warp.
//
// Hardware charges every instruction for 32 lanes, whichever of them execute; with tpc.sm.issue.drops_unexecuted
// one that none executes takes one step. Under idealisations.no_divergence_cost an instruction is charged for its
// own lanes only, as if they had been packed closely with lanes of other warps before; an instruction without lanes
// takes one step. One that executes with all lanes is charged the same in both cases. Source: the MIMD bound to
// which papers on divergence compare themselves (Fung et al., Dynamic warp formation, MICRO 2007); that only lanes
// are packed and paths still follow each other: assumption, it keeps the order in which a program executes.
#pragma once

#include "sc_models/config/cycles.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::model {

class lane_share {
 public:
  lane_share() = default;
  explicit lane_share(bool own_lanes_only, bool drops_unexecuted = false)
      : own_lanes_only_(own_lanes_only), drops_unexecuted_(drops_unexecuted) {}

  bool own_lanes_only() const { return own_lanes_only_; }

  // Lanes that the instruction is charged for.
  unsigned lanes(isa::lane_mask executing) const { return own_lanes_only_ ? count(executing) : isa::warp_size; }
  // Whether the instruction is charged for less than a warp.
  bool is_part(isa::lane_mask executing) const {
    if (!(own_lanes_only_ | drops_unexecuted_)) return false;
    return (own_lanes_only_ && executing != ~isa::lane_mask{0}) || (drops_unexecuted_ && executing == 0);
  }
  // Cycles for which the instruction occupies a part that works on `lanes_per_step` lanes at once and is occupied
  // by a whole warp for `of_warp` cycles. At least one step.
  template <class Clock>
  timed::cycle_count<Clock> cycles(timed::cycle_count<Clock> of_warp, unsigned lanes_per_step,
                                   isa::lane_mask executing) const {
    if (!is_part(executing)) return of_warp;
    const unsigned steps_of_warp = in_steps(isa::warp_size, lanes_per_step);
    const unsigned steps = executing == 0 ? 1 : in_steps(lanes(executing), lanes_per_step);
    return timed::cycle_count<Clock>((of_warp.count() * steps + steps_of_warp - 1) / steps_of_warp);
  }

 private:
  // Apart, or compilers count the lanes of every instruction, charged or not.
  [[gnu::noinline]] static unsigned count(isa::lane_mask lanes) {
    return static_cast<unsigned>(__builtin_popcount(lanes));
  }
  static unsigned in_steps(unsigned lanes, unsigned lanes_per_step) {
    return (lanes + lanes_per_step - 1) / lanes_per_step;
  }

  bool own_lanes_only_ = false;
  bool drops_unexecuted_ = false;
};

}  // namespace gt200::model
