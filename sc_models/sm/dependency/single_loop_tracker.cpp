#include "sc_models/sm/dependency/single_loop_tracker.h"

#include "sc_models/sm/units/unit_list.h"

namespace gt200::model {

dependency_tracker::lookup single_loop_tracker::enter(warp_slot warp, const isa::instruction&) {
  lookup result;
  result.entered = true;
  result.dependencies = under_way_[warp];
  return result;
}

std::uint64_t single_loop_tracker::issue(warp_slot warp, dependency_vectors& buffer) {
  under_way_[warp] = bit_of(cause_of_result(*buffer.at(warp, 0).instruction));
  for (unsigned i = 1; i < buffer.buffered(warp); ++i) buffer.set_dependencies(warp, i, under_way_[warp]);
  return 0;
}

void single_loop_tracker::complete(warp_slot warp, const isa::instruction&, std::uint64_t,
                                   dependency_vectors& buffer) {
  under_way_[warp] = 0;
  for (unsigned i = 0; i < buffer.buffered(warp); ++i) buffer.set_dependencies(warp, i, 0);
}

void single_loop_tracker::publish(warp_slot warp, tlm_bus::signal_writer& to) const {
  to.mask("under_way", 64, under_way_[warp]);
}

}  // namespace gt200::model
