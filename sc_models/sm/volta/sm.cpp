#include "sc_models/sm/volta/sm.h"

#include <string>
#include <utility>

#include "sc_models/machine_size.h"
#include "tlm_bus/state_image.h"
#include "toolchain/arch_state/volta/generation.h"

namespace gt200::model {
namespace {

config::sm_config config_of_block(config::sm_config config) {
  config.limits.registers /= config.processing_block.blocks;
  return config;
}

// From the issue until shared memory has performed an access, and from its result to the next issue.
core_cycles way_around_shared_memory(const config::sm_config& config) {
  constexpr core_cycles stages{3};      // arbiter, load/store unit, shared memory, and the way to write-back
  constexpr core_cycles write_back{2};  // and the release of the dependency barrier
  return config.processing_block.memory_read_cycles + stages + write_back;
}

core_cycles shared_latency(const config::sm_config& config) {
  const core_cycles all = config.clocks.to_core(config.shared_memory.latency_cycles);
  const core_cycles around = way_around_shared_memory(config);
  return all > around ? all - around : core_cycles(1);
}

}  // namespace

volta_sm::volta_sm(const sc_core::sc_module_name& name, const sm_surroundings& in, const sm_position& position,
                   std::shared_ptr<decoded_instructions> decoded, std::shared_ptr<const unit_list> units)
    : sm_if(name),
      config_(in.config.tpc.sm),
      block_config_(config_of_block(in.config.tpc.sm)),
      decoded_(std::move(decoded)),
      units_(std::move(units)),
      generation_(decoded_->generation()),
      share_(in.config.idealisations.no_divergence_cost),
      block_control("block_control", in.core, config_, generation_.values(), position.sm),
      warp_router("warp_router", in.core, config_),
      simt_stack("simt_stack", config_, generation_),
      barrier("barrier", in.core, config_, generation_),
      memory_arbiter("memory_arbiter", in.core, config_),
      load_store_unit("load_store_unit", in.core, config_, generation_.values(), true),
      shared_memory("shared_memory", in.core, config_, *units_, generation_,
                    in.config.idealisations.no_bank_conflicts, share_, bank_rule::warp),
      memory_port("memory_port", in.core, config_, share_),
      result_router("result_router", in.core, config_, shared_latency(config_), load_store_unit.parts()),
      instruction_pool("instruction_pool") {
  const processing_block::surroundings shared = {in.core, in.config,    block_config_, *decoded_,
                                                 *units_, completions_, position};
  for (unsigned b = 0; b < config_.processing_block.blocks; ++b)
    blocks.emplace_back(("block_" + std::to_string(b)).c_str(), shared, b);

  block_control.start.bind(warp_router.start);
  block_control.registers.bind(warp_router.allocations);
  block_control.register_values.bind(warp_router.initial_writes);
  block_control.shared_memory.bind(shared_memory);
  block_control.simt_stack.bind(simt_stack);
  for (unsigned b = 0; b < blocks.size(); ++b) {
    processing_block& block = blocks[b];
    warp_router.starts[b].bind(block.fetch.start);
    warp_router.to_register_files[b].bind(block.register_file.allocations);
    warp_router.writes_to_register_files[b].bind(block.register_file.initial_writes);
    block.issue.simt_stack.bind(simt_stack);
    block.issue.block_control.bind(block_control);
    block.issue.blocks.bind(block_control);
    block.issue.pool.bind(instruction_pool);
    block.issue.barriers_of_sm.bind(barrier);
    block.operand_path.block_control.bind(block_control);
    block.operand_path.pool.bind(instruction_pool);
    block.operand_path.to_memory.bind(memory_arbiter.from_blocks[b]);
    result_router.to_blocks[b].bind(block.operand_path.memory_results);
    block.branch_unit.simt_stack.bind(simt_stack);
    block.branch_unit.paths.bind(simt_stack);
    block.branch_unit.block_control.bind(block_control);
    block.branch_unit.blocks.bind(block_control);
    block.branch_unit.barrier.bind(barrier);
    block.branch_unit.to_barrier.bind(barrier.in[b]);
    barrier.out[b].bind(block.branch_unit.from_barrier);
    barrier.release[b].bind(block.branch_unit.released);
    block.register_file.follow(block_control);  // for damage to the storage
  }
  shared_memory.follow(block_control);
  simt_stack.follow(block_control);
  barrier.memory_order.bind(memory_arbiter);
  memory_arbiter.to_load_store_unit.bind(load_store_unit.from_collector);
  memory_arbiter.shared_to_load_store_unit.bind(load_store_unit.from_shared_collector);
  memory_arbiter.stack_accesses.bind(memory_port.from_stack);
  load_store_unit.to_shared_memory.bind(shared_memory.in);
  load_store_unit.to_memory_port.bind(memory_port.in);
  result_router.block_control.bind(block_control);
  shared_memory.out.bind(result_router.from_shared_memory);
  memory_port.nothing_to_do.bind(result_router.from_memory_port);
}

std::vector<tlm_bus::memory_initiator<tlm_bus::base_protocol>*> volta_sm::fills() {
  std::vector<tlm_bus::memory_initiator<tlm_bus::base_protocol>*> all;
  for (processing_block& block : blocks) {
    all.push_back(&block.icache.fill);
    all.push_back(&block.constant_cache.fill);
  }
  return all;
}

std::vector<cache_control_if*> volta_sm::caches() {
  std::vector<cache_control_if*> all;
  for (processing_block& block : blocks) {
    all.push_back(&block.icache);
    all.push_back(&block.constant_cache);
  }
  return all;
}

sm_sizes volta_sm::sizes() const {
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
  return sizes;
}

sm_factory volta_sms(const config::gpu_config& config) {
  auto generation = std::make_shared<const arch_state::volta::generation>(machine_size_of(config));
  unit_options options;
  options.one_memory_class = true;
  options.shared_operands = false;
  options.shared_memory_interval = shader_cycles(2);
  const auto units = std::make_shared<const unit_list>(config.tpc.sm, options);
  // The instruction and the constant cache of each processing block.
  const unsigned fills = 2 * config.tpc.sm.processing_block.blocks;
  return {generation,
          [decoded = decoded_instructions_of_tpcs(generation), units](
              const char* name, const sm_surroundings& surroundings, const sm_position& position) mutable {
            return std::make_unique<volta_sm>(name, surroundings, position, decoded.of(position.tpc), units);
          },
          fills};
}

void volta_sm::visit_state(tlm_bus::state_image& state) { state.fixed(block_config_, share_, probe_); }

}  // namespace gt200::model
