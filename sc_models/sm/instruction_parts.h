// Parts of memory instructions whose lanes reach several memories. A part is a warp instruction with the lanes that
// reach one of them. It goes its way alone, and what it brings back becomes that of the instruction, which ends
// with the last of its parts.
#pragma once

#include <algorithm>
#include <vector>

#include "sc_models/warp_instruction.h"
#include "tlm_bus/pool.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

class instruction_parts {
 public:
  // A part of `whole` with these lanes.
  warp_instruction& take(warp_instruction& whole, isa::lane_mask lanes) {
    warp_instruction& part = *pool_.get();
    part = whole;
    part.executed = lanes;
    under_way_.push_back({&part, &whole});
    return part;
  }

  bool any() const { return !under_way_.empty(); }
  bool is_part(const warp_instruction& operation) const {
    return std::any_of(under_way_.begin(), under_way_.end(), [&](const entry& e) { return e.part == &operation; });
  }
  // An instruction or a part has come to its end. Returns the instruction that has; null: it has parts under way.
  warp_instruction* ended(warp_instruction& operation) {
    const auto found =
        std::find_if(under_way_.begin(), under_way_.end(), [&](const entry& e) { return e.part == &operation; });
    if (found == under_way_.end()) return &operation;
    warp_instruction& whole = *found->whole;
    join(operation, whole);
    under_way_.erase(found);
    pool_.put(&operation);
    const bool is_last =
        std::none_of(under_way_.begin(), under_way_.end(), [&](const entry& e) { return e.whole == &whole; });
    return is_last ? &whole : nullptr;
  }

  void visit_state(tlm_bus::state_image& state) {
    state(pool_);
    state.at_reset([this] { under_way_.clear(); });
  }

 private:
  struct entry {
    warp_instruction* part;
    warp_instruction* whole;
  };

  static void join(const warp_instruction& part, warp_instruction& whole) {
    for (unsigned row = 0; row < whole.instruction->general_writes; ++row)
      for (const unsigned lane : set_bits(part.executed))
        whole.values.destination[row].lane[lane] = part.values.destination[row].lane[lane];
    if (part.fault == arch_state::fault_kind::none || whole.fault != arch_state::fault_kind::none) return;
    whole.fault = part.fault;
    whole.fault_lanes = part.fault_lanes;
    whole.fault_address = part.fault_address;
  }

  tlm_bus::pool<warp_instruction> pool_;
  std::vector<entry> under_way_;
};

}  // namespace gt200::model
