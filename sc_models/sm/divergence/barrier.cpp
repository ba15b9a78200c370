#include "sc_models/sm/divergence/barrier.h"

#include <algorithm>

#include "tlm_bus/state_image.h"

namespace gt200::model {
namespace {

// The part of a barrier's latency outside this module: issue to collector, collector to barrier, release to the
// next issue.
constexpr core_cycles outside(const config::sm_config& config) {
  return config.issue.latency_cycles + core_cycles(2);
}

}  // namespace

barrier::barrier(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                 const config::sm_config& config, const arch_state::generation& generation)
    : core_stage(name, domain),
      in("in", *this, config.operand_collector.control_queue_entries),
      out("out", *this),
      issue("issue"),
      simt_stack("simt_stack"),
      blocks("blocks"),
      generation_(generation),
      per_warp_(config.clocks.to_core(config.barrier.per_warp_cycles)),
      counter_read_(config.clocks.to_core(config.barrier.counter_read_cycles)),
      release_delay_(config.clocks.to_core(config.barrier.base_cycles + config.barrier.per_warp_cycles) -
                     outside(config)),
      counters_(config.limits.barriers) {}

void barrier::end_of_elaboration() {
  blocks->unfinished().subscribe(*this);
  if (former_ != nullptr) former_->thread_ends().subscribe(*this);
}

unsigned barrier::awaited(const counter_state& c, block_slot block) {
  return c.counts_threads ? former_->live_threads(block) : blocks->unfinished_warps(block);
}

// Calls act(counter, its number) for those that are not idle.
template <class Action>
inline void barrier::for_each_armed(Action act) {
  unsigned left = armed_;
  for (std::size_t i = 0; left != 0 && i < counters_.size(); ++i) {
    if (counters_[i].idle()) continue;
    --left;
    act(counters_[i], i);
  }
}

void barrier::complete_where_all_arrived() {
  for_each_armed([this](counter_state& c, std::size_t i) {
    if (c.arrived == 0 || c.release_at != core_cycle::never()) return;
    if (c.arrived < awaited(c, block_slot(i / per_block_))) return;
    c.arrived = 0;
    c.released = c.waiting;
    c.waiting = 0;
    c.result = c.totals;
    c.totals = {};
    ++releases;
    release_after(c);
    note_activity();
  });
}

void barrier::release_after(counter_state& c) {
  c.release_at = cycle() + release_delay_ + (c.latched ? core_cycles(0) : counter_read_);
}

void barrier::release_due() {
  for_each_armed([this](counter_state& c, std::size_t i) {
    if (c.release_at == core_cycle::never()) return;
    if (c.release_at > cycle()) return wake_at(c.release_at);
    // What they did before the barrier is not done.
    if ((c.released & issue->replaying()) != 0) return wake_next();
    if (c.counts_threads)
      former_->release(block_slot(i / per_block_), static_cast<unsigned>(i % per_block_));
    else
      issue->release(c.released);
    for (const warp_slot warp : warps_in(c.released)) {
      if (held_[warp] == nullptr) continue;
      generation_.finish_barrier(*held_[warp]->instruction, c.result, held_[warp]->values);
      with_result_ |= warp_bit(warp);
    }
    c.released = 0;
    c.release_at = core_cycle::never();
    if (c.idle()) --armed_;
    if (c.arrived != 0) wake_next();  // the next round may already be complete
    note_activity();
  });
}

// Fences whose warp has nothing else under way go on.
void barrier::release_fences() {
  for (const warp_slot warp : warps_in(fences_)) {
    if (!blocks->is_alone(warp)) continue;
    fences_ &= ~warp_bit(warp);
    issue->release(warp_bit(warp));
    with_result_ |= warp_bit(warp);
    note_activity();
  }
  if (fences_ != 0) wake_next();
}

// One per cycle, beside arrivals.
void barrier::send_results() {
  if (with_result_ == 0) return;
  if (out.can_send()) {
    const warp_slot warp = lowest_warp(with_result_);
    with_result_ &= with_result_ - 1;
    out.send({held_[warp]});
    held_[warp] = nullptr;
    note_activity();
  }
  if (with_result_ != 0) wake_next();
}

barrier::counter_state& barrier::latch(const warp_instruction& operation, block_slot block, bool in_a_row) {
  counter_state& c = counter_of(block, operation.instruction->barrier.id);
  c.latched = in_a_row && latched_ == &c;
  latched_ = &c;
  c.counts_threads = operation.formed;
  return c;
}

// True if threads that the counter releases have to go on before others arrive.
bool barrier::opens_first(const warp_instruction& operation) {
  const unsigned id = operation.instruction->barrier.id;
  if (!operation.formed || id >= std::max(1u, operation.grid->barriers)) return false;
  bool opens = false;
  for_each_block(operation.threads, operation.active, [&](block_slot block, isa::lane_mask) {
    opens = opens || counter_of(block, id).release_at != core_cycle::never();
  });
  return opens;
}

// Decode has stopped the fetch of a warp that waits: the former gets its threads.
unsigned barrier::arrive_by_thread(const warp_instruction& operation, bool in_a_row) {
  const isa::barrier_action& action = operation.instruction->barrier;
  isa::lane_mask waiting = 0;
  unsigned counters = 0;
  for_each_block(operation.threads, operation.executed, [&](block_slot block, isa::lane_mask lanes) {
    counter_state& c = latch(operation, block, in_a_row);
    const bool was_idle = c.idle();
    if (action.arrives) c.arrived += static_cast<unsigned>(__builtin_popcount(lanes));
    if (action.waits && c.arrived != 0) waiting |= lanes;
    if (was_idle && !c.idle()) ++armed_;
    ++counters;
  });
  if (counters != 0) ++arrivals;
  if (action.waits) former_->arrived(operation, waiting);
  return counters;
}

void barrier::arrive(warp_instruction& operation, bool in_a_row) {
  const isa::barrier_action& action = operation.instruction->barrier;
  counter_state& c = latch(operation, operation.block_slot, in_a_row);
  const bool was_idle = c.idle();
  if (action.arrives) ++c.arrived;
  if (action.waits) {
    if (c.arrived != 0) {
      c.waiting |= warp_bit(operation.warp);
    } else {
      c.released |= warp_bit(operation.warp);
      if (c.release_at == core_cycle::never()) release_after(c);
    }
  }
  if (was_idle && !c.idle()) ++armed_;
  ++arrivals;
  const isa::lane_mask holds =
      generation_.barrier_vote(*operation.instruction, operation.values, operation.executed);
  c.totals.threads += static_cast<std::uint32_t>(__builtin_popcount(operation.executed));
  c.totals.holds += static_cast<std::uint32_t>(__builtin_popcount(holds));
}

void barrier::tick() {
  // 1. One arrival. The counters are laid out as its grid has them; those of the last grid are idle by then.
  const collected_token* token = in.front();
  if (token != nullptr) per_block_ = std::max(1u, token->operation->grid->barriers);
  if (token != nullptr && cycle() < free_at_) {
    wake_at(free_at_);
  } else if (token != nullptr && held_[token->operation->warp] != nullptr) {
    wake_next();  // the result of the warp's last barrier has not gone to write-back yet
  } else if (token != nullptr && opens_first(*token->operation)) {
    wake_next();
  } else if (token != nullptr && out.can_send()) {
    warp_instruction& operation = *token->operation;
    const isa::instruction& instruction = *operation.instruction;
    const bool in_a_row = free_at_ == cycle();
    free_at_ = cycle() + per_warp_;
    bool held = false;
    if (generation_.is_fence(instruction)) {
      fences_ |= warp_bit(operation.warp);
      held = true;
    } else if (instruction.barrier.id >= per_block_) {
      operation.fault = arch_state::fault_kind::barrier_not_allocated;
      operation.fault_lanes = operation.active;
    } else if (operation.formed) {
      const unsigned counters = arrive_by_thread(operation, in_a_row);
      free_at_ = cycle() + per_warp_ * std::max(1u, counters);
    } else if (!simt_stack->converged(operation.warp)) {
      operation.fault = arch_state::fault_kind::divergent_barrier;
      operation.fault_lanes = operation.active;
    } else if (operation.executed == 0) {
      issue->release(warp_bit(operation.warp));
    } else {
      arrive(operation, in_a_row);
      held = instruction.barrier.waits && instruction.result_count != 0;
    }
    if (held)
      held_[operation.warp] = &operation;
    else
      out.send({&operation});
    in.pop();
  }
  // 2. Barriers at which all warps of the block that have not exited have arrived.
  complete_where_all_arrived();
  // 3. Releases.
  release_due();
  if (fences_ != 0) release_fences();
  send_results();
}

void barrier::publish(tlm_bus::signal_writer& to) {
  warp_mask waiting = 0;
  for (const counter_state& c : counters_) waiting |= c.waiting | c.released;
  waiting |= fences_;
  to.mask("waiting", max_warps, waiting);
  to.number("armed", 8, armed_);
}

void barrier::visit_state(tlm_bus::state_image& state) {
  state.fixed(former_, per_warp_, counter_read_, release_delay_);
  state(counters_, per_block_, armed_, free_at_, latched_, held_, fences_, with_result_);
}

}  // namespace gt200::model
