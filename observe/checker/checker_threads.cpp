// Warps that are formed anew: the reference steps threads, and barriers count them.
#include <fmt/format.h>

#include "observe/checker/checker_state.h"
#include "observe/checker/record_parts.h"
#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/bits.h"

namespace gt200::observe {

arch_state::pending_registers& checker::state::pending_of(checked_sm& sm, const model::warp_instruction& operation,
                                                          unsigned lane) {
  const model::formed_lanes& threads = operation.threads;
  return sm.blocks[threads.block[lane]].pending_of_thread[threads.number[lane] * isa::warp_size + lane];
}

// Checks that each thread may execute this instruction, if warps are formed anew.
void checker::state::step_threads(checked_sm& sm, in_flight& f) {
  const model::warp_instruction& operation = *f.operation;
  f.instruction = reference_->at(operation.pc);
  for (const unsigned lane : set_bits(operation.active)) {
    const checked_block& block = sm.blocks[operation.threads.block[lane]];
    const unsigned w = operation.threads.number[lane];
    const unsigned thread = w * isa::warp_size + lane;
    const auto place = [&](const char* what) {
      return fmt::format("{} of thread {} of block {}", what, thread, block.block_id);
    };
    if (w >= block.state->warps() || (block.state->live_threads(w) >> lane & 1) == 0)
      throw difference_found{static_cast<int>(lane), place("issue"), "none, the thread has ended or does not exist",
                             "an instruction"};
    if (block.barriers.waits(thread))
      throw difference_found{static_cast<int>(lane), place("issue"),
                             "none, the thread waits at barrier " + std::to_string(block.barriers.waits_at(thread)),
                             "an instruction"};
    if (block.state->thread_pc(w, lane) != operation.pc)
      throw difference_found{static_cast<int>(lane), place("program counter"),
                             fmt::format("{:#06x}", block.state->thread_pc(w, lane)),
                             fmt::format("{:#06x}", operation.pc)};
    check_instruction(block.pending_of_thread[thread], f);
  }
  const auto step = [&](const block_part& part, arch_state::step_record& r) {
    sm.blocks[part.block.index()].state->step_threads(operation.threads, part.lanes, operation.pc, r);
  };
  step(f.parts.front(), f.record);
  arch_state::step_record& of_part = *cluster_of(sm).part;
  for (std::size_t n = 1; n < f.parts.size(); ++n) {
    step(f.parts[n], of_part);
    merge_part(f.record, of_part);
  }
}

// After the step: threads that have ended, and barriers.
void checker::state::end_threads(checked_sm& sm, const in_flight& f) {
  const model::warp_instruction& operation = *f.operation;
  for (const block_part& part : f.parts) {
    checked_block& block = sm.blocks[part.block.index()];
    isa::lane_mask ended = 0;
    for (const unsigned lane : set_bits(part.lanes))
      if ((block.state->live_threads(operation.threads.number[lane]) >> lane & 1) == 0)
        ended |= isa::lane_mask{1} << lane;
    block.unfinished -= arch_state::count_lanes(ended);
    if (ended != 0 || f.instruction->unit == isa::unit_class::barrier) pass_barriers_by_thread(sm, part, f, ended);
  }
}

// Barriers count threads, and a warp may have threads that do not wait.
void checker::state::pass_barriers_by_thread(checked_sm& sm, const block_part& part, const in_flight& f,
                                             isa::lane_mask ended) {
  const model::warp_instruction& operation = *f.operation;
  const isa::barrier_action& action = f.instruction->barrier;
  const isa::lane_mask executed = f.record.executed & part.lanes;
  checked_block& block = sm.blocks[part.block.index()];
  const unsigned opened = block.barriers.opened_in_all();
  if (f.instruction->unit == isa::unit_class::barrier) {
    std::vector<unsigned> threads;
    for (const unsigned lane : set_bits(executed))
      threads.push_back(operation.threads.number[lane] * isa::warp_size + lane);
    block.barriers.execute_together(threads, action);
    // These threads may go on in any warp.
    if (executed != 0 && action.arrives && !action.waits)
      for_slots_beside(sm, f, [&](model::warp_slot slot) { sm.warps[slot].arrived_early = true; });
  }
  for (unsigned n = arch_state::count_lanes(ended); n != 0; --n) block.barriers.warp_ended();
  if (block.barriers.opened_in_all() == opened) return;
  ++block.barriers_passed;
  for (const auto& slot : block.slots)
    if (slot) sm.warps[*slot].arrived_early = false;
}

}  // namespace gt200::observe
