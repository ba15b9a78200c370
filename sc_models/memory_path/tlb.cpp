#include "sc_models/memory_path/tlb.h"

#include "tlm_bus/state_image.h"
#include "toolchain/bits.h"

namespace gt200::model {

tlb::tlb(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore, const config::tlb_config& config)
    : stage(name, uncore),
      from_address_generation("from_address_generation", *this, config.l1_hit_latency_cycles + 1,
                              config.l1_hit_latency_cycles),
      to_coalescer("to_coalescer", *this),
      to_page_walker("to_page_walker", *this),
      from_page_walker("from_page_walker", *this, 1),
      to_l1("to_l1"),
      to_l2("to_l2"),
      l1("l1", config.l1_entries, config.l1_entries, config.l1_page_bytes),
      l2("l2", config.l2_entries, config.l2_ways, config.l2_page_bytes),
      l2_latency_(config.l2_hit_latency_cycles) {
  to_l1.bind(l1.accesses);
  to_l2.bind(l2.accesses);
}

void tlb::tick() {
  const memory_access_token* token = from_address_generation.front();
  if (token == nullptr) return;
  memory_access& access = *token->access;

  // 1. Start, or continue after a walk.
  if (state_ == state::none) begin(access);
  if (state_ == state::walking) {
    if (from_page_walker.front() == nullptr) return;
    take_walk(access);
  }
  // 2. The look-ups take their time.
  if (cycle() < ready_at_) {
    wake_at(ready_at_);
    return;
  }
  // 3. Request a walk, or pass the access to the coalescer.
  if (state_ == state::walk_wanted) {
    send_walk(access);
    return;
  }
  if (!to_coalescer.can_send()) return;
  finish(access);
  to_coalescer.send(*token);
  latency.add(cycle() - begun_at_);
  from_address_generation.pop();
  state_ = state::none;
}

void tlb::begin(memory_access& access) {
  state_ = state::looking_up;
  ready_at_ = begun_at_ = cycle();
  left_ = access.lanes;
  unmapped_ = protected_ = 0;
  access.uniform_offset = true;
  look_up(access);
}

// Looks up until all lanes are translated or one needs a walk. The first look-up is in this cycle.
void tlb::look_up(memory_access& access) {
  const std::uint32_t* const address = access.operation->values.address.lane;
  while (left_ != 0) {
    const std::uint32_t here = address[__builtin_ctz(left_)];
    if (left_ != access.lanes) ++ready_at_;
    translation_access entry;
    entry.address = here;
    entry.instruction_id = access.operation->id;
    to_l1.send(entry);
    if (entry.hit) {
      ++l1_hits;
    } else {
      ++l1_misses;
      ready_at_ += l2_latency_;
      to_l2.send(entry);
      if (!entry.hit) {
        ++l2_misses;
        state_ = state::walk_wanted;
        return;
      }
      entry.insert = true;
      to_l1.send(entry);
    }
    translate(access, entry.part);
  }
}

void tlb::send_walk(const memory_access& access) {
  if (!to_page_walker.can_send()) return;
  const warp_instruction& operation = *access.operation;
  to_page_walker.send(
      {operation.values.address.lane[__builtin_ctz(left_)], operation.id, operation.sm, operation.warp});
  state_ = state::walking;
}

void tlb::take_walk(memory_access& access) {
  const walk_result_token result = *from_page_walker.front();
  from_page_walker.pop();
  state_ = state::looking_up;
  ready_at_ = cycle();
  if (result.mapped) {
    const std::uint32_t here = access.operation->values.address.lane[__builtin_ctz(left_)];
    translation_access entry;
    entry.address = here;
    entry.instruction_id = access.operation->id;
    entry.insert = true;
    entry.block = result.block;
    to_l2.send(entry);
    to_l1.send(entry);
    translate(access, entry.part);
  } else {
    const isa::lane_mask lanes = lanes_in(result.block, access);
    unmapped_ |= lanes;
    left_ &= ~lanes;
  }
  look_up(access);
}

isa::lane_mask tlb::lanes_in(const translation& block, const memory_access& access) const {
  const std::uint32_t* const address = access.operation->values.address.lane;
  const std::uint64_t lowest = address[0] & ~access.address_spread;
  const std::uint64_t highest = address[0] | access.address_spread;
  if (block.contains(lowest) && block.contains(highest)) return left_;
  isa::lane_mask lanes = 0;
  for (const unsigned lane : set_bits(left_))
    if (block.contains(address[lane])) lanes |= isa::lane_mask{1} << lane;
  return lanes;
}

void tlb::translate(memory_access& access, const translation& block) {
  const isa::lane_mask lanes = lanes_in(block, access);
  const bool writes = access.kind == memory_kind::store || access.kind == memory_kind::atomic;
  if (block.read_only && writes) protected_ |= lanes;
  // No global address reaches local memory or divergence stacks.
  if (block.supervisor && access.space != memory_space::local) unmapped_ |= lanes;
  if (left_ == access.lanes) access.physical_offset = block.physical_offset();
  if (access.physical_offset != block.physical_offset()) access.uniform_offset = false;
  if (lanes != access.lanes) {
    const std::uint32_t* const address = access.operation->values.address.lane;
    for (const unsigned lane : set_bits(lanes)) {
      access.physical[lane] = address[lane] + block.physical_offset();
    }
  }
  left_ &= ~lanes;
}

void tlb::finish(memory_access& access) {
  const isa::lane_mask wrong = unmapped_ != 0 ? unmapped_ : protected_;
  if (wrong == 0) return;
  warp_instruction& operation = *access.operation;
  // Control of lines has no faults: lanes whose page is not mapped do nothing.
  if (operation.instruction->access.line != isa::line_action::none) {
    access.lanes &= ~wrong;
    access.uniform_offset = false;
    return;
  }
  operation.fault =
      unmapped_ != 0 ? arch_state::fault_kind::unmapped_address : arch_state::fault_kind::protected_address;
  operation.fault_lanes = wrong;
  operation.fault_address = operation.values.address.lane[__builtin_ctz(wrong)];
  access.lanes = 0;
  ++faults;
}

void tlb::publish(tlm_bus::signal_writer& to) {
  to.outstanding().text("state", static_cast<std::uint64_t>(state_), [](std::uint64_t key) -> std::string {
    switch (static_cast<state>(key)) {
      case state::none: return "idle";
      case state::looking_up: return "looking_up";
      case state::walk_wanted: return "walk_wanted";
      case state::walking: return "walking";
    }
    return "";
  });
  to.mask("lanes_left", isa::warp_size, left_);
}

void tlb::visit_state(tlm_bus::state_image& state) {
  state.fixed(l2_latency_);
  state(state_, begun_at_, ready_at_, left_, unmapped_, protected_);
}

}  // namespace gt200::model
