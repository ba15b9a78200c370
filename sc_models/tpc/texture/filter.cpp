#include "sc_models/tpc/texture/filter.h"

#include "sc_models/tpc/texture/texel.h"

namespace gt200::model {

namespace {

void write_registers(texture_access& access) {
  warp_instruction& operation = *access.operation;
  const unsigned write_mask = operation.instruction->texture_write_mask;
  isa::lane_words* const destination = operation.values.destination;
  for (isa::lane_mask m = operation.executed; m != 0; m &= m - 1) {
    const int lane = __builtin_ctz(m);
    texel_value value = {};
    if ((access.lanes >> lane & 1) != 0)
      value = read_texel(access.binding, reinterpret_cast<const std::uint8_t*>(access.texel[lane]));
    unsigned next = 0;
    for (unsigned c = 0; c < 4; ++c)
      if ((write_mask >> c & 1) != 0) destination[next++].lane[lane] = value.component[c];
  }
}

}  // namespace

texture_filter::texture_filter(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                               const config::texture_filter_config& config, tlm_bus::pool<texture_access>& accesses)
    : stage(name, uncore),
      from_l1("from_l1", *this, config.latency_cycles + 1, config.latency_cycles),
      to_sm_controller("to_sm_controller", *this),
      interval_(isa::warp_size / config.lanes),
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
  if (access.operation->fault == emulator::fault_kind::none) {
    write_registers(access);
    texels += static_cast<unsigned>(__builtin_popcount(access.lanes));
  }
  to_sm_controller.send({access.operation});
  accesses_.put(&access);
  from_l1.pop();
  free_at_ = cycle() + interval_;
}

}  // namespace gt200::model
