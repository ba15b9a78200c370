#include "sc_models/tpc/memory/tlb.h"

namespace gt200::model {

tlb::tlb(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore, const config::tlb_config& config,
         const page_table& pages)
    : stage(name, uncore),
      from_address_generation("from_address_generation", *this, config.l1_hit_latency_cycles + 1,
                              config.l1_hit_latency_cycles),
      to_coalescer("to_coalescer", *this),
      config_(config),
      pages_(pages),
      l1_(config.l1_entries, config.l1_entries, config.l1_page_bytes),
      l2_(config.l2_entries, config.l2_ways, config.l2_page_bytes) {}

void tlb::tick() {
  const memory_access_token* token = from_address_generation.front();
  if (token == nullptr) return;
  if (!translated_) {
    if (token->access->lanes != 0) {
      ready_at_ = cycle() + look_up(*token->access) - 1;
      translate(*token->access);
    } else {
      ready_at_ = cycle();
    }
    translated_ = true;
  }
  if (cycle() < ready_at_) {
    wake_at(ready_at_);
    return;
  }
  if (!to_coalescer.can_send()) return;
  to_coalescer.send(*token);
  from_address_generation.pop();
  translated_ = false;
}

tlm_bus::cycle_t tlb::look_up(const memory_access& access) {
  const std::uint32_t* const address = access.operation->values.address.lane;
  tlm_bus::cycle_t cycles = 0;
  for (isa::lane_mask left = access.lanes; left != 0;) {
    const std::uint32_t here = address[__builtin_ctz(left)];
    ++cycles;
    if (l1_.access(here)) {
      ++l1_hits;
    } else {
      ++l1_misses;
      cycles += config_.l2_hit_latency_cycles;
      if (!l2_.access(here)) {
        ++l2_misses;
        cycles += config_.walk_latency_cycles;
      }
    }
    if (access.address_spread < config_.l1_page_bytes) break;  // all lanes in one page
    for (isa::lane_mask m = left; m != 0; m &= m - 1) {
      const int lane = __builtin_ctz(m);
      if (l1_.page_of(address[lane]) == l1_.page_of(here)) left &= ~(isa::lane_mask{1} << lane);
    }
  }
  return cycles;
}

void tlb::translate(memory_access& access) {
  warp_instruction& operation = *access.operation;
  const std::uint32_t* const address = operation.values.address.lane;

  // 1. All lanes in one mapped range: the normal case.
  const page_table::range* range = pages_.find(address[0] & ~access.address_spread);
  access.one_distance = range != nullptr && (address[0] | access.address_spread) <= range->last;
  if (access.one_distance) {
    access.distance = range->physical - range->first;
    return;
  }

  // 2. Lane by lane.
  isa::lane_mask unmapped = 0;
  for (isa::lane_mask m = access.lanes; m != 0; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    range = pages_.find(address[lane]);
    if (range != nullptr)
      access.physical[lane] = range->translate(address[lane]);
    else
      unmapped |= isa::lane_mask{1} << lane;
  }
  if (unmapped == 0) return;
  operation.fault = emulator::fault_kind::unmapped_address;
  operation.fault_lanes = unmapped;
  operation.fault_address = address[__builtin_ctz(unmapped)];
  access.lanes = 0;
  ++faults;
}

}  // namespace gt200::model
