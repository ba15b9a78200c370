#include "sc_models/texture/address.h"

#include <vector>

#include "tlm_bus/state_image.h"
#include "toolchain/bits.h"

namespace gt200::model {

namespace {

void set_fault(texture_access& access, arch_state::fault_kind kind, isa::lane_mask lanes, std::uint64_t address) {
  access.operation->fault = kind;
  access.operation->fault_lanes = lanes;
  access.operation->fault_address = address;
  access.lanes = 0;
}

}  // namespace

texture_address::texture_address(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                                 const config::texture_address_config& config, const page_table& pages,
                                 tlm_bus::pool<texture_access>& accesses)
    : stage(name, uncore),
      from_sm_controller("from_sm_controller", *this, config.queue_entries + config.latency_cycles - 1,
                         config.latency_cycles),
      to_l1("to_l1", *this),
      queue_("queue", from_sm_controller, *this),
      interval_(isa::warp_size / config.lanes),
      pages_(pages),
      accesses_(accesses) {}

void texture_address::tick() {
  const memory_operation_token* token = from_sm_controller.front();
  if (token == nullptr) return;
  if (cycle() < free_at_) {
    wake_at(free_at_);
    return;
  }
  if (!to_l1.can_send()) return;
  texture_access* access = accesses_.get();
  generate(*token->operation, *access);
  to_l1.send({access});
  from_sm_controller.pop();
  free_at_ = cycle() + std::uint64_t{interval_} * passes_of(access->taps);
  ++operations;
  if (access->operation->fault != arch_state::fault_kind::none) ++faults;
}

void texture_address::generate(warp_instruction& operation, texture_access& access) {
  const isa::texture_access& texture = operation.instruction->texture;
  const std::vector<texture_binding>& textures = operation.grid->textures;
  access.operation = &operation;
  operation.caches_missed = 0;
  access.binding = nullptr;
  access.lanes = 0;
  access.uses = 0;
  access.taps = 1;
  const auto unit = sampling::unit_of(texture, operation.values, operation.executed);
  if (!unit) {
    set_fault(access, arch_state::fault_kind::unsupported, operation.executed, 0);
    return;
  }
  if (*unit >= textures.size() || !textures[*unit].bound) {
    set_fault(access, arch_state::fault_kind::texture_not_bound, operation.executed, 0);
    return;
  }
  access.binding = &textures[*unit];
  const sampling::texture_shape& shape = access.binding->shape;
  if (!sampling::can_read(shape, texture)) {
    set_fault(access, arch_state::fault_kind::unsupported, operation.executed, 0);
    return;
  }

  access.taps = sampling::taps_of(shape, texture);
  range_ = nullptr;
  isa::lane_mask unmapped = 0;
  std::uint64_t unmapped_address = 0;
  for (const unsigned lane : set_bits(operation.executed)) {
    access.footprint[lane] = sampling::footprint_of(shape, texture, operation.values.source[0], lane);
    if (access.footprint[lane].taps == 0) {
      ++out_of_range;
      continue;
    }
    const unsigned translated = translate(access, lane);
    if (translated < access.taps && unmapped == 0) unmapped_address = access.address(lane, translated);
    (translated == access.taps ? access.lanes : unmapped) |= isa::lane_mask{1} << lane;
  }
  if (unmapped != 0) set_fault(access, arch_state::fault_kind::unmapped_address, unmapped, unmapped_address);
}

unsigned texture_address::translate(texture_access& access, unsigned lane) {
  unsigned tap = 0;
  for (; tap < access.taps; ++tap) {
    const std::uint64_t address = access.address(lane, tap);
    // A texel lies within one page, and usually all texels lie in one mapped range.
    if (range_ == nullptr || address < range_->first || address > range_->last) range_ = pages_.find(address);
    if (range_ == nullptr) break;
    access.physical[tap][lane] = range_->translate(address);
  }
  return tap;
}

void texture_address::visit_state(tlm_bus::state_image& state) {
  state.fixed(interval_);
  state(queue_, range_, free_at_);
}

}  // namespace gt200::model
