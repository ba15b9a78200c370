// Dynamic warp formation: threads of a block that go on at one address are put into warps anew, between branch unit
// and fetch (docs/warp_formation.md).
//
// A warp slot of a block holds a warp of any of the block's threads, each in the lane in which it started. The
// threads leave it where fetch stands still anyway: behind an instruction that may change the PC thread by thread,
// and at a barrier. Each thread has a program counter and a stack of targets (arch_state/thread_flow.h).
//
//   leave      The branch unit has sent the redirect, or the barrier has counted the threads. They wait in the slot
//              until all results of its instructions have been written: scoreboard entries belong to a slot.
//   pool       One group of threads with equal PC enters the pool per cycle; the slot is free when its last
//              threads have. Threads that wait at a barrier are parked instead, and enter the pool, one
//              group of each warp of the program per cycle, when it opens.
//   form       One warp per cycle leaves the pool for a free slot of its block, and fetch gets its address. The
//   pool
//              chooses it: by the heuristic (tpc.sm.warp_former.heuristic, formation_pool.h), or, under thread
//              block compaction, when all threads of the block have arrived (compaction_pool.h).
//
// Redirects of warps that keep their threads pass through, one cycle later. A block ends when all of its threads
// have ended.
//
// With tpc.sm.warp_former.across_blocks a warp may have threads of several blocks, in any free slot of a block that
// has not ended. Such a block ends when its threads have, all their instructions have been written back, and the
// last threads of other blocks have left its slots. Sources: Fung, Sham, Yuan, Aamodt: Dynamic Warp Formation and
// Scheduling for Efficient GPU Control Flow, MICRO 2007 (pool, look-up by PC, lanes, heuristics). Waiting for
// results, one group and one warp per cycle: assumption.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/divergence/warp_former_if.h"
#include "sc_models/sm/divergence/warp_pool.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/registered_event.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/tap.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::model {

// Is notified of every warp that is formed, before fetch gets it. May change it: tests damage it here.
class formation_observer {
 public:
  virtual ~formation_observer() = default;
  virtual void formed(warp_slot slot, waiting_warp& warp) = 0;
};

class warp_former : public core_stage, public tlm_bus::signal_source, public warp_former_if {
 public:
  tlm_bus::pipe_in<redirect_token> in;    // from the branch unit
  tlm_bus::pipe_out<redirect_token> out;  // to fetch

  tlm_bus::port<block_control_if> block_control;

  tlm_bus::counter formed{"formed", "warps", "warps formed of waiting threads"};
  tlm_bus::counter regrouped{"regrouped", "warps", "warps formed of threads of several warps of the program"};
  tlm_bus::counter formed_threads{"formed_threads", "threads", "threads of the formed warps"};
  tlm_bus::counter joined{"joined", "threads", "threads that found a warp at their address to join"};
  tlm_bus::counter compactions{"compactions", "groups",
                               "times that all threads of a block had arrived and those of one path went on"};
  tlm_bus::counter result_waits{"result_waits", "slot cycles",
                                "core cycles for which threads that left a warp waited for its results"};
  tlm_bus::counter pool_threads{"pool_threads", "thread cycles", "core cycles that threads spent in the pool"};

