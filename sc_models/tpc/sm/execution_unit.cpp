#include "sc_models/tpc/sm/execution_unit.h"

#include <algorithm>

namespace gt200::model {

unsigned result_pipe_latency(unsigned shader_cycles, unsigned issue_latency) {
  const unsigned core_cycles = (shader_cycles + 1) / 2;
  const unsigned overhead = core_overhead + issue_latency - 1;
  return core_cycles > overhead ? core_cycles - overhead : 1;
}

unsigned shared_operand_transport(unsigned shared_latency, unsigned unit_latency) {
  // The core cycle spent in shared memory is part of the difference; the clock crossing takes the last shader
  // cycle.
  return shared_latency > unit_latency + 1 ? shared_latency - unit_latency - 1 : 1;
}

execution_unit::execution_unit(const sc_core::sc_module_name& name, tlm_bus::clock_domain& shader,
                               unsigned shared_operand_latency)
    : stage(name, shader),
      from_collector("from_collector", *this, 2),
      from_shared_memory("from_shared_memory", *this, 8 + shared_operand_latency / 4, shared_operand_latency),
      out("out", *this) {}

void execution_unit::tick() {
  // 1. Which instruction is next; the one issued first.
  const collected_token* collected = from_collector.front();
  const collected_token* shared = from_shared_memory.front();
  if (collected == nullptr && shared == nullptr) return;
  const bool take_shared =
      shared != nullptr && (collected == nullptr || shared->operation->sequence < collected->operation->sequence);
  // 2. It starts when the one before has made room.
  if (cycle() < free_at_) {
    wake_at(free_at_);
    return;
  }
  warp_instruction& operation = *(take_shared ? shared : collected)->operation;
  auto& output = output_for(operation);
  if (!output.can_send()) return;
  const isa::instruction& instruction = *operation.instruction;
  if (operation.fault == emulator::fault_kind::none && operation.executed != 0) {
    if (instruction.execute != nullptr) instruction.execute(instruction, operation.values, operation.executed);
  }
  output.send({&operation});
  const unsigned interval = interval_of(operation);
  free_at_ = cycle() + interval;
  ++instructions;
  busy_cycles += interval;
  if (take_shared)
    from_shared_memory.pop();
  else
    from_collector.pop();
  if (collected != nullptr && shared != nullptr) wake_at(free_at_);
}

sp::sp(const sc_core::sc_module_name& name, tlm_bus::clock_domain& shader, const config::sm_config& config)
    : execution_unit(name, shader,
                     shared_operand_transport(config.shared_memory.latency_cycles, config.sp.latency_cycles)),
      config_(config.sp) {}

unsigned sp::interval_of(const warp_instruction& operation) const {
  return operation.instruction->reads_shared
             ? std::max(config_.interval_cycles(), config_.shared_operand_interval_cycles)
             : config_.interval_cycles();
}

sfu::sfu(const sc_core::sc_module_name& name, tlm_bus::clock_domain& shader, const config::sm_config& config)
    : execution_unit(name, shader,
                     shared_operand_transport(config.shared_memory.latency_cycles, config.sfu.latency_cycles)),
      multiply_out("multiply_out", *this),
      config_(config.sfu) {}

unsigned sfu::interval_of(const warp_instruction& operation) const {
  return operation.instruction->unit == isa::unit_class::sp_mul ? config_.multiply_interval_cycles
                                                                : config_.interval_cycles();
}

tlm_bus::pipe_out<executed_token>& sfu::output_for(const warp_instruction& operation) {
  return operation.instruction->unit == isa::unit_class::sp_mul ? multiply_out : out;
}

dp::dp(const sc_core::sc_module_name& name, tlm_bus::clock_domain& shader, const config::sm_config& config)
    : execution_unit(name, shader,
                     shared_operand_transport(config.shared_memory.latency_cycles, config.dp.latency_cycles)),
      config_(config.dp) {}

unsigned dp::interval_of(const warp_instruction&) const { return config_.interval_cycles(); }

}  // namespace gt200::model
