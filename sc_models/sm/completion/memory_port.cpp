#include "sc_models/sm/completion/memory_port.h"

#include "sc_models/sm/bank_steps.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

memory_port::memory_port(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                         const config::sm_config& config, lane_share share)
    : core_stage(name, domain),
      in("in", *this, config.memory_port.queue_entries),
      from_stack("from_stack", *this, config.memory_port.queue_entries),
      out("out", *this),
      nothing_to_do("nothing_to_do", *this),
      l1("l1"),
      interval_(config.clocks.to_core(config.memory_port.interval_cycles)),
      share_(share) {}

// An instruction with an access does; one that controls lines only if there are caches that may hold them.
bool memory_port::goes_out(const warp_instruction& operation) const {
  const isa::memory_access& access = operation.instruction->access;
  if (operation.executed == 0 || operation.fault != arch_state::fault_kind::none) return false;
  if (access.kind != isa::access_kind::none) return true;
  return access.line != isa::line_action::none && operation.space() != isa::memory_space::shared &&
         (access.prefetches() || l1.size() != 0);
}

void memory_port::tick() {
  // Entries of divergence stacks have priority, because their warp, or the branch unit, waits for them.
  auto& from = from_stack.front() != nullptr ? from_stack : in;
  const collected_token* token = from.front();
  if (token == nullptr) return;
  warp_instruction& operation = *token->operation;
  if (!goes_out(operation)) {
    if (!nothing_to_do.can_send()) return;
    if (operation.executed != 0 && operation.instruction->access.drops_lines && l1.size() != 0)
      l1->drop_clean_lines();
    nothing_to_do.send({&operation});
    from.pop();
    return;
  }
  if (cycle() < free_at_) {
    wake_at(free_at_);
    return;
  }
  if (!out.can_send()) return;
  out.send({&operation});
  free_at_ = cycle() + share_.cycles(interval_, half_warp_lanes, operation.executed);
  ++operations;
  from.pop();
  if (&from == &from_stack && in.occupancy() != 0) wake_next();
}

void memory_port::visit_state(tlm_bus::state_image& state) {
  state.fixed(interval_, share_);
  state(queue_, free_at_);
}

}  // namespace gt200::model
