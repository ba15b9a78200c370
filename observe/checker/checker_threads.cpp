// Warps that are formed anew: the reference steps threads, and barriers count them.
#include <fmt/format.h>

#include "observe/checker/checker_state.h"
#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/bits.h"

namespace gt200::observe {

// Where warps are formed anew: may each of these threads execute this now?
void checker::state::step_threads(checked_block& block, in_flight& f) {
  const model::warp_instruction& operation = *f.operation;
  f.instruction = reference_->at(operation.pc);
  if (operation.active == 0) throw difference_found{-1, "active lanes", "some", "none"};
  for (const unsigned lane : set_bits(operation.active)) {
    const unsigned w = operation.threads.number[lane];
    const unsigned thread = w * isa::warp_size + lane;
    const auto place = [&](const char* what) { return fmt::format("{} of thread {}", what, thread); };
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
  block.state->step_threads(operation.threads, operation.active, operation.pc, f.record);
}

// Barriers count threads, and a warp may have threads that do not wait.
void checker::state::pass_barriers_by_thread(checked_sm& sm, checked_block& block, const in_flight& f,
                                             isa::lane_mask ended) {
  const model::warp_instruction& operation = *f.operation;
  const isa::barrier_action& action = f.instruction->barrier;
  const unsigned opened = block.barriers.opened_in_all();
  if (f.instruction->unit == isa::unit_class::barrier) {
    std::vector<unsigned> threads;
    for (const unsigned lane : set_bits(f.record.executed))
      threads.push_back(operation.threads.number[lane] * isa::warp_size + lane);
    block.barriers.execute_together(threads, action);
    // These threads may go on in any warp.
    if (f.record.executed != 0 && action.arrives && !action.waits)
      for (const auto& slot : block.slots)
        if (slot) sm.warps[*slot].arrived_early = true;
  }
  for (unsigned n = arch_state::count_lanes(ended); n != 0; --n) block.barriers.warp_ended();
  if (block.barriers.opened_in_all() == opened) return;
  ++block.barriers_passed;
  for (const auto& slot : block.slots)
    if (slot) sm.warps[*slot].arrived_early = false;
}

}  // namespace gt200::observe
