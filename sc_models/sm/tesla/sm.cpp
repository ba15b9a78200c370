#include "sc_models/sm/tesla/sm.h"

#include <utility>

#include "sc_models/ids.h"
#include "tlm_bus/state_image.h"
#include "toolchain/arch_state/tesla/generation.h"

namespace gt200::model {
namespace {

// The extension of the fills of a cache; the cache adds a count to the id.
memory_extension origin_of(const sm_position& position, id_kind fills) {
  memory_extension origin;
  origin.transaction_id = id_base(fills, position.in_chip());
  origin.tpc = static_cast<std::uint8_t>(position.tpc);
  origin.sm = static_cast<std::uint8_t>(position.sm);
  return origin;
}

// When the register file is accessed slice by slice: while the SPs, to which the slices belong, work lane by lane.
detail_window slices_window(const sm_surroundings& in, const sm_position& position) {
  const config::units_config& units = in.config.tpc.sm.units;
  return units.sp ? detail_window(units, position.in_chip(), in.core, 1) : detail_window();
}

}  // namespace

tesla_sm::tesla_sm(const sc_core::sc_module_name& name, const sm_surroundings& in, const sm_position& position,
                   std::shared_ptr<decoded_instructions> decoded, std::shared_ptr<const unit_list> unit_list,
                   const sm_structure& structure)
    : sm_if(name),
      config_(in.config.tpc.sm),
      decoded_(std::move(decoded)),
      units_(std::move(unit_list)),
      generation_(decoded_->generation()),
      share_(in.config.idealisations.no_divergence_cost, in.config.tpc.sm.issue.drops_unexecuted),
      units(*units_),
      block_control("block_control", in.core, in.config.tpc.sm, generation_.values(), position.sm),
      fetch("fetch", in.core, in.config.tpc.sm),
      icache("icache", in.core, in.config.tpc.sm, *decoded_, origin_of(position, id_kind::instruction_fill),
             in.config.idealisations.perfect_caches),
      decode("decode", in.core, in.config.tpc.sm, *decoded_, id_base(id_kind::instruction, position.in_chip()) + 1),
      scoreboard("scoreboard", in.core, in.config.tpc.sm, position.in_chip(), generation_.values()),
      instruction_buffer("instruction_buffer", in.core, in.config.tpc.sm, units),
      issue("issue", in.core, in.config.tpc.sm, units, position.sm, position.in_chip(), share_),
      simt_stack("simt_stack", in.config.tpc.sm, generation_),
      branch("branch", in.core, in.config.tpc.sm, share_),
      stack_memory("stack_memory", in.core, in.config.tpc.sm, stack_layout_of(in.config, generation_.values()),
                   position.sm, position.in_chip()),
      barrier("barrier", in.core, in.config.tpc.sm, generation_),
      operand_collector("operand_collector", in.core, in.config.tpc.sm, units, generation_, position.tpc,
                        in.config.idealisations.no_bank_conflicts, share_),
      register_file("register_file", in.config.tpc.sm, slices_window(in, position), generation_.values()),
      execution_units("execution_units", in.shader, in.config.tpc.sm, units, share_, position.in_chip(), &in.core),
      shared_memory("shared_memory", in.core, in.config.tpc.sm, units, generation_,
                    in.config.idealisations.no_bank_conflicts, share_, structure.shared_banks),
      constant_cache("constant_cache", in.core, in.config.tpc.sm, origin_of(position, id_kind::constant_fill),
                     in.config.idealisations.perfect_caches),
      memory_port("memory_port", in.core, in.config.tpc.sm, share_),
      write_back("write_back", in.core, in.config.tpc.sm, units, share_, execution_units.units_by_lane()),
      instruction_pool("instruction_pool"),
      joined_({fetch, icache, decode, scoreboard, instruction_buffer, issue, simt_stack, block_control,
               instruction_pool, units},
              in.config.tpc.sm) {
  // Blocks
  block_control.start.bind(fetch.start);
  block_control.registers.bind(register_file.allocations);
  block_control.register_values.bind(register_file.initial_writes);
  block_control.shared_memory.bind(shared_memory);
  block_control.simt_stack.bind(simt_stack);
  // Loop 1
  fetch.out.bind(icache.requests);
  fetch.instruction_buffer.bind(instruction_buffer);
  fetch.reservations.bind(instruction_buffer.reservations);
  fetch.scoreboard.bind(scoreboard);
  fetch.icache.bind(icache);
  fetch.issue_order.bind(issue);
  icache.out.bind(decode.in);
  decode.control.bind(fetch.control);
  decode.lookups.bind(scoreboard.lookups);
  decode.answers.bind(scoreboard.answers);
  decode.buffer_writes.bind(instruction_buffer.writes);
  decode.scoreboard.bind(scoreboard);
  scoreboard.dependency_updates.bind(instruction_buffer.dependency_updates);
  scoreboard.instruction_buffer.bind(instruction_buffer);
  // Loop 2
  issue.instruction_buffer.bind(instruction_buffer);
  issue.removals.bind(instruction_buffer.removals);
  issue.simt_stack.bind(simt_stack);
  issue.scoreboard.bind(scoreboard);
  issue.allocations.bind(scoreboard.allocations);
  issue.icache.bind(icache);
  issue.block_control.bind(block_control);
  issue.blocks.bind(block_control);
  issue.pool.bind(instruction_pool);
  issue.announce_operands(register_file);
  if (config_.issue.drops_unexecuted) issue.drop_unexecuted(generation_);
  issue.to_collector.bind(operand_collector.from_issue);
  operand_collector.register_file.bind(register_file.reads);
  operand_collector.constant_cache.bind(constant_cache);
  operand_collector.constant_reads.bind(constant_cache.reads);
  operand_collector.constant_line_fetches.bind(constant_cache.line_fetches);
  for (unsigned u = 0; u < units.units().size(); ++u)
    operand_collector.to_units[u].bind(execution_units.groups[u].from_collector);
  if (structure.binds_memories) {
    operand_collector.to_shared_memory.bind(shared_memory.in);
    operand_collector.to_memory_port.bind(memory_port.in);
  }
  operand_collector.to_barrier.bind(barrier.in);
  operand_collector.to_branch.bind(branch.in);
  for (unsigned i = 0; i < units.shared_operand_units().size(); ++i)
    shared_memory.to_units[i].bind(*execution_units.groups[units.shared_operand_units()[i]].from_shared_memory);
  if (config_.warp_formation != config::warp_formation::fixed)
    form_warps(in);
  else
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
  for (unsigned r = 0; r < units.results().size(); ++r) {
    const unit_result& result = units.results()[r];
    execution_units.groups[result.unit].results[result.number].bind(write_back.from_units[r]);
  }
  shared_memory.out.bind(write_back.from_shared_memory);
  memory_port.nothing_to_do.bind(write_back.from_memory_port);
  branch.out.bind(write_back.from_branch);
  barrier.out.bind(write_back.from_barrier);
  write_back.register_file.bind(register_file.writes);
  unsigned lanes = 0;
  for (unit_group& group : execution_units.groups)
    for (unsigned u = 0; u < group.units(); ++u) group.unit(u).result.bind(write_back.lanes[lanes++]);
  write_back.scoreboard.bind(scoreboard.releases);
  write_back.block_control.bind(block_control);
  write_back.stack_memory.bind(stack_memory);
  write_back.pool.bind(instruction_pool);
  // What damage to the storage needs to know
  register_file.follow(block_control);
  shared_memory.follow(block_control);
  shared_memory.tell(issue, config_.issue.sp_hold_cycles > shader_cycles(0));
  simt_stack.follow(block_control);
  instruction_buffer.decode_with(*decoded_);
  if (config_.register_file.sharing != config::register_sharing::none) share_registers(in);
}

// The former stands between branch unit and fetch.
void tesla_sm::form_warps(const sm_surroundings& in) {
  warp_former =
      std::make_unique<gt200::model::warp_former>("warp_former", in.core, config_, generation_, block_control);
  branch.redirect.bind(warp_former->in);
  warp_former->out.bind(fetch.redirect);
  warp_former->block_control.bind(block_control);
  block_control.form_warps(*warp_former);
  issue.form_warps(*warp_former);
  branch.form_warps(*warp_former);
  barrier.form_warps(*warp_former);
  write_back.form_warps(*warp_former);
}

void tesla_sm::share_registers(const sm_surroundings& in) {
  section_pool = std::make_unique<gt200::model::section_pool>("section_pool", in.core, config_, register_file);
  block_control.share_registers(*section_pool);
  issue.share_registers(*section_pool);
  branch.share_registers(*section_pool);
}

sm_sizes tesla_sm::sizes() const {
  const arch_state::generation_values& values = generation_.values();
  sm_sizes sizes;
  sizes.warps = config_.limits.warps;
  sizes.blocks = config_.limits.blocks;
  sizes.registers = config_.limits.registers_per_thread;
  sizes.predicates = values.predicates;
  sizes.predicate_bits = values.predicate_bits;
  sizes.address_registers = values.address_registers;
  sizes.address_register_bits = values.address_register_bits;
  sizes.shared_bytes = config_.limits.shared_bytes;
  sizes.shared_banks = config_.shared_memory.banks;
  sizes.buffered = config_.instruction_buffer.entries_per_warp;
  if (config_.scoreboard.mechanism == config::scoreboard_mechanism::coon)
    sizes.scoreboard_entries = config_.scoreboard.entries_per_warp;
  return sizes;
}

sm_factory tesla_sms(const config::gpu_config& config) {
  return tesla_sms(std::make_shared<const arch_state::tesla::generation>(
      config.chip.capability(), config.tpc.sm.simt_stack, config.tpc.sm.branch.comparisons));
}

sm_factory tesla_sms(std::shared_ptr<const arch_state::generation> generation) {
  return {generation,
          [decoded = decoded_instructions_of_tpcs(generation), units = std::shared_ptr<const unit_list>()](
              const char* name, const sm_surroundings& surroundings, const sm_position& position) mutable {
            if (units == nullptr) units = std::make_shared<const unit_list>(surroundings.config.tpc.sm);
            return std::make_unique<tesla_sm>(name, surroundings, position, decoded.of(position.tpc), units);
          }};
}

void tesla_sm::visit_state(tlm_bus::state_image& state) {
  state.fixed(share_, probe_);
  state(joined_);
}

}  // namespace gt200::model
