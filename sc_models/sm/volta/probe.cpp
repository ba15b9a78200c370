#include "sc_models/sm/volta/probe.h"

#include "sc_models/sm/volta/sm.h"

namespace gt200::model {

// -- accounting --

unsigned volta_sm_probe::schedulers() const { return static_cast<unsigned>(sm_.blocks.size()); }
slot_counts volta_sm_probe::slots_until(unsigned scheduler, core_cycle until) const {
  return sm_.blocks[scheduler].issue.accounting().slots_until(0, until);
}
slot_profile volta_sm_probe::profile_until(core_cycle until) const {
  slot_profile sum(sm_.sizes().warps);
  for (const processing_block& block : sm_.blocks) sum += block.issue.accounting().profile_until(until);
  return sum;
}
std::uint64_t volta_sm_probe::resident_warp_cycles_until(core_cycle until) const {
  std::uint64_t sum = 0;
  for (const processing_block& block : sm_.blocks)
    sum += block.issue.accounting().resident_warp_cycles_until(until);
  return sum;
}
std::uint64_t volta_sm_probe::miss_starved_warp_cycles_until(core_cycle until) const {
  std::uint64_t sum = 0;
  for (const processing_block& block : sm_.blocks)
    sum += block.issue.accounting().miss_starved_warp_cycles_until(until);
  return sum;
}

// -- progress --

std::uint64_t volta_sm_probe::instructions_issued() const {
  std::uint64_t sum = 0;
  for (const processing_block& block : sm_.blocks) sum += block.issue.issued.value();
  return sum;
}
std::uint64_t volta_sm_probe::instructions_completed() const {
  std::uint64_t sum = 0;
  for (const processing_block& block : sm_.blocks) sum += block.operand_path.completed.value();
  return sum;
}
std::uint64_t volta_sm_probe::blocks_retired() const { return sm_.block_control.blocks_retired.value(); }
std::uint64_t volta_sm_probe::memory_operations_sent() const { return sm_.memory_port.operations.value(); }

// -- state --

const fault_record& volta_sm_probe::fault() const { return sm_.block_control.fault(); }
unsigned volta_sm_probe::resident_blocks() const { return sm_.block_control.resident_blocks(); }
warp_mask volta_sm_probe::resident_warps() const {
  return sm_.block_control.resident().read(sm_.block_control.domain().cycle());
}

warp_status volta_sm_probe::status_of(warp_slot warp) const {
  processing_block& block = sm_.block_of(warp);
  warp_instruction place;
  sm_.block_control.describe(warp, place);
  warp_status status;
  status.block_id = place.block_id;
  status.warp_in_block = place.warp_in_block;
  status.unfinished =
      (sm_.block_control.unfinished().read(sm_.block_control.domain().cycle()) & warp_bit(warp)) != 0;
  status.last_issued = block.issue.last_issued(warp);
  if (status.unfinished) status.cause = block.issue.waits_for(warp);
  if ((block.instruction_buffer.occupied() & warp_bit(warp)) != 0) {
    const buffered_instruction& oldest = block.instruction_buffer.oldest(warp);
    status.oldest = {oldest.instruction, oldest.pc,
                     block.gate.waits_for(warp, *oldest.instruction) != stall_cause::none, oldest.id};
  }
  status.barrier = barrier_of(warp, place.block_slot);
  status.fetch = fetch_state_of(warp);
  status.next_fetch = block.fetch.next_pc(warp);
  return status;
}

std::optional<warp_status::barrier_wait> volta_sm_probe::barrier_of(warp_slot warp, block_slot block) const {
  for (unsigned id = 0; id < thread_barrier::per_block; ++id) {
    const warp_mask waiting = sm_.barrier.waiting(block, id);
    if ((waiting & warp_bit(warp)) != 0)
      return warp_status::barrier_wait{id, static_cast<unsigned>(__builtin_popcountll(waiting)),
                                       sm_.block_control.unfinished_warps(block)};
  }
  return {};
}

warp_status::fetch_state volta_sm_probe::fetch_state_of(warp_slot warp) const {
  using state = warp_status::fetch_state;
  const processing_block& block = sm_.block_of(warp);
  const warp_mask bit = warp_bit(warp);
  if ((block.icache.missing().read(block.icache.cycle()) & bit) != 0) return state::missing;
  if (block.instruction_buffer.reserved(warp) != 0) return state::under_way;
  if ((block.fetch.runnable() & bit) == 0) return state::stopped;
  return state::free;
}

std::vector<const warp_instruction*> volta_sm_probe::in_flight() const {
  return sm_.instruction_pool.instructions_in_flight();
}

std::string volta_sm_probe::unit_of(const warp_instruction& operation) const {
  const std::string block = std::string(sm_.block_of(operation.warp).name()) + ".";
  switch (path_of(*operation.instruction)) {
    case issue_path::control: return block + "branch_unit or the barrier";
    case issue_path::memory:
      if (operation.space() == isa::memory_space::shared) return block + "operand_path or behind it, shared_memory";
      return "";
    default: return block + "operand_path";
  }
}

const sc_core::sc_object& volta_sm_probe::icache_of(warp_slot warp) const { return sm_.block_of(warp).icache; }
const sc_core::sc_object& volta_sm_probe::register_file_of(warp_slot warp) const {
  return sm_.block_of(warp).register_file;
}
const sc_core::sc_object& volta_sm_probe::dependencies_of(warp_slot warp) const { return sm_.block_of(warp).gate; }
const arch_state::register_rows& volta_sm_probe::registers_of(warp_slot warp) const {
  return sm_.block_of(warp).register_file.rows(warp);
}
const std::uint8_t* volta_sm_probe::shared_bytes_of(block_slot block) const {
  return sm_.shared_memory.bytes_of(block);
}
unsigned volta_sm_probe::shared_size_of(block_slot block) const { return sm_.shared_memory.size_of(block); }
sm_sizes volta_sm_probe::sizes() const { return sm_.sizes(); }
const arch_state::divergence& volta_sm_probe::divergence_of(warp_slot warp) const {
  return sm_.simt_stack.state(warp);
}
unsigned volta_sm_probe::buffered_of(warp_slot warp) const {
  return sm_.block_of(warp).instruction_buffer.buffered(warp);
}
const buffered_instruction& volta_sm_probe::buffered_at(warp_slot warp, unsigned position) const {
  return sm_.block_of(warp).instruction_buffer.at(warp, position);
}
block_slot_state volta_sm_probe::slot_state_of(block_slot block) const { return sm_.block_control.state_at(block); }

// -- taps --

std::vector<sm_probe::issue_tap*> volta_sm_probe::issue_taps() {
  std::vector<issue_tap*> taps;
  for (processing_block& block : sm_.blocks)
    for (auto& pipe : block.operand_path.from_issue) taps.push_back(&pipe.observers());
  return taps;
}
std::vector<module_tap<instruction_buffer_observer>> volta_sm_probe::instruction_buffer_taps() {
  std::vector<module_tap<instruction_buffer_observer>> taps;
  for (processing_block& block : sm_.blocks)
    taps.push_back({block.instruction_buffer, block.instruction_buffer.observers()});
  return taps;
}
module_tap<scoreboard_observer> volta_sm_probe::scoreboard_tap() {
  return {sm_.blocks.front().gate, no_scoreboard_};
}
module_tap<arbitration_observer> volta_sm_probe::arbitration_tap(unsigned scheduler) {
  gated_issue& issue = sm_.blocks[scheduler].issue;
  return {issue, issue.observers()};
}
module_tap<shared_memory_observer> volta_sm_probe::shared_memory_tap() {
  return {sm_.shared_memory, sm_.shared_memory.observers()};
}
std::vector<module_tap<write_back_observer>> volta_sm_probe::write_back_taps() {
  std::vector<module_tap<write_back_observer>> taps;
  for (processing_block& block : sm_.blocks) taps.push_back({block.operand_path, sm_.completions()});
  return taps;
}

}  // namespace gt200::model
