#include "sc_models/sm/tesla/sm.h"

#include "sc_models/ids.h"

namespace gt200::model {
namespace {

// Of the fills of a cache; the cache adds a count to the id.
memory_extension origin_of(const sm_position& position, id_kind fills) {
  memory_extension origin;
  origin.transaction_id = id_base(fills, position.in_chip());
  origin.tpc = static_cast<std::uint8_t>(position.tpc);
  origin.sm = static_cast<std::uint8_t>(position.sm);
  return origin;
}

}  // namespace

sm::sm(const sc_core::sc_module_name& name, tlm_bus::clock_domain& core, tlm_bus::clock_domain& shader,
       const config::gpu_config& config, const sm_position& position, decoded_instructions& instructions)
    : sc_core::sc_module(name),
      block_control("block_control", core, config.tpc.sm, position.sm),
      fetch("fetch", core, config.tpc.sm),
      icache("icache", core, config.tpc.sm, origin_of(position, id_kind::instruction_fill)),
      decode("decode", core, config.tpc.sm, instructions, id_base(id_kind::instruction, position.in_chip()) + 1),
      scoreboard("scoreboard", core, config.tpc.sm, position.in_chip()),
      instruction_buffer("instruction_buffer", core, config.tpc.sm),
      issue("issue", core, config.tpc.sm, position.sm, position.in_chip()),
      simt_stack("simt_stack", config.tpc.sm),
      branch("branch", core, config.tpc.sm),
      stack_memory("stack_memory", core, config.tpc.sm, stack_layout_of(config), position.sm, position.in_chip()),
      barrier("barrier", core, config.tpc.sm),
      operand_collector("operand_collector", core, config.tpc.sm, position.sm << 16 | position.tpc << 20,
                        config.idealisations.no_bank_conflicts),
      register_file("register_file", config.tpc.sm),
      execution_units("execution_units", shader, config.tpc.sm),
      shared_memory("shared_memory", core, config.tpc.sm, config.idealisations.no_bank_conflicts),
      constant_cache("constant_cache", core, config.tpc.sm, origin_of(position, id_kind::constant_fill)),
      memory_port("memory_port", core, config.tpc.sm),
      write_back("write_back", core, config.tpc.sm),
      instruction_pool("instruction_pool") {
  // Blocks
  block_control.start.bind(fetch.start);
  block_control.register_file.bind(register_file);
  block_control.shared_memory.bind(shared_memory);
  block_control.simt_stack.bind(simt_stack);
  // Loop 1
  fetch.out.bind(icache.requests);
  fetch.instruction_buffer.bind(instruction_buffer);
  fetch.scoreboard.bind(scoreboard);
  fetch.icache.bind(icache);
  fetch.issue_order.bind(issue);
  icache.out.bind(decode.in);
  decode.control.bind(fetch.control);
  decode.scoreboard.bind(scoreboard);
  decode.instruction_buffer.bind(instruction_buffer);
  scoreboard.instruction_buffer.bind(instruction_buffer);
  // Loop 2
  issue.instruction_buffer.bind(instruction_buffer);
  issue.simt_stack.bind(simt_stack);
  issue.scoreboard.bind(scoreboard);
  issue.icache.bind(icache);
  issue.block_control.bind(block_control);
  issue.blocks.bind(block_control);
  issue.pool.bind(instruction_pool);
  issue.to_sp.bind(operand_collector.from_sp);
  issue.to_sfu.bind(operand_collector.from_sfu);
  issue.to_dp.bind(operand_collector.from_dp);
  issue.to_shared.bind(operand_collector.from_shared);
  issue.to_memory.bind(operand_collector.from_memory);
  issue.to_control.bind(operand_collector.from_control);
  operand_collector.register_file.bind(register_file);
  operand_collector.constant_cache.bind(constant_cache);
  operand_collector.to_sp.bind(execution_units.sp.from_collector);
  operand_collector.to_sfu.bind(execution_units.sfu.from_collector);
  operand_collector.to_dp.bind(execution_units.dp.from_collector);
  operand_collector.to_shared_memory.bind(shared_memory.in);
  operand_collector.to_memory_port.bind(memory_port.in);
  operand_collector.to_barrier.bind(barrier.in);
  operand_collector.to_branch.bind(branch.in);
  shared_memory.to_sp.bind(execution_units.sp.from_shared_memory);
  shared_memory.to_sfu.bind(execution_units.sfu.from_shared_memory);
  shared_memory.to_dp.bind(execution_units.dp.from_shared_memory);
  branch.redirect.bind(fetch.redirect);
  branch.transfers.bind(stack_memory.in);
  branch.simt_stack.bind(simt_stack);
  branch.block_control.bind(block_control);
  stack_memory.resumed.bind(branch.resumed);
  stack_memory.memory_port.bind(memory_port.from_stack);
  stack_memory.block_control.bind(block_control);
  stack_memory.pool.bind(instruction_pool);
  barrier.issue.bind(issue);
  barrier.simt_stack.bind(simt_stack);
  barrier.blocks.bind(block_control);
  // Write-back
  execution_units.sp.out.bind(write_back.from_sp);
  execution_units.sfu.out.bind(write_back.from_sfu);
  execution_units.sfu.multiply_out.bind(write_back.from_sfu_multiply);
  execution_units.dp.out.bind(write_back.from_dp);
  shared_memory.out.bind(write_back.from_shared_memory);
  memory_port.nothing_to_do.bind(write_back.from_memory_port);
  branch.out.bind(write_back.from_branch);
  barrier.out.bind(write_back.from_barrier);
  write_back.register_file.bind(register_file);
  write_back.scoreboard.bind(scoreboard);
  write_back.block_control.bind(block_control);
  write_back.stack_memory.bind(stack_memory);
  write_back.pool.bind(instruction_pool);
}

}  // namespace gt200::model
