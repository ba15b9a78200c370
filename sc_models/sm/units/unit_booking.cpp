#include "sc_models/sm/units/unit_booking.h"

#include <algorithm>

#include "sc_models/sm/units/execution_units.h"

namespace gt200::model {
namespace {

constexpr unsigned shader_cycles = 2;  // per core cycle

}  // namespace

bool unit_booking::sfu_multiplies(tlm_bus::cycle_t core_cycle) const {
  return config_.sfu.multiply_enabled && sfu_until_ <= shader_cycles * core_cycle;
}

bool unit_booking::sfu_preferred(tlm_bus::cycle_t core_cycle) const {
  return sp_until_ > shader_cycles * core_cycle && sfu_multiplies(core_cycle);
}

tlm_bus::cycle_t unit_booking::sfu_free_at() const { return (sfu_until_ + shader_cycles - 1) / shader_cycles; }

void unit_booking::issued(const isa::instruction& instruction, bool on_sfu, tlm_bus::cycle_t core_cycle) {
  const auto book = [&](tlm_bus::cycle_t& until, unsigned interval) {
    until = std::max(until, shader_cycles * core_cycle) + interval;
  };
  switch (instruction.unit) {
    case isa::unit_class::sp_mul:
      if (on_sfu) return book(sfu_until_, config_.sfu.multiply_interval_cycles);
      return book(sp_until_, sp_interval(config_.sp, instruction));
    case isa::unit_class::sp:
    case isa::unit_class::constant:
    case isa::unit_class::none: return book(sp_until_, sp_interval(config_.sp, instruction));
    case isa::unit_class::sfu: return book(sfu_until_, config_.sfu.interval_cycles());
    case isa::unit_class::dp:
      if (config_.dp.shares_sp) book(sp_until_, config_.dp.interval_cycles());
      return;
    case isa::unit_class::shared:
    case isa::unit_class::memory:
    case isa::unit_class::texture:
    case isa::unit_class::control:
    case isa::unit_class::barrier: return;
  }
}

}  // namespace gt200::model
