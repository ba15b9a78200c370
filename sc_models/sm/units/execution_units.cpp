#include "sc_models/sm/units/execution_units.h"

#include <algorithm>
#include <string>

namespace gt200::model {
namespace {

constexpr unsigned sfus = 2;
constexpr unsigned lanes_per_sfu = 4;                   // neighbours
constexpr unsigned multipliers = sfus * lanes_per_sfu;  // of the SFUs

// First of the two bits of a group in execution_units::occupied_.
constexpr unsigned sp_bits = 0;
constexpr unsigned sfu_bits = 2;
constexpr unsigned dp_bits = 4;
constexpr bool has_some(std::uint64_t occupied, unsigned group) { return (occupied >> group & 3) != 0; }

}  // namespace

unsigned result_pipe_latency(unsigned shader_cycles, unsigned issue_latency) {
  return shader_cycles / 2 - (core_overhead + issue_latency - 1);  // at least 1: config/check.cpp
}

unsigned shared_operand_transport(unsigned shared_latency, unsigned unit_latency) {
  // The core cycle spent in shared memory is part of the difference; the clock crossing takes the last shader
  // cycle.
  return shared_latency > unit_latency + 1 ? shared_latency - unit_latency - 1 : 1;
}

unsigned sp_interval(const config::sp_config& config, const isa::instruction& instruction) {
  return instruction.reads_shared ? std::max(config.interval_cycles(), config.shared_operand_interval_cycles)
                                  : config.interval_cycles();
}

unit_group::unit_group(const sc_core::sc_module_name& name, tlm_bus::stage& owner,
                       const config::operand_collector_config& config, unsigned units, unsigned together,
                       unsigned lanes_per_step, unsigned shared_operand)
    : sc_core::sc_module(name),
      from_collector("from_collector", owner, config.unit_queue_entries),
      // Shared memory sends at most one in 4 shader cycles.
      from_shared_memory("from_shared_memory", owner, config.shared_operand_queue_entries + shared_operand / 4,
                         shared_operand),
      out("out", owner),
      lanes_per_step_(lanes_per_step) {
  for (unsigned i = 0; i < units; ++i) {
    const std::string unit_name = std::string(basename()) + "_" + std::to_string(i);
    units_.push_back(std::make_unique<functional_unit>(unit_name.c_str(), i, units, together));
    units_.back()->group.bind(*this);
  }
}

void unit_group::show_occupied(std::uint64_t& mask, unsigned bit) {
  from_collector.show_occupied(mask, bit);
  from_shared_memory.show_occupied(mask, bit + 1);
}

const collected_token* unit_group::next() {
  const collected_token* collected = from_collector.front();
  const collected_token* shared = from_shared_memory.front();
  next_is_shared_ =
      shared != nullptr && (collected == nullptr || shared->operation->sequence < collected->operation->sequence);
  return next_is_shared_ ? shared : collected;
}

void unit_group::start(tlm_bus::cycle_t now, unsigned interval, unsigned lanes_per_step) {
  auto& from = next_is_shared_ ? from_shared_memory : from_collector;
  const warp_instruction& operation = *from.front()->operation;
  activities_[1] = activities_[0];
  activities_[0] = {operation.id, operation.executed, now, interval, lanes_per_step};
  ++instructions;
  busy_cycles += interval;
  from.pop();
}

const unit_activity* unit_group::activity_at(tlm_bus::cycle_t cycle) const {
  for (const unit_activity& a : activities_)
    if (cycle >= a.started_at && cycle < a.started_at + a.cycles) return &a;
  return nullptr;
}

sfu_group::sfu_group(const sc_core::sc_module_name& name, tlm_bus::stage& owner, const config::sm_config& config)
    : unit_group(name, owner, config.operand_collector, std::min(sfus, config.sfu.lanes), lanes_per_sfu,
                 config.sfu.lanes,
                 shared_operand_transport(config.shared_memory.latency_cycles, config.sfu.latency_cycles)),
      multiply_out("multiply_out", owner) {}

execution_units::execution_units(const sc_core::sc_module_name& name, tlm_bus::clock_domain& shader,
                                 const config::sm_config& config)
    : stage(name, shader),
      sp("sp", *this, config.operand_collector, config.sp.lanes, 1, config.sp.lanes,
         shared_operand_transport(config.shared_memory.latency_cycles, config.sp.latency_cycles)),
      sfu("sfu", *this, config),
      dp("dp", *this, config.operand_collector, 1, 1, config.dp.lanes,
         shared_operand_transport(config.shared_memory.latency_cycles, config.dp.latency_cycles)),
      config_(config) {
  sp.show_occupied(occupied_, sp_bits);
  sfu.show_occupied(occupied_, sfu_bits);
  dp.show_occupied(occupied_, dp_bits);
}

bool execution_units::multiplies_on_sfu(const unit_group& group, const isa::instruction& instruction) const {
  return &group == &sfu && instruction.unit == isa::unit_class::sp_mul;
}

unsigned execution_units::interval_of(const unit_group& group, const isa::instruction& instruction) const {
  if (&group == &sp) return sp_interval(config_.sp, instruction);
  if (&group == &dp) return config_.dp.interval_cycles();
  return multiplies_on_sfu(group, instruction) ? config_.sfu.multiply_interval_cycles
                                               : config_.sfu.interval_cycles();
}

void execution_units::start_next(unit_group& group, const collected_token* token, tlm_bus::cycle_t& free_at) {
  if (token == nullptr) return;
  // 1. It starts when the one before has made room.
  if (cycle() < free_at) {
    wake_at(free_at);
    return;
  }
  warp_instruction& operation = *token->operation;
  const isa::instruction& instruction = *operation.instruction;
  const bool multiplies = multiplies_on_sfu(group, instruction);
  auto& out = multiplies ? sfu.multiply_out : group.out;
  if (!out.can_send()) return;
  // 2. All lanes are calculated, if the collector has not done it; the result takes the unit's latency.
  if (!operation.calculated && instruction.execute != nullptr && operation.executed != 0 &&
      operation.fault == arch_state::fault_kind::none)
    instruction.execute(instruction, operation.values, operation.executed);
  out.send({&operation});
  const unsigned interval = interval_of(group, instruction);
  free_at = cycle() + interval;
  group.start(cycle(), interval, multiplies ? multipliers : group.lanes_per_step());
  if (group.next() != nullptr) wake_at(free_at);
}

void execution_units::tick() {
  if (has_some(occupied_, sfu_bits)) start_next(sfu, sfu.next(), sfu_free_at_);
  const collected_token* on_sp = has_some(occupied_, sp_bits) ? sp.next() : nullptr;
  const collected_token* on_dp = has_some(occupied_, dp_bits) ? dp.next() : nullptr;
  tlm_bus::cycle_t& dp_free_at = config_.dp.shares_sp ? sp_free_at_ : dp_free_at_;
  const bool dp_first =
      on_dp != nullptr && (on_sp == nullptr || on_dp->operation->sequence < on_sp->operation->sequence);
  if (dp_first) start_next(dp, on_dp, dp_free_at);
  start_next(sp, on_sp, sp_free_at_);
  if (!dp_first) start_next(dp, on_dp, dp_free_at);
}

void unit_group::publish(tlm_bus::signal_writer& to) {
  to.identifier("started", activities_[0].instruction);
  to.mask("executed", isa::warp_size, activities_[0].executed);
  to.number("started_at", 64, activities_[0].started_at);
}

}  // namespace gt200::model
