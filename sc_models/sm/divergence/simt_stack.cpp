#include "sc_models/sm/divergence/simt_stack.h"

namespace gt200::model {

emulator::divergence_options divergence_options_of(const config::simt_stack_config& config) {
  emulator::divergence_options options;
  options.mechanism = config.mechanism == config::stack_mechanism::pdom ? emulator::stack_mechanism::pdom
                                                                        : emulator::stack_mechanism::typed_tokens;
  switch (config.first_path) {
    case config::first_path::last_in_program: options.first = emulator::first_path::last_in_program; break;
    case config::first_path::taken: options.first = emulator::first_path::taken; break;
    case config::first_path::fall_through: options.first = emulator::first_path::fall_through; break;
  }
  options.join =
      config.join == config::join_position::before ? emulator::join_moment::before : emulator::join_moment::after;
  options.on_chip_entries = config.entries;
  options.maximum_entries = config.maximum_entries;
  options.call_limit = config.call_limit;
  return options;
}

simt_stack::simt_stack(const sc_core::sc_module_name& name, const config::sm_config& config)
    : sc_core::sc_module(name),
      warps_(config.limits.warps, emulator::simt_stack(divergence_options_of(config.simt_stack))) {}

emulator::control_result simt_stack::enter(unsigned warp, isa::code_address pc,
                                           const isa::instruction& instruction) {
  emulator::simt_stack& stack = warps_[warp];
  stack.advance(pc - stack.pc());
  parts_.moved(warp);
  return stack.enter(instruction);
}

emulator::control_result simt_stack::execute(unsigned warp, isa::code_address pc,
                                             const isa::instruction& instruction, isa::lane_mask selected) {
  emulator::simt_stack& stack = warps_[warp];
  stack.advance(pc - stack.pc());  // straight-line code in between does not concern the stack
  parts_.moved(warp);
  return stack.execute(instruction, selected);
}

void simt_stack::publish(tlm_bus::signal_writer& to) {
  to.array("warp", static_cast<unsigned>(warps_.size()), [&](unsigned warp) {
    to.mask("active", isa::warp_size, warps_[warp].active_mask());
    to.number("depth", 16, warps_[warp].depth());
  });
}

}  // namespace gt200::model
