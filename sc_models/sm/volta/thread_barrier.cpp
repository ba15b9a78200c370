#include "sc_models/sm/volta/thread_barrier.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "tlm_bus/state_image.h"
#include "toolchain/arch_state/lane_rows.h"

namespace gt200::model {

thread_barrier::thread_barrier(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                               const config::sm_config& config, const arch_state::generation& generation)
    : core_stage(name, domain),
      in("in", config.processing_block.blocks,
         [&](const char*, std::size_t b) {
           return new tlm_bus::pipe_in<collected_token>(("from_block_" + std::to_string(b)).c_str(), *this,
                                                        config.operand_collector.control_queue_entries);
         }),
      out("out", config.processing_block.blocks,
          [&](const char*, std::size_t b) {
            return new tlm_bus::pipe_out<executed_token>(("to_block_" + std::to_string(b)).c_str(), *this);
          }),
      release("release", config.processing_block.blocks,
              [&](const char*, std::size_t b) {
                return new tlm_bus::pipe_out<path_release_token>(("release_block_" + std::to_string(b)).c_str(),
                                                                 *this);
              }),
      memory_order("memory_order"),
      generation_(generation),
      processing_blocks_(config.processing_block.blocks),
      release_delay_(config.clocks.to_core(config.barrier.base_cycles)),
      blocks_(config.limits.blocks),
      released_(config.processing_block.blocks) {}

void thread_barrier::exited(const warp_instruction& operation) {
  exits_.push_back({cycle(), operation.block_slot, operation.grid, operation.warp, operation.memory_sent,
                    operation.executed, operation.sequence});
  wake_next();
}

// True if an instruction with which the warp has arrived before it exited is still in the queue.
bool thread_barrier::older_arrival_waits(const exit_event& e) const {
  const auto& queue = in[e.warp.index() % processing_blocks_];
  for (unsigned k = 0; k < queue.occupancy(); ++k) {
    const warp_instruction& operation = *queue.token_at(k)->operation;
    if (operation.warp == e.warp && operation.sequence < e.sequence) return true;
  }
  return false;
}

// Threads that exited before this cycle no longer have to arrive.
void thread_barrier::settle_exits() {
  const auto settled = [this](const exit_event& e) {
    if (e.at >= cycle()) return false;
    if (older_arrival_waits(e)) {
      wake_next();
      return false;
    }
    exit(e);
    return true;
  };
  exits_.erase(std::remove_if(exits_.begin(), exits_.end(), settled), exits_.end());
}

void thread_barrier::exit(const exit_event& e) {
  block_state& block = blocks_[e.block.index()];
  block.grid = e.grid;
  block.exited += static_cast<unsigned>(__builtin_popcount(e.lanes));
  block.unordered |= warp_bit(e.warp);
  memory_sent_[e.warp] = e.memory_sent;
  for (unsigned id = 0; id < per_block; ++id)
    block.barriers[id].arrived -= static_cast<unsigned>(__builtin_popcount(lanes_[e.warp][id].arrived & e.lanes));
  if (block.exited != e.grid->threads()) return;
  for (const barrier_state& b : block.barriers) armed_ -= b.armed ? 1 : 0;
  for (const warp_slot warp : warps_in(block.warps)) lanes_[warp] = {};
  block = {};
}

void thread_barrier::read_result(warp_instruction& operation) const {
  const result& r = results_[operation.warp];
  arch_state::fill_row(operation.values.destination[0].lane, r.count);
  std::memset(operation.values.predicate_out[0], r.truth ? 1 : 0, isa::warp_size);
}

void thread_barrier::arrive(unsigned from, warp_instruction& operation) {
  out[from].send({&operation});
  if (operation.executed == 0) return;
  const isa::instruction& i = *operation.instruction;
  const warp_slot warp = operation.warp;
  block_state& block = blocks_[operation.block_slot.index()];
  barrier_state& b = block.barriers[i.barrier.id];
  lanes_there& lanes = lanes_[warp][i.barrier.id];
  block.grid = operation.grid;
  block.warps |= warp_bit(warp);
  block.unordered |= warp_bit(warp);
  memory_sent_[warp] = operation.memory_sent;
  if (!b.armed) ++armed_;
  b.armed = true;
  b.arrived += static_cast<unsigned>(__builtin_popcount(operation.executed & ~lanes.arrived));
  lanes.arrived |= operation.executed;
  if (i.barrier.waits) {
    b.waiting |= warp_bit(warp);
    waiting_warps_.change(domain()) |= warp_bit(warp);
    lanes.waiting |= operation.executed;
  }
  if (i.barrier.combines) {
    b.totals.threads += static_cast<unsigned>(__builtin_popcount(operation.executed));
    b.totals.holds += static_cast<unsigned>(
        __builtin_popcount(generation_.barrier_vote(i, operation.values, operation.executed)));
    b.reduction = &i;
  }
  ++arrivals;
}

void thread_barrier::open(block_state& block, unsigned id) {
  barrier_state& b = block.barriers[id];
  if (b.reduction != nullptr) {
    isa::lane_bundle values;
    generation_.finish_barrier(*b.reduction, b.totals, values);
    for (const warp_slot warp : warps_in(block.warps))
      results_[warp] = {values.destination[0].lane[0], values.predicate_out[0][0] != 0};
  }
  for (const warp_slot warp : warps_in(b.waiting))
    released_[warp.index() % processing_blocks_].push_back(
        {warp, static_cast<std::uint8_t>(id), lanes_[warp][id].waiting});
  for (const warp_slot warp : warps_in(block.warps)) lanes_[warp][id] = {};
  for (const warp_slot warp : warps_in(b.waiting))
    if (!waits_anywhere(warp)) waiting_warps_.change(domain()) &= ~warp_bit(warp);
  b = {};
  --armed_;
  ++releases;
  note_activity();
}

bool thread_barrier::waits_anywhere(warp_slot warp) const {
  return std::any_of(lanes_[warp].begin(), lanes_[warp].end(), [](const lanes_there& l) { return l.waiting != 0; });
}

bool thread_barrier::is_complete(const block_state& block, unsigned id) const {
  return block.barriers[id].armed && block.barriers[id].arrived == block.grid->threads() - block.exited;
}

// True if all accesses that were issued before arrivals and exits have their place in the order of memory.
bool thread_barrier::accesses_passed(block_state& block) {
  for (const warp_slot warp : warps_in(block.unordered))
    if (memory_order->passed(warp) - memory_sent_[warp] <= std::numeric_limits<std::int32_t>::max())
      block.unordered &= ~warp_bit(warp);
  return block.unordered == 0;
}

// Opens barriers at which all threads have arrived, after their delay.
void thread_barrier::complete() {
  if (armed_ == 0) return;
  for (block_state& block : blocks_) {
    for (unsigned id = 0; id < per_block; ++id) {
      barrier_state& b = block.barriers[id];
      if (!is_complete(block, id)) continue;
      if (b.release_at == core_cycle::never()) {
        if (!accesses_passed(block)) {
          ++memory_waits;
          wake_next();
          continue;
        }
        b.release_at = cycle() + release_delay_;
      }
      if (b.release_at > cycle())
        wake_at(b.release_at);
      else
        open(block, id);
    }
  }
}

void thread_barrier::send_released() {
  for (unsigned block = 0; block < processing_blocks_; ++block) {
    auto& waiting = released_[block];
    if (waiting.empty()) continue;
    if (release[block].can_send()) {
      release[block].send(waiting.front());
      waiting.pop_front();
    }
    if (!waiting.empty()) wake_next();
  }
}

void thread_barrier::tick() {
  settle_exits();
  for (unsigned block = 0; block < processing_blocks_; ++block) {
    const collected_token* token = in[block].front();
    if (token == nullptr || !out[block].can_send()) continue;
    warp_instruction& operation = *token->operation;
    const isa::barrier_action& action = operation.instruction->barrier;
    if (action.arrives) {
      if (is_complete(blocks_[operation.block_slot.index()], action.id)) {
        wake_next();
        continue;
      }
      arrive(block, operation);
    } else {
      read_result(operation);
      out[block].send({&operation});
    }
    in[block].pop();
  }
  complete();
  send_released();
}

void thread_barrier::publish(tlm_bus::signal_writer& to) {
  warp_mask waiting = 0;
  for (const block_state& block : blocks_)
    for (const barrier_state& b : block.barriers) waiting |= b.waiting;
  to.mask("waiting", max_warps, waiting);
  to.number("armed", 8, armed_);
}

void thread_barrier::visit_state(tlm_bus::state_image& state) {
  state.fixed(processing_blocks_, release_delay_);
  state(blocks_, exits_, armed_, released_, lanes_, waiting_warps_, results_, memory_sent_);
}

}  // namespace gt200::model
