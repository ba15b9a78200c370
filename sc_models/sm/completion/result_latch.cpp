#include "sc_models/sm/completion/result_latch.h"

#include <stdexcept>

#include "toolchain/arch_state/lane_rows.h"

namespace gt200::model {

result_latch::entry& result_latch::entry_of(std::uint64_t id) {
  for (unsigned i = 0; i < used_; ++i)
    if (entries_[i].id == id) return entries_[i];
  if (used_ == entries_.size()) entries_.emplace_back();
  entry& e = entries_[used_++];
  e.id = id;
  e.arrived = 0;
  e.by_beat = {};
  return e;
}

void result_latch::transport(lane_result& result) {
  entry& e = entry_of(result.id);
  if (!result.executed) return;
  const isa::lane_mask bit = isa::lane_mask{1} << result.lane;
  e.arrived |= bit;
  e.by_beat.lanes[result.beat] |= bit;
  if (result.beat >= e.by_beat.count) e.by_beat.count = result.beat + 1u;
  for (unsigned word = 0; word < result.destination.size(); ++word)
    e.destination[word].lane[result.lane] = result.destination[word];
  e.flags[result.lane] = result.flags_out;
  e.addresses[result.lane] = result.address_out;
  for (unsigned k = 0; k < e.predicates.size(); ++k) e.predicates[k][result.lane] = result.predicate_out[k];
}

result_latch::beats result_latch::take(warp_instruction& operation) {
  entry& e = entry_of(operation.id);
  const isa::lane_mask expected = operation.fault == arch_state::fault_kind::none ? operation.executed : 0;
  if (e.arrived != expected)
    throw std::logic_error(owner_ + ": instruction " + std::to_string(operation.id) +
                           " is written back, but not all of its lanes have left their units");
  isa::lane_bundle& values = operation.values;
  // An instruction without arithmetic only passes through: its values are no results of a unit.
  if (operation.instruction->execute != nullptr && expected != 0) {
    for (unsigned word = 0; word < 4; ++word)
      arch_state::write_row(values.destination[word].lane, e.destination[word].lane, expected);
    arch_state::write_row(values.flags_out, e.flags.data(), expected);
    arch_state::write_row(values.address_out, e.addresses.data(), expected);
    for (unsigned k = 0; k < e.predicates.size(); ++k)
      arch_state::write_row(values.predicate_out[k], e.predicates[k].data(), expected);
  }
  const beats result = e.by_beat;
  e = entries_[--used_];
  return result;
}

}  // namespace gt200::model
