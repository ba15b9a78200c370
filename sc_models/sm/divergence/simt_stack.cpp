#include "sc_models/sm/divergence/simt_stack.h"

#include "tlm_bus/state_image.h"

namespace gt200::model {

simt_stack::simt_stack(const sc_core::sc_module_name& name, const config::sm_config& config,
                       const arch_state::generation& generation)
    : sc_core::sc_module(name), generation_(generation) {
  for (unsigned warp = 0; warp < config.limits.warps; ++warp) warps_.push_back(generation.make_divergence());
}

arch_state::control_result simt_stack::enter(warp_slot warp, isa::code_address pc,
                                             const isa::instruction& instruction) {
  arch_state::divergence& stack = *warps_[warp.index()];
  stack.advance(pc - stack.pc());
  const arch_state::control_result result = stack.enter(instruction);
  moved(warp);
  return result;
}

arch_state::control_result simt_stack::execute(warp_slot warp, isa::code_address pc,
                                               const isa::instruction& instruction, isa::lane_mask selected) {
  arch_state::divergence& stack = *warps_[warp.index()];
  stack.advance(pc - stack.pc());  // straight-line code in between does not affect the stack
  const arch_state::control_result result = stack.execute(instruction, selected);
  moved(warp);
  return result;
}

arch_state::control_result simt_stack::execute_indirect(warp_slot warp, isa::code_address pc,
                                                        const isa::instruction& instruction,
                                                        isa::lane_mask selected, const isa::lane_words& targets) {
  arch_state::divergence& stack = *warps_[warp.index()];
  stack.advance(pc - stack.pc());
  const arch_state::control_result result = stack.execute_indirect(instruction, selected, targets);
  moved(warp);
  return result;
}

void simt_stack::move_state(warp_slot warp, const isa::instruction& instruction, isa::lane_bundle& values,
                            isa::lane_mask selected) {
  warps_[warp.index()]->move_state(instruction, values, selected);
  moved(warp);
}

arch_state::control_result simt_stack::arrive(warp_slot warp, isa::code_address pc,
                                              const isa::instruction& instruction, bool waits) {
  arch_state::divergence& paths = *warps_[warp.index()];
  paths.advance(pc + instruction.length - paths.pc());
  if (waits) paths.wait_at_block_barrier(instruction.barrier.id);
  moved(warp);
  arch_state::control_result result;
  result.pc = paths.pc();
  result.mask = paths.active_mask();
  return result;
}

arch_state::control_result simt_stack::release(warp_slot warp, unsigned barrier, isa::lane_mask lanes) {
  arch_state::divergence& paths = *warps_[warp.index()];
  const bool was_running = paths.active_mask() != 0;
  paths.release_block_barrier(barrier, lanes);
  moved(warp);
  arch_state::control_result result;
  result.pc = paths.pc();
  result.mask = was_running ? 0 : paths.active_mask();
  return result;
}

void simt_stack::publish(tlm_bus::signal_writer& to) {
  to.array("warp", static_cast<unsigned>(warps_.size()), [&](unsigned warp) {
    to.mask("active", isa::warp_size, active_[warp]);
    to.number("depth", 16, warps_[warp]->depth());
  });
}

void simt_stack::visit_state(tlm_bus::state_image& state) {
  state.fixed(blocks_);
  for (auto& warp : warps_) state.remake(warp, [this] { return generation_.make_divergence(); });
  state(active_, idle_);
}

}  // namespace gt200::model
