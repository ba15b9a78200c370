#include "sc_models/sm/volta/processing_block.h"

#include "sc_models/ids.h"

namespace gt200::model {
namespace {

// Ids of the blocks of an SM must not meet.
memory_extension origin_of(const processing_block::surroundings& in, id_kind fills, unsigned number) {
  memory_extension origin;
  origin.transaction_id = id_base(fills, in.position.in_chip()) + (std::uint64_t{number} << 36);
  origin.tpc = static_cast<std::uint8_t>(in.position.tpc);
  origin.sm = static_cast<std::uint8_t>(in.position.sm);
  return origin;
}

// A warp belongs to the block of its slot.
slot_share slots_of(const processing_block::surroundings& in, unsigned number) {
  return {number, in.config.processing_block.blocks};
}

}  // namespace

processing_block::processing_block(const sc_core::sc_module_name& name, const surroundings& in, unsigned number)
    : sc_core::sc_module(name),
      fetch("fetch", in.core, in.config),
      icache("icache", in.core, in.config, in.decoded, origin_of(in, id_kind::instruction_fill, number),
             in.chip.idealisations.perfect_caches),
      decode("decode", in.core, in.config, in.decoded,
             id_base(id_kind::instruction, in.position.in_chip()) + 1 + (std::uint64_t{number} << 36)),
      instruction_buffer("instruction_buffer", in.core, in.config, in.units, slots_of(in, number)),
      gate("gate", in.core, in.config, in.decoded.generation()),
      issue("issue", in.core, in.config, number, in.position.sm, in.chip.idealisations.no_bank_conflicts),
      operand_path("operand_path", in.core, in.config, in.decoded.generation(), in.position.tpc, in.completions),
      register_file("register_file", in.config, {}, in.decoded.generation().values(), slots_of(in, number)),
      constant_cache("constant_cache", in.core, in.config, origin_of(in, id_kind::constant_fill, number),
                     in.chip.idealisations.perfect_caches),
      branch_unit("branch_unit", in.core, in.config, in.decoded.generation()) {
  // Loop 1
  fetch.out.bind(icache.requests);
  fetch.instruction_buffer.bind(instruction_buffer);
  fetch.reservations.bind(instruction_buffer.reservations);
  fetch.scoreboard.bind(gate);
  fetch.icache.bind(icache);
  fetch.issue_order.bind(issue);
  icache.out.bind(decode.in);
  decode.control.bind(fetch.control);
  decode.lookups.bind(gate.lookups);
  decode.answers.bind(gate.answers);
  decode.buffer_writes.bind(instruction_buffer.writes);
  decode.scoreboard.bind(gate);
  gate.dependency_updates.bind(instruction_buffer.dependency_updates);
  // Loop 2
  issue.instruction_buffer.bind(instruction_buffer);
  issue.removals.bind(instruction_buffer.removals);
  issue.gate.bind(gate);
  issue.constants.bind(constant_cache);
  issue.constant_lines.bind(operand_path);
  issue.icache.bind(icache);
  for (unsigned path = 0; path < issue_paths; ++path) issue.to_operands[path].bind(operand_path.from_issue[path]);
  operand_path.register_reads.bind(register_file.reads);
  operand_path.register_writes.bind(register_file.writes);
  operand_path.barrier_releases.bind(gate.releases);
  operand_path.steps.bind(gate.steps);
  operand_path.constant_reads.bind(constant_cache.reads);
  operand_path.constant_line_fetches.bind(constant_cache.line_fetches);
  operand_path.constant_cache.bind(constant_cache);
  operand_path.to_branch.bind(branch_unit.in);
  branch_unit.redirect.bind(fetch.redirect);
  branch_unit.out.bind(operand_path.control_results);
  branch_unit.issue.bind(issue);
  if (in.config.processing_block.path_turn_cycles != core_cycles(0))
    decode.take_turns(branch_unit, in.decoded.generation().turn_end());
  // What damage to the storage needs to know
  instruction_buffer.decode_with(in.decoded, false);
}

}  // namespace gt200::model
