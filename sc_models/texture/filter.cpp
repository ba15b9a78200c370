#include "sc_models/texture/filter.h"

#include <algorithm>

#include "tlm_bus/state_image.h"
#include "toolchain/bits.h"

namespace gt200::model {

namespace {

void write_registers(texture_access& access) {
  warp_instruction& operation = *access.operation;
  isa::lane_words* const destination = operation.values.destination;
  const sampling::texel_layout& layout = access.binding->shape.texel;
  for (const unsigned lane : set_bits(operation.executed)) {
    const sampling::texel_value value = sampling::filtered(layout, access.footprint[lane], [&](unsigned tap) {
      return reinterpret_cast<const std::uint8_t*>(access.texel[tap][lane]);
    });
    sampling::for_each_written(operation.instruction->texture,
                               [&](unsigned n, unsigned c) { destination[n].lane[lane] = value.component[c]; });
  }
}

}  // namespace

texture_filter::texture_filter(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                               const config::texture_filter_config& config, tlm_bus::pool<texture_access>& accesses)
    : stage(name, uncore),
      from_l1("from_l1", *this, config.latency_cycles + 1, config.latency_cycles),
      to_sm_controller("to_sm_controller", *this),
      config_(config),
      accesses_(accesses) {}

void texture_filter::tick() {
  const texture_access_token* token = from_l1.front();
  if (token == nullptr) return;
  if (cycle() < free_at_) {
    wake_at(free_at_);
    return;
  }
  if (!to_sm_controller.can_send()) return;
  texture_access& access = *token->access;
  if (access.operation->fault == arch_state::fault_kind::none) {
    write_registers(access);
    const auto lanes = static_cast<unsigned>(__builtin_popcount(access.lanes));
    texels += lanes;
    taps += lanes * access.taps;
  }
  const unsigned cycles = cycles_of(access);
  busy_cycles += cycles;
  free_at_ = cycle() + cycles;
  to_sm_controller.send({access.operation});
  accesses_.put(&access);
  from_l1.pop();
}

unsigned texture_filter::cycles_of(const texture_access& access) const {
  const std::uint32_t bytes = access.binding == nullptr ? 1 : access.binding->shape.texel.bytes();
  return isa::warp_size / config_.lanes * passes_of(access.taps) * std::max(1u, bytes / config_.full_rate_bytes);
}

void texture_filter::visit_state(tlm_bus::state_image& state) { state(free_at_); }

}  // namespace gt200::model
