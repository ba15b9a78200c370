#include "sc_models/sm/volta/memory_arbiter.h"

#include <string>

#include "tlm_bus/state_image.h"

namespace gt200::model {

memory_arbiter::memory_arbiter(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                               const config::sm_config& config)
    : core_stage(name, domain),
      from_blocks("from_blocks", config.processing_block.blocks,
                  [&](const char*, std::size_t b) {
                    return new tlm_bus::pipe_in<collected_token>(("from_block_" + std::to_string(b)).c_str(), *this,
                                                                 config.operand_collector.unit_queue_entries);
                  }),
      to_load_store_unit("to_load_store_unit", *this),
      shared_to_load_store_unit("shared_to_load_store_unit", *this),
      stack_accesses("stack_accesses", *this),
      interval_(config.clocks.to_core(config.memory_port.interval_cycles)),
      order_(config.processing_block.blocks) {}

void memory_arbiter::tick() {
  std::uint64_t waiting = 0;
  for (unsigned b = 0; b < from_blocks.size(); ++b)
    if (from_blocks[b].front() != nullptr) waiting |= std::uint64_t{1} << b;
  if (waiting == 0) return;
  if (cycle() < free_at_) return wake_at(free_at_);
  const int chosen = order_.choose(waiting);
  auto& from = from_blocks[static_cast<std::size_t>(chosen)];
  warp_instruction* operation = from.front()->operation;
  auto& to = operation->instruction->access.space == isa::memory_space::shared ? shared_to_load_store_unit
                                                                               : to_load_store_unit;
  if (!to.can_send()) return;
  to.send({operation});
  from.pop();
  order_.granted(chosen);
  ++instructions;
  last_ = operation->warp;
  last_at_ = cycle();
  ++passed_[last_];
  free_at_ = cycle() + interval_;
  if ((waiting & (waiting - 1)) != 0) wake_at(free_at_);
}

std::uint32_t memory_arbiter::passed(warp_slot warp) const {
  const bool since_the_edge = warp == last_ && last_at_ == core_cycle(domain().cycle());
  return passed_[warp] - (since_the_edge ? 1 : 0);
}

result_router::result_router(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                             const config::sm_config& config, core_cycles shared_latency, instruction_parts& parts)
    : core_stage(name, domain),
      from_shared_memory("from_shared_memory", *this,
                         config.write_back.queue_entries + static_cast<unsigned>(shared_latency.count()),
                         static_cast<unsigned>(shared_latency.count())),
      from_memory_port("from_memory_port", *this, config.write_back.queue_entries),
      from_memory("from_memory", *this, config.write_back.queue_entries),
      to_blocks("to_blocks", config.processing_block.blocks,
                [&](const char*, std::size_t b) {
                  return new tlm_bus::pipe_out<executed_token>(("to_block_" + std::to_string(b)).c_str(), *this);
                }),
      block_control("block_control"),
      parts_(parts) {}

template <class Token>
void result_router::pass(tlm_bus::pipe_in<Token>& source) {
  const Token* token = source.front();
  if (token == nullptr) return;
  warp_instruction* operation = token->operation;
  auto& to = to_blocks[operation->warp.index() % to_blocks.size()];
  if (!to.can_send()) return;
  if (parts_.any()) operation = parts_.ended(*operation);
  if (operation != nullptr) to.send({operation});
  source.pop();
}

// A part of an instruction does not count: the instruction is sent with the last one, which is not known here.
bool result_router::note_sent_store() {
  const memory_completion_token* token = from_memory.front();
  if (token == nullptr || !token->sent) return false;
  if (!parts_.is_part(*token->operation)) block_control->store_sent(*token->operation);
  from_memory.pop();
  return true;
}

void result_router::tick() {
  const bool sent = note_sent_store();
  // The first one changes from cycle to cycle, whether this stage slept or not.
  const auto first = static_cast<unsigned>(cycle().number() % 3);
  for (unsigned k = 0; k < 3; ++k) {
    switch ((first + k) % 3) {
      case 0: pass(from_shared_memory); break;
      case 1: pass(from_memory_port); break;
      default:
        if (!sent) pass(from_memory);
        break;
    }
  }
}

void memory_arbiter::visit_state(tlm_bus::state_image& state) {
  state.fixed(interval_);
  state(free_at_, order_, passed_, last_, last_at_);
}

}  // namespace gt200::model