  // `slots`: block control.
  warp_former(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
              const arch_state::generation& generation, formed_slots_if& slots);

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;
  tlm_bus::part_tap* parts() override { return &parts_; }
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "warp_former"; }

  // warp_former_if
  void started(warp_slot slot, const grid_descriptor& grid, block_slot block, unsigned number,
               isa::lane_mask threads) override;
  bool forms(warp_slot slot) const override { return (forms_ & warp_bit(slot)) != 0; }
  isa::lane_mask active_mask(warp_slot slot) const override { return slots_[slot].members; }
  void compose(warp_slot slot, warp_instruction& operation) const override;
  void issued(const warp_instruction& operation) override;
  const warp_signal& forming() const override { return forming_; }
  void completed(const warp_instruction& operation) override;
  threads_result execute(warp_slot slot, const isa::instruction& instruction, isa::code_address pc,
                         isa::lane_mask selected) override;
  unsigned live_threads(block_slot block) const override {
    return blocks_[block.index()].live.read(domain().cycle());
  }
  const tlm_bus::registered_event& thread_ends() const override { return thread_ends_; }
  void arrived(const warp_instruction& operation, isa::lane_mask waiting) override;
  void release(block_slot block, unsigned barrier) override;

  // -- called by observers --
  const warp_pool& pool() const { return *pool_; }
  // Of the lanes of active_mask().
  const formed_lanes& threads_in(warp_slot slot) const { return slots_[slot].threads; }
  // Threads of the block that wait at a barrier, and threads that have not ended.
  unsigned parked_threads(block_slot block) const;
  unsigned unfinished_threads(block_slot block) const { return blocks_[block.index()].live.next(); }
  tlm_bus::tap<formation_observer>& observers() { return observers_; }

 private:
  struct slot_state {
    block_slot block;
    std::uint8_t number = 0;     // of the warp of the program that started here
    isa::lane_mask members = 0;  // lanes of the warp in the slot
    formed_lanes threads;
    unsigned results = 0;   // instructions of the slot that still have to write registers
    core_cycle settled_at;  // when the last of them was written
    core_cycle leaving_at;  // when the threads began to leave
  };
  // The threads that started in a slot.
  struct home_state {
    std::unique_ptr<arch_state::thread_flow> flow;
    isa::lane_mask parked = 0;                           // wait at a barrier
    isa::lane_mask away = 0;                             // of these, those that have left their slot
    isa::lane_mask released = 0;                         // go on, and have to enter the pool
    std::array<std::uint8_t, isa::warp_size> barrier{};  // of parked threads
  };
  struct block_state {
    tlm_bus::registered<unsigned> live;  // threads that have not ended
    warp_mask slots = 0;
    unsigned busy = 0;  // slots that hold threads, or have not started
    // If warps have threads of several blocks: instructions of its threads under way, in whatever slot, and when
    // the last of them was written back.
    unsigned under_way = 0;
    core_cycle settled_at;
    bool closed = false;  // no thread of it, and none in its slots, runs
  };
  // What the barrier tells; takes effect in the next cycle.
  struct barrier_command {
    core_cycle at;
    bool releases = false;
    warp_slot slot;  // of the warp that has arrived
    block_slot block;
    isa::lane_mask waiting = 0;
    std::uint8_t barrier = 0;
    isa::code_address pc = 0;  // behind the instruction
  };
  // Of the thread in the lane.
  home_state& home_of(const slot_state& s, unsigned lane) { return homes_[warp_slot(s.threads.slot[lane])]; }
  arch_state::thread_flow& flow_of(const slot_state& s, unsigned lane) { return *home_of(s, lane).flow; }
  block_state& block_of(warp_slot slot) { return blocks_[slots_[slot].block.index()]; }
  void take_commands();
  void park(const barrier_command& command);
  void open(const barrier_command& command);
  void leave(warp_slot slot);
  bool is_settled(warp_slot slot) const {
    return slots_[slot].results == 0 && slots_[slot].settled_at < cycle() && slots_[slot].leaving_at < cycle();
  }
  void form();
  void insert();
  void insert_released(warp_slot home);
  void compact();
  waiting_warp group_at(const home_state& home, unsigned lane) const;
  bool goes_with(const home_state& home, unsigned lane, const waiting_warp& group) const;
  void insert_from(warp_slot slot);
  void add(const waiting_warp& group);
  void emptied(warp_slot slot);
  void finish(block_state& block);
  void finish_blocks();
  // Free slots that warps may take.
  warp_mask usable() const;
  std::uint64_t blocks_with_room(warp_mask slots) const;
  void count_pool();

  formed_slots_if& block_slots_;
  per_warp<slot_state> slots_;
  per_warp<home_state> homes_;
  std::vector<block_state> blocks_;
  std::unique_ptr<warp_pool> pool_;
  bool compacts_;
  bool across_blocks_;
  std::vector<barrier_command> commands_;
  warp_mask forms_ = 0;     // slots of blocks whose warps are formed anew
  warp_mask leaving_ = 0;   // slots whose threads leave
  warp_mask free_ = 0;      // slots without threads, of running blocks
  warp_mask released_ = 0;  // homes of threads that a barrier has released
  unsigned next_slot_ = 0;  // where the search for a slot to empty begins
  warp_signal forming_;
  core_cycle counted_until_;  // threads in the pool
  tlm_bus::registered_event thread_ends_;
  unsigned warp_slots_;
  tlm_bus::tap<formation_observer> observers_;
  tlm_bus::part_tap parts_;
  const config::sm_config& config_;
  const arch_state::generation& generation_;
};

}  // namespace gt200::model
