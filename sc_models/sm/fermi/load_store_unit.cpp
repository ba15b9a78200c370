#include "sc_models/sm/fermi/load_store_unit.h"

#include "tlm_bus/state_image.h"
#include "toolchain/arch_state/generic_address.h"

namespace gt200::model {
namespace {

void set_fault(warp_instruction& operation, arch_state::fault_kind kind, isa::lane_mask lanes) {
  operation.fault = kind;
  operation.fault_lanes = lanes;
  operation.fault_address = operation.instruction->access.wide_address
                                ? arch_state::wide_address(operation.values, lanes)
                                : operation.values.address.lane[__builtin_ctz(lanes)];
}

}  // namespace

load_store_unit::load_store_unit(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                                 const config::sm_config& config, const arch_state::generation_values& generation,
                                 bool atomics_on_chip)
    : core_stage(name, domain),
      from_collector("from_collector", *this, config.operand_collector.unit_queue_entries),
      from_shared_collector("from_shared_collector", *this, config.operand_collector.unit_queue_entries),
      to_shared_memory("to_shared_memory", *this),
      to_memory_port("to_memory_port", *this),
      generation_(generation),
      atomics_on_chip_(atomics_on_chip) {}

// Refuses addresses beyond 32 bits and finds the memory that a generic access reaches. For shared and local memory
// its addresses become offsets.
void load_store_unit::resolve(warp_instruction& operation) {
  const isa::memory_access& access = operation.instruction->access;
  if (operation.executed == 0 || operation.fault != arch_state::fault_kind::none) return;
  if (access.line != isa::line_action::none) {
    if (access.generic) resolve_line(operation);
    return;
  }
  if (access.wide_address)
    if (const isa::lane_mask beyond =
            arch_state::lanes_beyond_32_bits(operation.values.address_high, operation.executed))
      return set_fault(operation, arch_state::fault_kind::unmapped_address, beyond);
  if (!access.generic) return;
  const isa::memory_space space =
      arch_state::resolve_generic(generation_, operation.executed, operation.values.address);
  if (space == isa::memory_space::none) return split(operation);
  const bool is_atomic = access.kind == isa::access_kind::atomic || access.kind == isa::access_kind::reduction;
  const bool on_chip = space == isa::memory_space::shared && atomics_on_chip_;
  if (is_atomic && space != isa::memory_space::global && !on_chip)
    return set_fault(operation, arch_state::fault_kind::unsupported, operation.executed);
  operation.resolved_space = space;
  if (space == isa::memory_space::global) return;
  operation.window_base = space == isa::memory_space::shared ? generation_.shared_window : generation_.local_window;
  ++generic_on_chip;
}

// The first to be sent is the last of the array.
void load_store_unit::split(warp_instruction& operation) {
  std::array<isa::lane_mask, 3> memories{};
  unsigned count = 0;
  for (isa::lane_mask lanes = operation.executed; lanes != 0; lanes &= ~memories[count++])
    memories[count] = arch_state::lanes_of_first_memory(generation_, lanes, operation.values.address);
  while (left_ < count) {
    warp_instruction& part = parts_.take(operation, memories[count - 1 - left_]);
    resolve(part);
    to_send_[left_++] = &part;
  }
  ++split_accesses;
}

// Control of lines has no faults. What reaches no line goes on as if it were for shared memory, which has none.
void load_store_unit::resolve_line(warp_instruction& operation) {
  const bool beyond = operation.instruction->access.wide_address &&
                      arch_state::lanes_beyond_32_bits(operation.values.address_high, operation.executed) != 0;
  const isa::memory_space space =
      beyond ? isa::memory_space::none
             : arch_state::resolve_generic(generation_, operation.executed, operation.values.address);
  operation.resolved_space = space == isa::memory_space::none ? isa::memory_space::shared : space;
}

bool load_store_unit::send(warp_instruction& operation) {
  const bool accesses = operation.instruction->access.kind != isa::access_kind::none;
  auto& to = accesses && operation.space() == isa::memory_space::shared ? to_shared_memory : to_memory_port;
  if (!to.can_send()) return false;
  to.send({&operation});
  return true;
}

void load_store_unit::tick() {
  const collected_token* memory = from_collector.front();
  const collected_token* shared = from_shared_collector.front();
  // Only the first of them has generic addresses.
  const bool takes_shared = left_ == 0 && shared != nullptr &&
                            (memory == nullptr || shared->operation->sequence < memory->operation->sequence);
  auto& from = takes_shared ? from_shared_collector : from_collector;
  const collected_token* token = takes_shared ? shared : memory;
  if (token == nullptr) return;
  warp_instruction& operation = *token->operation;
  if (operation.resolved_space == isa::memory_space::none && left_ == 0) resolve(operation);
  if (!send(left_ != 0 ? *to_send_[left_ - 1] : operation)) return;
  if (left_ != 0 && --left_ != 0) return wake_next();
  from.pop();
  ++instructions;
  if (from_collector.occupancy() + from_shared_collector.occupancy() != 0) wake_next();
}

void load_store_unit::visit_state(tlm_bus::state_image& state) {
  state.fixed(atomics_on_chip_);
  state(parts_, to_send_, left_);
}

}  // namespace gt200::model
