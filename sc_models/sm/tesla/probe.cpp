#include "sc_models/sm/tesla/probe.h"

#include "sc_models/sm/cosimulation/rtl_schedulers.h"
#include "sc_models/sm/tesla/sm.h"

namespace gt200::model {

// -- accounting --

unsigned tesla_sm_probe::schedulers() const { return sm_.issue.schedulers(); }
slot_counts tesla_sm_probe::slots_until(unsigned scheduler, core_cycle until) const {
  return sm_.issue.slots_until(scheduler, until);
}
slot_profile tesla_sm_probe::profile_until(core_cycle until) const { return sm_.issue.profile_until(until); }
std::uint64_t tesla_sm_probe::resident_warp_cycles_until(core_cycle until) const {
  return sm_.issue.resident_warp_cycles_until(until);
}
std::uint64_t tesla_sm_probe::miss_starved_warp_cycles_until(core_cycle until) const {
  return sm_.issue.miss_starved_warp_cycles_until(until);
}
std::uint64_t tesla_sm_probe::dependency_probes_until(core_cycle until) const {
  return sm_.scoreboard.probes_until(until);
}
tracking_cost tesla_sm_probe::dependency_hardware() const { return sm_.scoreboard.cost(); }

// -- progress --

std::uint64_t tesla_sm_probe::instructions_issued() const { return sm_.issue.issued.value(); }
std::uint64_t tesla_sm_probe::instructions_completed() const { return sm_.write_back.completed.value(); }
std::uint64_t tesla_sm_probe::blocks_retired() const { return sm_.block_control.blocks_retired.value(); }
std::uint64_t tesla_sm_probe::memory_operations_sent() const { return sm_.memory_port.operations.value(); }

// -- state --

const fault_record& tesla_sm_probe::fault() const { return sm_.block_control.fault(); }
unsigned tesla_sm_probe::resident_blocks() const { return sm_.block_control.resident_blocks(); }
warp_mask tesla_sm_probe::resident_warps() const {
  return sm_.block_control.resident().read(sm_.block_control.domain().cycle());
}

warp_status tesla_sm_probe::status_of(warp_slot warp) const {
  sm_.part_stages();
  warp_instruction place;
  sm_.block_control.describe(warp, place);
  warp_status status;
  status.block_id = place.block_id;
  status.warp_in_block = place.warp_in_block;
  status.unfinished =
      (sm_.block_control.unfinished().read(sm_.block_control.domain().cycle()) & warp_bit(warp)) != 0;
  status.last_issued = sm_.issue.last_issued(warp);
  if (status.unfinished) status.cause = sm_.issue.waits_for(warp);
  // The last one may have issued in this very cycle.
  if ((sm_.instruction_buffer.occupied() & warp_bit(warp)) != 0 && sm_.instruction_buffer.buffered(warp) != 0) {
    const buffered_instruction& oldest = sm_.instruction_buffer.oldest(warp);
    status.oldest = {oldest.instruction, oldest.pc, oldest.dependencies != 0, oldest.id};
  }
  status.barrier = barrier_of(warp, place.block_slot);
  if (status.cause == stall_cause::register_section) {
    const section_mask sections = sm_.section_pool->sections_for(warp);
    status.section = {static_cast<unsigned>(__builtin_popcountll(sections)),
                      sm_.section_pool->holders_of(sections)};
  }
  status.forming = forming_of(warp, place.block_slot);
  status.formed = homes_of(warp);
  status.fetch = fetch_state_of(warp);
  status.next_fetch = sm_.fetch.next_pc(warp);
  return status;
}

std::optional<warp_status::barrier_wait> tesla_sm_probe::barrier_of(warp_slot warp, block_slot block) const {
  for (unsigned id = 0; id < sm_.barrier.per_block(); ++id) {
    const warp_mask waiting = sm_.barrier.waiting(block, id);
    if ((waiting & warp_bit(warp)) != 0)
      return warp_status::barrier_wait{id, static_cast<unsigned>(__builtin_popcountll(waiting)),
                                       sm_.block_control.unfinished_warps(block)};
  }
  return {};
}

std::optional<warp_status::formation_wait> tesla_sm_probe::forming_of(warp_slot warp, block_slot block) const {
  if (sm_.warp_former == nullptr) return {};
  const warp_former& former = *sm_.warp_former;
  if ((former.forming().next() & warp_bit(warp)) == 0) return {};
  return warp_status::formation_wait{former.unfinished_threads(block), former.parked_threads(block),
                                     former.pool().threads_of(block)};
}

std::optional<std::vector<warp_status::home_warp>> tesla_sm_probe::homes_of(warp_slot warp) const {
  if (sm_.warp_former == nullptr) return {};
  std::vector<warp_status::home_warp> homes;
  const formed_lanes& threads = sm_.warp_former->threads_in(warp);
  for_each_home(threads, sm_.warp_former->active_mask(warp), [&](unsigned lane, isa::lane_mask lanes) {
    warp_instruction home;
    sm_.block_control.describe(warp_slot(threads.slot[lane]), home);
    homes.push_back({static_cast<unsigned>(__builtin_popcount(lanes)), home.block_id, home.warp_in_block});
  });
  return homes;
}

warp_status::fetch_state tesla_sm_probe::fetch_state_of(warp_slot warp) const {
  using state = warp_status::fetch_state;
  const warp_mask bit = warp_bit(warp);
  if ((sm_.icache.missing().read(sm_.icache.cycle()) & bit) != 0) return state::missing;
  if (sm_.instruction_buffer.reserved(warp) != 0) return state::under_way;
  if ((sm_.fetch.runnable() & bit) == 0) return state::stopped;
  if ((sm_.scoreboard.has_room().read(sm_.issue.cycle()) & bit) == 0) return state::scoreboard_full;
  return state::free;
}

std::vector<const warp_instruction*> tesla_sm_probe::in_flight() const {
  return sm_.instruction_pool.instructions_in_flight();
}

std::string tesla_sm_probe::unit_of(const warp_instruction& operation) const {
  const collector_class c = sm_.units.collector_of(*operation.instruction);
  const bool in_shared_memory = operation.space() == isa::memory_space::shared;
  if (c == sm_.units.memory() && !in_shared_memory) return "";
  const std::string collector = std::string(sm_.operand_collector.name()) + " or behind it, ";
  if (c == sm_.units.shared() || in_shared_memory) return collector + "shared_memory";
  if (c == sm_.units.control())
    return collector + (operation.instruction->unit == isa::unit_class::barrier ? "barrier" : "branch");
  return collector + sm_.units.units()[as_index(c)].name;
}

const sc_core::sc_object& tesla_sm_probe::icache_of(warp_slot) const { return sm_.icache; }
const sc_core::sc_object& tesla_sm_probe::register_file_of(warp_slot) const { return sm_.register_file; }
const sc_core::sc_object& tesla_sm_probe::dependencies_of(warp_slot) const { return sm_.scoreboard; }
const arch_state::register_rows& tesla_sm_probe::registers_of(warp_slot warp) const {
  return sm_.register_file.rows(warp);
}
const std::uint8_t* tesla_sm_probe::shared_bytes_of(block_slot block) const {
  return sm_.shared_memory.bytes_of(block);
}

unsigned tesla_sm_probe::shared_size_of(block_slot block) const { return sm_.shared_memory.size_of(block); }
sm_sizes tesla_sm_probe::sizes() const { return sm_.sizes(); }
const arch_state::divergence& tesla_sm_probe::divergence_of(warp_slot warp) const {
  return sm_.simt_stack.state(warp);
}
unsigned tesla_sm_probe::buffered_of(warp_slot warp) const {
  sm_.part_stages();
  return sm_.instruction_buffer.buffered(warp);
}
const buffered_instruction& tesla_sm_probe::buffered_at(warp_slot warp, unsigned position) const {
  sm_.part_stages();
  return sm_.instruction_buffer.at(warp, position);
}
block_slot_state tesla_sm_probe::slot_state_of(block_slot block) const { return sm_.block_control.state_at(block); }

// -- taps --

std::vector<sm_probe::issue_tap*> tesla_sm_probe::issue_taps() {
  std::vector<issue_tap*> taps;
  for (auto& pipe : sm_.operand_collector.from_issue) taps.push_back(&pipe.observers());
  return taps;
}
std::vector<module_tap<instruction_buffer_observer>> tesla_sm_probe::instruction_buffer_taps() {
  return {{sm_.instruction_buffer, sm_.instruction_buffer.observers()}};
}
module_tap<scoreboard_observer> tesla_sm_probe::scoreboard_tap() {
  return {sm_.scoreboard, sm_.scoreboard.observers()};
}
module_tap<arbitration_observer> tesla_sm_probe::arbitration_tap(unsigned scheduler) {
  return {sm_.issue, sm_.issue.observers(scheduler)};
}
module_tap<shared_memory_observer> tesla_sm_probe::shared_memory_tap() {
  return {sm_.shared_memory, sm_.shared_memory.observers()};
}
std::vector<module_tap<write_back_observer>> tesla_sm_probe::write_back_taps() {
  return {{sm_.write_back, sm_.write_back.observers()}};
}

tlm_bus::tap<section_observer>* tesla_sm_probe::section_tap() {
  return sm_.section_pool == nullptr ? nullptr : &sm_.section_pool->observers();
}

std::vector<lockstep_comparison*> tesla_sm_probe::lockstep_comparisons() {
  std::vector<lockstep_comparison*> result;
  if (compared_tracker* tracker = sm_.scoreboard.lockstep(); tracker != nullptr)
    result.push_back(&tracker->comparison());
  for (unsigned i = 0; i < sm_.issue.schedulers(); ++i)
    if (const auto* policy = dynamic_cast<const watched_scheduler*>(&sm_.issue.policy(i)); policy != nullptr)
      result.push_back(&policy->comparison());
  for (unit_group& group : sm_.execution_units.groups)
    for (unsigned u = 0; u < group.units(); ++u)
      if (watched_sp* rtl = group.unit(u).rtl(); rtl != nullptr) result.push_back(&rtl->comparison());
  return result;
}

}  // namespace gt200::model
