// Questions and commands between the modules of one SM.
//
// A question is answered from the state at the last clock edge; a command takes effect at the next one. Commands of
// one cycle commute. All modules here are on the core clock.
//
// What a module hands over to another one in the same cycle is a transaction instead (tlm_bus/transaction.h).
//
// State that a neighbour reads in every cycle is a signal, handed out by reference. At the end of elaboration the
// neighbour gets it once, and subscribes to it if a change may give it work. Reading costs no call.
//
// Each section holds the interfaces that one module implements. The line before an interface names its callers.
#pragma once

#include <array>
#include <cstdint>
#include <systemc>

#include "sc_models/sm/buffered_instruction.h"
#include "sc_models/sm/scoreboard_entry.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/stall_cause.h"
#include "tlm_bus/port.h"
#include "tlm_bus/registered_signal.h"
#include "toolchain/arch_state/divergence.h"
#include "toolchain/arch_state/register_rows.h"

namespace gt200::model {

using warp_signal = tlm_bus::registered_signal<warp_mask>;

// -- implemented by the instruction buffer --

// Called by fetch.
class instruction_buffer_fetch_if : public tlm_bus::question_if {
 public:
  // Warps with at least `entries` (1 or 2) slots neither filled nor reserved.
  virtual const warp_signal& room(unsigned entries) const = 0;
};

// Called by issue.
class instruction_buffer_issue_if : public tlm_bus::question_if {
 public:
  struct oldest_masks {
    warp_mask ready = 0;     // oldest instruction has no outstanding dependency
    warp_mask occupied = 0;  // at least one instruction buffered
    // The bit of a warp toggles when its oldest instruction loses a dependency.
    warp_mask freed = 0;
  };
  struct warp_signals {
    tlm_bus::registered_signal<oldest_masks> oldest;
    // Among ready warps, by unit_list::alternatives(): those whose oldest instruction may issue to the alternative.
    std::array<warp_mask, max_alternatives> of_alternative{};
    // Among ready warps: those whose oldest instruction needs the class.
    std::array<warp_mask, max_collector_classes> of_class{};
    // Of an occupied warp, and valid only while it is: its oldest instruction.
    per_warp<const buffered_instruction*> first{};
  };
  virtual const warp_signals& warps() const = 0;
  // The oldest instruction of an occupied warp.
  virtual const buffered_instruction& oldest(warp_slot warp) const = 0;
  // Dependencies the oldest instruction had at the last edge.
  virtual std::uint64_t blocking_dependencies(warp_slot warp) const = 0;
};

// Called by the scoreboard. Positions count the buffered instructions of a warp from the oldest on.
class instruction_buffer_dependency_if : public tlm_bus::question_if {
 public:
  virtual unsigned buffered(warp_slot warp) const = 0;
  virtual const buffered_instruction& at(warp_slot warp, unsigned position) const = 0;
};

// -- implemented by the scoreboard --

// Called by decode.
class scoreboard_decode_if : public tlm_bus::question_if {
 public:
  // Occurs when a release may let a refused instruction enter.
  virtual const tlm_bus::registered_event& release() const = 0;
};

// Called by fetch.
class scoreboard_fetch_if : public tlm_bus::question_if {
 public:
  virtual const warp_signal& has_room() const = 0;  // warps that may fetch as far as the scoreboard decides
};

// Called by issue.
class scoreboard_issue_if : public tlm_bus::question_if {
 public:
  // Among the warps with a buffered instruction: those whose dependencies are checked in this cycle. The others
  // cannot issue even if ready. Without a limit of the mechanism these are all warps.
  virtual warp_mask probed(warp_mask occupied) = 0;
  // Warps that cannot fill their buffer because of the scoreboard.
  virtual const warp_signal& full() const = 0;
  // The stall cause for this dependency of the warp.
  virtual stall_cause cause_of(warp_slot warp, scoreboard_entry dependency) const = 0;
};

// -- implemented by the instruction cache --

// Called by fetch.
class icache_predecode_if : public virtual sc_core::sc_interface {
 public:
  // The instruction at `pc`, from a line that is present; its length is 0 when the line is absent, and when the
  // instruction does not end within the code.
  // `line`: a hint from the warp's last answer for the same code; updated.
  virtual predecoded predecode(const grid_descriptor& grid, isa::code_address pc, known_line& line) = 0;
};

// Called by issue.
class icache_cause_if : public tlm_bus::question_if {
 public:
  virtual const warp_signal& missing() const = 0;  // warps with a fetch waiting for a fill
};

// -- implemented by the SIMT stack --

// Called by issue.
class simt_stack_issue_if : public tlm_bus::question_if {
 public:
  virtual isa::lane_mask active_mask(warp_slot warp) const = 0;
};

// Called by branch.
class simt_stack_branch_if : public virtual sc_core::sc_interface {
 public:
  // A path has arrived at an instruction with join that is still to be executed. Either all paths have arrived
  // (executes), or the warp switches to another path.
  virtual arch_state::control_result enter(warp_slot warp, isa::code_address pc,
                                           const isa::instruction& instruction) = 0;
  virtual arch_state::control_result execute(warp_slot warp, isa::code_address pc,
                                             const isa::instruction& instruction, isa::lane_mask selected) = 0;
  // A branch whose lanes have read their targets.
  virtual arch_state::control_result execute_indirect(warp_slot warp, isa::code_address pc,
                                                      const isa::instruction& instruction, isa::lane_mask selected,
                                                      const isa::lane_words& targets) = 0;
  virtual isa::lane_mask active_mask(warp_slot warp) const = 0;
  virtual const arch_state::divergence& state(warp_slot warp) const = 0;
};

// Called by the branch unit of generations whose barriers count threads.
class simt_stack_paths_if : public virtual sc_core::sc_interface {
 public:
  virtual void move_state(warp_slot warp, const isa::instruction& instruction, isa::lane_bundle& values,
                          isa::lane_mask selected) = 0;
  // The running path arrives at a barrier of the block behind the instruction at `pc`; it waits there, or goes on.
  // The result says where the warp goes on; its mask is 0 if no path can run.
  virtual arch_state::control_result arrive(warp_slot warp, isa::code_address pc,
                                            const isa::instruction& instruction, bool waits) = 0;
  // The paths of these lanes that wait at the barrier may go on. The mask of the result is 0 unless the warp had no
  // running path and has one now.
  virtual arch_state::control_result release(warp_slot warp, unsigned barrier, isa::lane_mask lanes) = 0;
};

// Called by the barrier.
class simt_stack_barrier_if : public tlm_bus::question_if {
 public:
  virtual bool converged(warp_slot warp) const = 0;  // all lanes that have not ended are active
};

// Called by block control.
class simt_stack_start_if : public virtual sc_core::sc_interface {
 public:
  virtual void start(warp_slot warp, isa::code_address pc, isa::lane_mask lanes) = 0;
};

// -- implemented by the stack memory --

// Called by write_back.
class stack_memory_if : public virtual sc_core::sc_interface {
 public:
  // An access of the stack memory ends.
  virtual void completed(const warp_instruction& access) = 0;
};

// -- implemented by shared memory --

// Called by block control.
class shared_memory_start_if : public virtual sc_core::sc_interface {
 public:
  // The storage of a block that starts: `bytes` from `base`, which block control must initialise.
  virtual std::uint8_t* bind(block_slot block, std::uint32_t base, std::uint32_t bytes) = 0;
};

// -- implemented by the constant cache --

// Called by the operand collector.
class constant_cache_if : public tlm_bus::question_if {
 public:
  // Whether the line of this device address was present at the last edge.
  virtual bool is_present(std::uint64_t address) const = 0;
  // Occurs when a line has arrived.
  virtual const tlm_bus::registered_event& arrival() const = 0;
};

// -- implemented by issue --

struct warp_observation;  // scheduler.h

// Called by fetch. The answers show the schedulers as they were at the last edge.
class issue_order_if : public tlm_bus::question_if {
 public:
  // The warp among `candidates` (not 0, all of this scheduler) that is first in the scheduler's priority queue.
  virtual warp_slot first(unsigned scheduler, warp_mask candidates) = 0;
  // The number of warps before this one in the queue of the scheduler's unfinished warps.
  virtual unsigned rank(unsigned scheduler, warp_slot warp) = 0;
  // The warps as issue saw them in its last tick. Maintained only if there is a subscriber, or a scheduler
  // observes.
  virtual const tlm_bus::registered_signal<warp_observation>& observed() const = 0;
  // Before the simulation: the answers of observed() shall have the oldest instruction of each warp.
  virtual void observe_instructions() {}
};

// Called by the barrier.
class issue_barrier_if : public virtual sc_core::sc_interface {
 public:
  // The barrier releases these warps.
  virtual void release(warp_mask warps) = 0;
  // Warps with an access to shared memory that goes through the pipeline again, as of the last edge.
  virtual warp_mask replaying() const { return 0; }
};

// -- implemented by block control --

// Called by issue, branch, write_back and the stack memory.
class block_control_if : public virtual sc_core::sc_interface {
 public:
  // Sets the block, and the warp within the block, that occupy the slot.
  virtual void describe(warp_slot warp, warp_instruction& operation) const = 0;
  virtual void instruction_issued(warp_slot warp, isa::unit_class unit) = 0;
  virtual void instruction_done(const warp_instruction& operation) = 0;
  // All lanes of the warp have exited.
  virtual void warp_finished(warp_slot warp) = 0;
  // The operation's fault ends the launch; the first fault counts.
  virtual void faulted(const warp_instruction& operation) = 0;
};

// Called by the router of results where stores are posted.
class sent_stores_if : public virtual sc_core::sc_interface {
 public:
  // All transactions of a store have left for memory: its block may end.
  virtual void store_sent(warp_instruction& operation) = 0;
};

// Called by issue and the barrier.
class block_control_state_if : public tlm_bus::question_if {
 public:
  virtual const warp_signal& resident() const = 0;    // warps of blocks that have started and not retired
  virtual const warp_signal& unfinished() const = 0;  // among these, warps with lanes that have not exited
  // Of resident warps that have exited: what is under way of theirs; `draining` if it is nothing any more.
  virtual const tlm_bus::registered_signal<per_warp<stall_cause>>& awaited_at_exit() const = 0;
  // Warps of this block that have not exited, as of the last edge.
  virtual unsigned unfinished_warps(block_slot block) = 0;
  virtual block_slot block_slot_of(warp_slot warp) const = 0;
  // True if the warp has one instruction under way, as of the last edge.
  virtual bool is_alone(warp_slot warp) = 0;
};

// -- implemented by the instruction pool --

// Called by issue, write_back and the stack memory.
class instruction_pool_if : public virtual sc_core::sc_interface {
 public:
  virtual warp_instruction* get() = 0;
  virtual void put(warp_instruction* operation) = 0;
};

}  // namespace gt200::model
