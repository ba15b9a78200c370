#include "observe/checker/checker_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "observe/checker/record_parts.h"
#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/bits.h"

namespace gt200::observe {

namespace {

using arch_state::fault_kind;
using arch_state::step_state;
using isa::access_kind;
using isa::memory_space;

std::string name_of(const isa::register_range& range) {
  constexpr const char* files[] = {"$r", "$c", "$a"};
  std::string name = files[static_cast<std::size_t>(range.file)] + std::to_string(range.first);
  if (range.count > 1) name += ".." + std::to_string(range.first + range.count - 1);
  return name;
}

// Performs what the lanes of `r` do in shared memory.
void perform_shared(const in_flight& f, reference_block& block, arch_state::step_record& r) {
  if (!f.reaches_several()) return block.perform_shared(r);
  arch_state::step_record part = r;
  keep_lanes(part, f.shared_lanes);
  part.access.space = memory_space::shared;
  part.access.generic = false;
  block.perform_shared(part);
  merge_part(r, part);
}

}  // namespace

// -- issue --

void checker::state::issued(unsigned sm, const model::warp_instruction& operation) {
  checked_cluster& cluster = cluster_of(sms_[sm]);
  if (difference_ || cluster.difference) return;
  if (model::is_meeting(*operation.instruction)) {
    ++cluster.counts.reconvergences;
    return;
  }
  if (!checking(cluster) || sms_[sm].warps[operation.warp].faulted) return;
  in_flight& f = *cluster.pool.get();
  f.operation = &operation;
  f.id = operation.id;
  f.sequence = operation.sequence;
  f.fault = fault_kind::none;
  f.device_memory = false;
  f.shared_lanes = f.local_lanes = f.global_lanes = 0;
  f.words = 0;
  try {
    issue(sms_[sm], sm, f);
  } catch (const difference_found& found) {
    report(sms_[sm], &f, found);
  }
}

void checker::state::begin_block(checked_sm& sm, checked_block& block, const model::grid_descriptor& grid,
                                 std::uint32_t block_id) {
  checked_cluster& cluster = cluster_of(sm);
  const bool seen = std::any_of(cluster.begun.begin(), cluster.begun.end(),
                                [&](const checked_cluster::begun_block& b) { return b.block_id == block_id; });
  if (grid.launch != launch_)
    throw difference_found{-1, "launch of a block", std::to_string(launch_), std::to_string(grid.launch)};
  if (block_id >= block_seen_.size() || block_seen_[block_id] != 0 || seen) throw started_again(block_id);
  cluster.begun.push_back({cluster.driver->now(), block_id, sm.index()});
  note_for_all();
  if (!block.state) block.state = reference_->make_block();
  block.state->start(block_id);
  block.running = true;
  block.block_id = block_id;
  block.grid = &grid;
  const bool by_thread = grid.forms_warps;
  block.unfinished = by_thread ? grid.threads() : block.state->warps();
  block.barriers = arch_state::barriers(by_thread ? block.state->warps() * isa::warp_size : block.unfinished);
  block.barriers.start(block.unfinished);
  block.pending_of_thread.assign(by_thread ? std::size_t{block.state->warps()} * isa::warp_size : 0, {});
  block.waiting = 0;
  block.barriers_passed = 0;
  block.slots.assign(block.state->warps(), std::nullopt);
}

// A warp of the program starts in a slot, or is where it started.
void checker::state::bind_warp(checked_sm& sm, model::block_slot in, model::warp_slot started, unsigned number) {
  checked_block& block = sm.blocks[in.index()];
  checked_warp& warp = sm.warps[started];
  std::optional<model::warp_slot>& slot = block.slots.at(number);
  if (!warp.running && !slot) {
    warp.running = true;
    warp.faulted = false;
    warp.block_slot = in;
    warp.warp_in_block = static_cast<std::uint8_t>(number);
    warp.arrived_early = false;
    warp.pending.clear();
    warp.under_way.clear();
    warp.clock_sequence = 0;
    warp.physid.reset();
    slot = started;
    if (!judges_.empty()) judges_[sm.index()].started(started);
  }
  if (slot != started || warp.block_slot != in || warp.warp_in_block != number)
    throw difference_found{-1, "warp in its slot",
                           fmt::format("warp {} of block slot {}", warp.warp_in_block, warp.block_slot.index()),
                           fmt::format("warp {} of block slot {}", number, in.index())};
}

// The blocks of the instruction's threads, and the warps in which they started.
void checker::state::bind(checked_sm& sm, in_flight& f) {
  const model::warp_instruction& operation = *f.operation;
  f.parts.clear();
  const auto bind_block = [&](model::block_slot slot, isa::lane_mask lanes, std::uint32_t block_id) {
    checked_block& block = sm.blocks.at(slot.index());
    if (!block.running) begin_block(sm, block, *operation.grid, block_id);
    if (block.block_id != block_id)
      throw difference_found{-1, "block in its slot", std::to_string(block.block_id), std::to_string(block_id)};
    f.parts.push_back({slot, lanes});
  };
  if (operation.formed != operation.grid->forms_warps)
    throw difference_found{-1, "warp", operation.formed ? "as the program has it" : "formed anew",
                           operation.formed ? "formed anew" : "as the program has it"};
  if (!operation.formed) {
    bind_block(operation.block_slot, ~isa::lane_mask{0}, operation.block_id);
    return bind_warp(sm, operation.block_slot, operation.warp, operation.warp_in_block);
  }
  if (operation.active == 0) throw difference_found{-1, "active lanes", "some", "none"};
  model::for_each_block(operation.threads, operation.active, [&](model::block_slot block, isa::lane_mask lanes) {
    bind_block(block, lanes, sm.module.probe().slot_state_of(block).block_id);
  });
  model::for_each_home(operation.threads, operation.active, [&](unsigned lane, isa::lane_mask) {
    bind_warp(sm, model::block_slot(operation.threads.block[lane]), model::warp_slot(operation.threads.slot[lane]),
              operation.threads.number[lane]);
  });
}

// Before the step of the reference: is this what the warp executes next, and may it?
void checker::state::check_issue(const checked_warp& warp, checked_block& block, in_flight& f) {
  const model::warp_instruction& operation = *f.operation;
  const unsigned w = operation.warp_in_block;
  if (block.state->finished(w)) throw difference_found{-1, "issue", "none, the warp has ended", "an instruction"};
  if (block.barriers.waits(w))
    throw difference_found{-1, "issue",
                           "none, the warp waits at barrier " + std::to_string(block.barriers.waits_at(w)),
                           "an instruction"};
  if (block.state->pc(w) != operation.pc)
    throw difference_found{-1, "program counter", fmt::format("{:#06x}", block.state->pc(w)),
                           fmt::format("{:#06x}", operation.pc)};
  // If paths meet before the instruction, the lanes of the other ones come in with the step.
  if (block.state->active_mask(w) != operation.active && !block.state->meets_before(w))
    throw difference_found{-1, "active lanes", hex(block.state->active_mask(w)), hex(operation.active)};
  f.instruction = reference_->at(operation.pc);
  check_instruction(warp.pending, f);
}

// The words of the instruction, and whether what it needs has been written.
void checker::state::check_instruction(const arch_state::pending_registers& pending, in_flight& f) const {
  const model::warp_instruction& operation = *f.operation;
  if (f.instruction == nullptr || operation.fault != fault_kind::none) return;
  const isa::instruction& i = *f.instruction;
  if (i.words != operation.instruction->words)
    throw difference_found{-1, "instruction words", hex(i.words[0]) + " " + hex(i.words[1]),
                           hex(operation.instruction->words[0]) + " " + hex(operation.instruction->words[1])};
  if (pending.any() && !reference_->compiler_schedules()) {
    const isa::register_range hazard = pending.conflict(i);
    if (hazard.count != 0)
      throw difference_found{-1, "missed hazard", name_of(hazard) + " written back before this instruction issues",
                             "issued while " + name_of(hazard) + " is still to be written"};
  }
}

void checker::state::step_warp(const checked_warp& warp, checked_block& block, in_flight& f) {
  const model::warp_instruction& operation = *f.operation;
  const unsigned w = operation.warp_in_block;
  // A path that came to a join that acts before its instruction: the reference changes to the next one only now.
  while (block.state->pc(w) != operation.pc && block.state->meets_before(w)) {
    block.state->step(w, f.record);
    if (f.record.state != step_state::switched) break;
  }
  if (block.state->active_mask(w) != operation.active) block.state->run_path(w, operation.active);
  check_issue(warp, block, f);

  const bool meets = block.state->meets_before(w);
  block.state->issued_at(operation.issued_at.number());
  do block.state->step(w, f.record);
  while (f.record.state == step_state::switched);
  if (meets && f.record.state != step_state::faulted && f.record.active != operation.active)
    throw difference_found{-1, "active lanes", hex(f.record.active), hex(operation.active)};
}

void checker::state::issue(checked_sm& sm, unsigned index, in_flight& f) {
  const model::warp_instruction& operation = *f.operation;
  bind(sm, f);
  checked_cluster& cluster = cluster_of(sm);
  checked_warp& warp = sm.warps[operation.warp];
  checked_block& block = sm.blocks[f.parts.front().block.index()];
  const bool by_thread = operation.formed;
  if (by_thread)
    step_threads(sm, f);
  else
    step_warp(warp, block, f);
  warp.under_way.push_back(&f);
  for (const block_part& part : f.parts) ++sm.blocks[part.block.index()].under_way;
  if (f.record.state == step_state::faulted) {
    f.fault = f.record.fault;
    warp.faulted = cluster.fault_expected = true;
    return;
  }
  if (operation.fault != fault_kind::none) return;  // found at fetch or decode; compared at write-back
  if (!judges_.empty()) judges_[index].issued(f);
  if (by_thread)
    for (const unsigned lane : set_bits(operation.active)) pending_of(sm, operation, lane).mark(*f.instruction);
  else
    warp.pending.mark(*f.instruction);
  if (reference_->keeps_barriers()) count_barriers(sm, block);
  for (block_part& part : f.parts) {
    part.after_barriers = sm.blocks[part.block.index()].barriers_passed;
    part.before_barrier = warp.arrived_early ? ~std::uint64_t{0} : part.after_barriers + 1;
  }
  // Control of a cache accesses nothing.
  if (f.record.access.kind != access_kind::none) find_memories(f, chip_.generation().values());
  if (f.device_lanes() != 0) memory_.place(f, *block.grid, index * chip_.config.tpc.sm.limits.warps);
  if (f.record.access.space == memory_space::texture) memory_.place_texture(f, *block.grid);
  cluster.fault_expected = cluster.fault_expected || f.fault != fault_kind::none;

  if (by_thread) return end_threads(sm, f);
  const bool ended = block.state->finished(operation.warp_in_block);
  if (ended) --block.unfinished;
  if (reference_->keeps_barriers()) {
    const isa::barrier_action& action = f.instruction->barrier;
    if (f.record.executed != 0 && action.arrives && !action.waits) warp.arrived_early = true;
    return;
  }
  if (ended || f.instruction->unit == isa::unit_class::barrier) pass_barriers(sm, block, f, ended);
}

// Takes over what the reference has counted. An arrival without waiting holds for the barrier that opens next.
void checker::state::count_barriers(checked_sm& sm, checked_block& block) {
  const std::uint64_t opened = block.state->barriers_opened();
  if (opened == block.barriers_passed) return;
  block.barriers_passed = opened;
  for (const auto& slot : block.slots)
    if (slot) sm.warps[*slot].arrived_early = false;
}

void checker::state::pass_barriers(checked_sm& sm, checked_block& block, const in_flight& f, bool warp_ended) {
  const unsigned w = f.operation->warp_in_block;
  const bool bar = f.instruction->unit == isa::unit_class::barrier && f.record.executed != 0 &&
                   !chip_.generation().is_fence(*f.instruction);
  const isa::barrier_action& action = f.instruction->barrier;
  if (bar) block.barriers.execute(w, action);
  if (warp_ended) block.barriers.warp_ended();
  std::uint32_t waiting = 0;
  for (unsigned other = 0; other < block.state->warps(); ++other)
    waiting |= std::uint32_t{block.barriers.waits(other)} << other;
  const bool waits = block.barriers.waits(w);
  if ((block.waiting & ~waiting) != 0 || (bar && action.arrives && action.waits && !waits)) {
    ++block.barriers_passed;
    for (const auto& slot : block.slots)
      if (slot) sm.warps[*slot].arrived_early = false;
  } else if (bar && action.arrives && !waits) {
    sm.warps[f.operation->warp].arrived_early = true;
  }
  block.waiting = waiting;
}

template <class Act>
void checker::state::by_part(checked_sm& sm, in_flight& f, Act act) {
  const auto block_of = [&](const block_part& part) -> reference_block& {
    return *sm.blocks[part.block.index()].state;
  };
  if (f.parts.size() == 1) return act(block_of(f.parts.front()), f.record);
  const step_state before = f.record.state;
  arch_state::step_record& of_part = *cluster_of(sm).part;
  for (const block_part& part : f.parts) {
    of_part = f.record;
    of_part.state = before;
    of_part.fault = fault_kind::none;
    keep_lanes(of_part, part.lanes);
    act(block_of(part), of_part);
    merge_part(f.record, of_part);
  }
}

// -- where the order of accesses is defined --

// Checks that what must come before `f` has been performed: older accesses of its warp, and those of its block
// before a barrier.
void checker::state::check_shared_order_of(const checked_sm& sm, const in_flight& f) {
  const auto waits = [](const in_flight& older) {
    return older.shared_lanes != 0 && older.record.performed == 0 && older.fault == fault_kind::none;
  };
  const model::warp_slot own = f.operation->warp;
  const auto check_program_order = [&](model::warp_slot slot) {
    for (const in_flight* older : sm.warps[slot].under_way)
      if (is_earlier_of_a_thread(*older, f) && waits(*older))
        throw difference_found{-1, "order of accesses to shared memory",
                               fmt::format("after that of the instruction at {:#06x}", older->record.pc),
                               "performed before it"};
  };
  check_program_order(own);
  if (f.parts.front().after_barriers == 0 && !f.operation->formed) return;
  for_slots_beside(sm, f, [&](model::warp_slot slot) {
    if (slot == own) return;
    if (f.operation->formed) check_program_order(slot);
    for (const in_flight* older : sm.warps[slot].under_way)
      if (f.follows_by_barrier(*older) && waits(*older)) check_shared_order(*older, f);
  });
}

void checker::state::shared_performed(unsigned sm, const model::warp_instruction& operation) {
  checked_cluster& cluster = cluster_of(sms_[sm]);
  if (!checking(cluster)) return;
  in_flight* f = sms_[sm].find(operation.warp, operation.id);
  if (f == nullptr) return;  // the instruction follows a fault of its warp
  try {
    if (f->record.access.space != memory_space::shared && !f->reaches_several())
      throw difference_found{-1, "access to shared memory", "none", "performed"};
    if (f->shared_lanes != operation.executed)
      throw difference_found{-1, "executed lanes", hex(f->shared_lanes), hex(operation.executed)};
    if (f->record.performed != 0)
      throw difference_found{-1, "access to shared memory", "performed once", "performed twice"};
    checked_sm& s = sms_[sm];
    check_shared_order_of(s, *f);
    compare_addresses(*f, operation);
    by_part(s, *f, [f](reference_block& block, arch_state::step_record& r) { perform_shared(*f, block, r); });
    ++cluster.counts.shared_accesses;
    if (f->record.state == step_state::faulted) {
      f->fault = f->record.fault;
      cluster.fault_expected = true;
    } else {
      compare_shared_access(*f, operation, reference_->operands_of(*f->instruction));
    }
  } catch (const difference_found& found) {
    report(sms_[sm], f, found);
  }
}

// -- registers shared over time --

void checker::state::section_given_twice(unsigned sm, unsigned section, model::warp_slot warp,
                                         model::warp_slot holder) {
  if (!checking(cluster_of(sms_[sm]))) return;
  report(sms_[sm], nullptr,
         {-1, fmt::format("register section {} given to warp {}", section, warp.index()), "a free section",
          fmt::format("the section of warp {}", holder.index())});
}

// -- write-back --

void checker::state::completed(unsigned sm, const model::warp_instruction& operation) {
  checked_sm& s = sms_[sm];
  if (!checking(cluster_of(s)) || model::is_meeting(*operation.instruction)) return;
  in_flight* f = s.find(operation.warp, operation.id);
  if (f == nullptr) {
    if (!s.warps[operation.warp].faulted)
      report(s, nullptr,
             {-1, "write-back of an instruction that is not under way", "none",
              fmt::format("instruction {} at {:#06x}", operation.id, operation.pc)});
    return;
  }
  try {
    complete(s, *f);
  } catch (const difference_found& found) {
    report(s, f, found);
  }
}

// True if both sides agree that the instruction has a fault.
bool checker::state::check_fault(const in_flight& f) {
  const model::warp_instruction& operation = *f.operation;
  if (f.fault == fault_kind::none && operation.fault == fault_kind::none) return false;
  // The divergence stack finds the fault of an instruction with exit or join on its own, and ends the launch.
  const bool found_by_stack = f.fault != fault_kind::none && f.instruction != nullptr &&
                              f.instruction->flow == isa::flow_kind::none && f.instruction->concerns_divergence();
  // The chip may refuse what the reference knows: an instruction of a higher compute capability.
  const bool refused = operation.fault == fault_kind::unsupported && f.fault == fault_kind::none;
  // The model reports the fault that it finds first, where the lanes reach several memories.
  const bool another_first =
      f.reaches_several() && f.fault != fault_kind::none && operation.fault != fault_kind::none;
  if (f.fault != operation.fault && !refused && !another_first &&
      !(found_by_stack && operation.fault == fault_kind::none))
    throw difference_found{-1, "fault", arch_state::name_of(f.fault), arch_state::name_of(operation.fault)};
  const bool in_parts = f.reaches_several() || (f.fault == fault_kind::unsupported && f.record.access.generic);
  if (f.fault == operation.fault && f.record.fault_lanes != operation.fault_lanes &&
      f.record.access.kind != access_kind::none && !in_parts)
    throw difference_found{-1, "lanes at fault", hex(f.record.fault_lanes), hex(operation.fault_lanes)};
  return true;
}

void checker::state::take_special(checked_cluster& cluster, checked_warp& warp, in_flight& f, special_value kind) {
  const std::uint32_t* value = f.operation->values.source[0][0].lane;
  if (kind == special_value::clock) {
    const auto issued_at = static_cast<std::uint32_t>(f.operation->issued_at.number());
    const std::uint32_t age = static_cast<std::uint32_t>(cluster.driver->now() / chip_.core.period()) - issued_at;
    for (unsigned lane = 0; lane < isa::warp_size; ++lane)
      if (value[lane] != value[0] || value[lane] - issued_at > age)
        throw difference_found{static_cast<int>(lane), "$clock",
                               fmt::format("the same in all lanes, {} to {}", issued_at, issued_at + age),
                               std::to_string(value[lane])};
    if (warp.clock_sequence != 0) {
      const bool younger = f.sequence > warp.clock_sequence;
      const std::uint32_t step = younger ? value[0] - warp.clock : warp.clock - value[0];
      if (step > 0x7fffffffu)
        throw difference_found{-1, "$clock", "not before an earlier reading, " + std::to_string(warp.clock),
                               std::to_string(value[0])};
    }
    if (f.sequence > warp.clock_sequence) {
      warp.clock_sequence = f.sequence;
      warp.clock = value[0];
    }
  } else if (kind == special_value::place && !f.operation->formed) {
    if (warp.physid && *warp.physid != value[0])
      throw difference_found{0, "$physid", "what it was, " + hex(*warp.physid), hex(value[0])};
    warp.physid = value[0];
  }
  std::memcpy(f.record.values.source[0][0].lane, value, sizeof f.record.values.source[0][0].lane);
  ++cluster.counts.special_reads;
}

// When an instruction ends, its whole access must have been performed.
void checker::state::check_access(checked_cluster& cluster, in_flight& f) {
  const arch_state::step_record& r = f.record;
  if (r.executed == 0) return;
  isa::lane_mask lost = 0;
  if (r.access.space != memory_space::texture) {
    lost = f.shared_lanes & ~r.performed;
    for (unsigned w = 0; w < f.words; ++w) lost |= f.unperformed(w);
  } else {
    memory_.fetch_texture(
        f, *f.operation->grid,
        by_cluster() ? memory_order::new_texels::are_refused : memory_order::new_texels::are_copied);
    ++cluster.counts.texture_fetches;
  }
  if (lost != 0)
    throw difference_found{static_cast<int>(arch_state::lowest_lane(lost)), "access to memory",
                           "performed before write-back", "never performed for lanes " + hex(lost)};
}

void checker::state::complete(checked_sm& sm, in_flight& f) {
  const model::warp_instruction& operation = *f.operation;
  checked_cluster& cluster = cluster_of(sm);
  checked_warp& warp = sm.warps[operation.warp];
  const auto repeat = [&] {
    by_part(sm, f, [](reference_block& block, arch_state::step_record& r) { block.repeat(r); });
  };
  if (check_fault(f)) {
    cluster.fault_expected = true;
    cluster.faulted_at = cluster.driver->now();
    return note_for_all();
  }
  hazard_judge* judge = judges_.empty() ? nullptr : &judges_[sm.index()];
  // 1. The operands that the model collected.
  if (judge != nullptr && judge->reads_unawaited(f) && f.record.state != step_state::pending) {
    std::memcpy(f.record.values.source, operation.values.source, sizeof operation.values.source);
    std::memcpy(f.record.values.predicate_in, operation.values.predicate_in, sizeof operation.values.predicate_in);
    repeat();
  }
  if (f.record.executed != operation.executed)
    throw difference_found{-1, "executed lanes", hex(f.record.executed), hex(operation.executed)};
  const checked_operands operands = reference_->operands_of(*f.instruction);
  if (f.record.executed != 0) {
    compare_sources(f, operands);
    if (const special_value kind = reference_->special_of(*f.instruction); kind != special_value::none) {
      take_special(cluster, warp, f, kind);
      repeat();
    }
  }
  // 2. The accesses, then what depends on them.
  if (f.record.state == step_state::pending) {
    check_access(cluster, f);
    if (f.fault != fault_kind::none) {
      check_fault(f);
      return;
    }
    by_part(sm, f, [](reference_block& block, arch_state::step_record& r) { block.complete(r); });
  }
  // 3. What it writes.
  if (f.record.executed != 0) compare_results(f, operands);
  ++cluster.counts.instructions;
  if (judge != nullptr) judge->completed(f);

  if (operation.formed)
    for (const unsigned lane : set_bits(operation.active)) pending_of(sm, operation, lane).release(*f.instruction);
  else
    warp.pending.release(*f.instruction);
  warp.under_way.erase(std::find(warp.under_way.begin(), warp.under_way.end(), &f));
  for (const block_part& part : f.parts) {
    checked_block& block = sm.blocks[part.block.index()];
    if (--block.under_way == 0 && block.unfinished == 0) end_block(sm, block);
  }
  cluster.pool.put(&f);
}

// Compares all registers and the shared memory. This finds results that were written to a wrong place.
void checker::state::end_block(checked_sm& sm, checked_block& block) {
  const auto where = [&](unsigned warp) {
    return fmt::format("at the end of block {}, warp {} (slot {})", block.block_id, warp,
                       block.slots[warp]->index());
  };
  for (unsigned w = 0; w < block.state->warps(); ++w) {
    const arch_state::register_rows& expected = block.state->registers(w);
    const arch_state::register_rows& got = sm.module.probe().registers_of(*block.slots[w]);
    // The content of a section is nobody's after its release.
    const unsigned registers = block.grid->base_registers != 0 ? block.grid->base_registers : expected.count();
    for (unsigned r = 0; r < registers; ++r) {
      if (std::memcmp(expected.gpr(r), got.gpr(r), sizeof(isa::lane_words)) == 0) continue;
      const std::uint32_t threads = block.grid->threads();
      for (unsigned lane = 0; lane < isa::warp_size && w * isa::warp_size + lane < threads; ++lane)
        if (expected.gpr(r)[lane] != got.gpr(r)[lane])
          throw difference_found{static_cast<int>(lane), fmt::format("$r{} of lane {} {}", r, lane, where(w)),
                                 hex(expected.gpr(r)[lane]), hex(got.gpr(r)[lane])};
    }
    sm.warps[*block.slots[w]].running = false;
  }
  const std::vector<std::uint8_t>& expected = block.state->shared();
  const std::uint8_t* got = sm.module.probe().shared_bytes_of(model::block_slot(&block - sm.blocks.data()));
  for (std::size_t b = 0; b < expected.size(); ++b)
    if (expected[b] != got[b])
      throw difference_found{-1, fmt::format("s[{:#x}] at the end of block {}", b, block.block_id),
                             fmt::format("{:#04x}", expected[b]), fmt::format("{:#04x}", got[b])};
  block.running = false;
  checked_cluster& cluster = cluster_of(sm);
  ++cluster.blocks_ended;
  ++cluster.counts.blocks;
}

}  // namespace gt200::observe
