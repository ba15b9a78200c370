#include "sc_models/tpc/texture/address.h"

#include <algorithm>

namespace gt200::model {

namespace {

void set_fault(texture_access& access, emulator::fault_kind kind, isa::lane_mask lanes, std::uint64_t address) {
  access.operation->fault = kind;
  access.operation->fault_lanes = lanes;
  access.operation->fault_address = static_cast<std::uint32_t>(address);
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
  free_at_ = cycle() + interval_;
  ++operations;
  if (access->operation->fault != emulator::fault_kind::none) ++faults;
}

void texture_address::generate(warp_instruction& operation, texture_access& access) {
  const isa::instruction& instruction = *operation.instruction;
  access.operation = &operation;
  access.lanes = 0;
  access.binding = {};
  if (instruction.op != isa::opcode::texfetch) {
    set_fault(access, emulator::fault_kind::unsupported, operation.executed, 0);
    return;
  }
  if (instruction.texture_unit < operation.grid->textures.size())
    access.binding = operation.grid->textures[instruction.texture_unit];
  if (access.binding.texels == 0) {
    set_fault(access, emulator::fault_kind::texture_not_bound, operation.executed, 0);
    return;
  }

  // Texels of the lanes. A texel lies within a page, and mostly all of them in one mapped range.
  const std::uint32_t* const coordinate = operation.values.source[0][0].lane;
  const auto offset = static_cast<std::uint32_t>(instruction.texture_offset[0]);
  const std::uint32_t texel_bytes = access.binding.texel_bytes();
  const page_table::range* range = pages_.find(access.binding.address);
  isa::lane_mask unmapped = 0;
  for (isa::lane_mask m = operation.executed; m != 0; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    const std::uint32_t texel = coordinate[lane] + offset;
    if (texel >= access.binding.texels) {  // negative ones are large unsigned ones
      ++out_of_range;
      continue;
    }
    const std::uint64_t address = access.binding.address + std::uint64_t{texel} * texel_bytes;
    if (range == nullptr || address < range->first || address > range->last) range = pages_.find(address);
    if (range == nullptr) {
      unmapped |= m & -m;
      continue;
    }
    access.physical[lane] = range->translate(address);
    access.lanes |= m & -m;
  }
  if (unmapped != 0) {
    const std::uint64_t lowest = coordinate[__builtin_ctz(unmapped)] + offset;
    set_fault(access, emulator::fault_kind::unmapped_address, unmapped,
              access.binding.address + lowest * texel_bytes);
  }
}

}  // namespace gt200::model
