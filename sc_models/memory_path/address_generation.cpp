#include "sc_models/memory_path/address_generation.h"

#include <stdexcept>
#include <string>

#include "sc_models/grid_descriptor.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

namespace {

constexpr isa::lane_mask all_lanes = 0xffffffffu;

memory_kind kind_of(const isa::memory_access& access) {
  if (access.prefetches()) return memory_kind::prefetch;
  if (access.line == isa::line_action::write_back) return memory_kind::clean_line;
  if (access.line == isa::line_action::invalidate) return memory_kind::drop_line;
  switch (access.kind) {
    case isa::access_kind::load: return memory_kind::load;
    case isa::access_kind::store: return memory_kind::store;
    case isa::access_kind::atomic:
    case isa::access_kind::reduction: return memory_kind::atomic;
    default: throw std::logic_error("address_generation: no access to memory and no control of a line");
  }
}

// Lanes of `executed` for which `at_fault(lane)` holds.
template <class Predicate>
isa::lane_mask lanes_where(isa::lane_mask executed, Predicate at_fault) {
  isa::lane_mask result = 0;
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    result |= static_cast<isa::lane_mask>(at_fault(lane)) << lane;
  return result & executed;
}

void set_fault(warp_instruction& operation, memory_access& access, arch_state::fault_kind kind,
               isa::lane_mask lanes) {
  operation.fault = kind;
  operation.fault_lanes = lanes;
  operation.fault_address = operation.window_base + operation.values.address.lane[__builtin_ctz(lanes)];
  access.lanes = 0;
}

void fill_inactive(warp_instruction& operation) {
  if (operation.executed == all_lanes) return;
  std::uint32_t* const address = operation.values.address.lane;
  const std::uint32_t lowest = address[__builtin_ctz(operation.executed)];
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    if ((operation.executed >> lane & 1) == 0) address[lane] = lowest;
}

// False, with the fault set, when a lane's address or offset is not a multiple of the access size.
bool aligned(warp_instruction& operation, memory_access& access) {
  const std::uint32_t* const address = operation.values.address.lane;
  const std::uint32_t below = access.word_bytes - 1u;
  std::uint32_t low_bits = 0;
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) low_bits |= address[lane];
  if ((low_bits & below) == 0) return true;
  const auto misaligned =
      lanes_where(operation.executed, [&](unsigned lane) { return (address[lane] & below) != 0; });
  set_fault(operation, access, arch_state::fault_kind::misaligned_address, misaligned);
  return false;
}

}  // namespace

address_generation::address_generation(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                                       const config::address_generation_config& config, unsigned first_sm,
                                       unsigned warps, tlm_bus::pool<memory_access>& accesses)
    : stage(name, uncore),
      from_sm_controller("from_sm_controller", *this, config.latency_cycles + 1, config.latency_cycles),
      to_tlb("to_tlb", *this),
      first_sm_(first_sm),
      warps_(warps),
      half_warps_per_cycle_(config.half_warps_per_cycle),
      accesses_(accesses) {}

void address_generation::tick() {
  const memory_operation_token* token = from_sm_controller.front();
  if (token == nullptr) return;
  if (cycle() < free_at_) {
    wake_at(free_at_);
    return;
  }
  if (!to_tlb.can_send()) return;

  warp_instruction& operation = *token->operation;
  memory_access* access = accesses_.get();
  generate(operation, *access);
  to_tlb.send({access});
  from_sm_controller.pop();

  const unsigned halves = ((operation.executed & 0xffffu) != 0) + ((operation.executed >> 16) != 0);
  half_warps += halves;
  free_at_ = cycle() + (halves + half_warps_per_cycle_ - 1) / half_warps_per_cycle_;
  if (operation.fault != arch_state::fault_kind::none) ++faults;
}

void address_generation::generate(warp_instruction& operation, memory_access& access) const {
  const isa::memory_access& memory = operation.instruction->access;
  const bool local = operation.space() == isa::memory_space::local;
  access.kind = kind_of(memory);
  // Entries of a divergence stack are local to a warp, at an address of their own.
  access.space = local || operation.stack_access ? memory_space::local : memory_space::global;
  access.operation = &operation;
  access.type = memory.type;
  access.word_bytes = static_cast<std::uint8_t>(isa::bytes_of(memory.type));
  access.passes = 1;
  access.lanes = operation.executed;
  access.unanswered = 0;
  access.all_sent = false;
  if (operation.executed == 0) return;
  if (!(local ? local_addresses(operation, access) : global_addresses(operation, access))) return;

  const std::uint32_t* const address = operation.values.address.lane;
  std::uint32_t spread = 0;
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) spread |= address[lane] ^ address[0];
  access.address_spread = spread;
}

bool address_generation::global_addresses(warp_instruction& operation, memory_access& access) const {
  fill_inactive(operation);
  return aligned(operation, access);
}

bool address_generation::local_addresses(warp_instruction& operation, memory_access& access) const {
  // 1. Faults.
  std::uint32_t* const address = operation.values.address.lane;
  fill_inactive(operation);
  if (!aligned(operation, access)) return false;
  const std::uint32_t bytes = access.word_bytes;
  const std::uint32_t local_bytes = operation.grid->local_bytes;
  const std::uint32_t end = local_bytes < bytes ? 0 : local_bytes - bytes + 1;
  const auto outside = lanes_where(operation.executed, [&](unsigned lane) { return address[lane] >= end; });
  if (outside != 0 && operation.instruction->access.line != isa::line_action::none) {
    access.lanes &= ~outside;
    if (access.lanes == 0) return false;
  } else if (outside != 0) {
    set_fault(operation, access, arch_state::fault_kind::unmapped_address, outside);
    return false;
  }

  // 2. Addresses, word by word.
  const auto base_of = [&](unsigned slot) {
    const std::uint64_t warp = std::uint64_t{first_sm_ + operation.sm} * warps_ + slot;
    const std::uint64_t window = operation.grid->local_base + warp * isa::warp_size * local_bytes;
    if (window + std::uint64_t{isa::warp_size} * local_bytes > std::uint64_t{1} << 32)
      throw std::logic_error(std::string(name()) + ": local memory beyond 4 GB");
    return static_cast<std::uint32_t>(window);
  };
  const std::uint32_t own = base_of(operation.warp.index());
  const auto first = static_cast<unsigned>(__builtin_ctz(operation.executed));
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
    // A lane without an access follows another one, as its address does.
    const unsigned thread = (operation.executed >> lane & 1) != 0 ? lane : first;
    const std::uint32_t base = operation.formed ? base_of(operation.threads.slot[thread]) : own;
    address[lane] = base + address[lane] / 4 * local_pass_stride + lane * 4 + address[lane] % 4;
  }
  if (bytes > 4) {
    access.passes = static_cast<std::uint8_t>(bytes / 4);
    access.word_bytes = 4;
  }
  return true;
}

void address_generation::visit_state(tlm_bus::state_image& state) {
  state.fixed(first_sm_, warps_, half_warps_per_cycle_);
  state(free_at_);
}

}  // namespace gt200::model
