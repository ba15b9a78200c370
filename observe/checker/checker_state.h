// The implementation of checker.h.
//
// While clusters run by themselves (tlm_bus/clocking.h), the events in an SM are handled at once, by the thread
// that runs its cluster. They change nothing but what the checker keeps for that cluster. The accesses that
// partitions perform are kept until the end of the window; the pages that they reach are copied to the shadow at
// once, before they change. Then no cluster runs: the accesses change the shadow, in their order, and of the
// differences of all clusters the earliest one counts. No cluster can see what is kept: an answer crosses its
// border, which takes a window at least. In the order of time everything is handled at once.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "observe/checker/checked_cluster.h"
#include "observe/checker/checked_sm.h"
#include "observe/checker/checker.h"
#include "observe/checker/hazard_judge.h"
#include "observe/checker/kept_accesses.h"
#include "observe/checker/l1_contents.h"
#include "observe/checker/memory_order.h"
#include "sc_models/cache/data_cache.h"
#include "sc_models/partition/order_observer.h"
#include "tlm_bus/clocking.h"

namespace gt200::observe {

class checker::state final : public sm_events,
                             private model::order_observer,
                             private model::data_cache_observer,
                             private tlm_bus::pipe_observer<model::grid_token>,
                             private tlm_bus::window_observer {
 public:
  state(model::chip& chip, std::unique_ptr<reference> executes, std::function<void()> stop);
  ~state() override;

  void launch_ended(const launch_result& result);
  void remember(std::uint64_t address) { shadow_.look(address); }
  const std::optional<mismatch>& difference() const { return difference_; }
  check_counts counts() const;
  std::map<std::string, std::uint64_t> hazards() const;

 private:
  // Observers of the model.
  void issued(unsigned sm, const model::warp_instruction& operation) override;
  void shared_performed(unsigned sm, const model::warp_instruction& operation) override;
  void completed(unsigned sm, const model::warp_instruction& operation) override;
  void section_given_twice(unsigned sm, unsigned section, model::warp_slot warp, model::warp_slot holder) override;
  void performed(const tlm::tlm_generic_payload& access, unsigned partition, tlm_bus::femtoseconds at) override;
  void looked_up(const tlm::tlm_generic_payload& access, std::uint64_t fill) override;
  void evicted(const tlm::tlm_generic_payload& access) override;
  void token_sent(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::grid_token&) override {}
  void token_taken(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::grid_token& token) override {
    begin_launch(*token.grid);
  }
  void window_ends() override;

  // True while clusters run by themselves.
  bool by_cluster() const { return chip_.clocks.defers_crossings(); }
  checked_cluster& cluster_of(const checked_sm& sm) { return clusters_[cluster_of_sm_[sm.index()]]; }
  // Something has happened in a cluster that concerns the others: handled now, or at the end of the window.
  void note_for_all() {
    if (!by_cluster()) put_together();
  }
  void put_together();
  static difference_found started_again(std::uint32_t block_id);
  void copy_to_shadow(const tlm::tlm_generic_payload& access);
  void take_performed(const tlm::tlm_generic_payload& access, tlm_bus::femtoseconds at);

  // Finds the instruction of a transaction, and calls act(in_flight) for it unless its warp has faulted. Reports
  // the difference that act throws, or that there is none.
  template <class Act>
  void for_instruction_of(const tlm::tlm_generic_payload& access, tlm_bus::femtoseconds at, Act act);
  void host_stores(const tlm::tlm_generic_payload& access);
  void perform(in_flight& f, const tlm::tlm_generic_payload& access, const l1_contents::content* line = nullptr);
  // Reads device memory with what the L1s have stored in this launch and not written back.
  void read_device(std::uint64_t address, std::uint8_t* to, std::size_t bytes) const;
  const model::page_table& pages() const { return chip_.on_platform() ? platform_pages_ : chip_.pages; }
  bool checking() const { return !difference_ && !faulted_; }
  bool checking(const checked_cluster& c) const { return checking() && c.compares(); }
  unsigned sm_of(const tlm::tlm_generic_payload& access) const;
  void begin_launch(const model::grid_descriptor& grid);
  void begin_block(checked_sm& sm, checked_block& block, const model::grid_descriptor& grid,
                   std::uint32_t block_id);
  void bind(checked_sm& sm, in_flight& f);
  void bind_warp(checked_sm& sm, model::block_slot in, model::warp_slot started, unsigned number);
  void issue(checked_sm& sm, unsigned index, in_flight& f);
  void check_issue(const checked_warp& warp, checked_block& block, in_flight& f);
  void check_instruction(const arch_state::pending_registers& pending, in_flight& f) const;
  void step_warp(const checked_warp& warp, checked_block& block, in_flight& f);
  static arch_state::pending_registers& pending_of(checked_sm& sm, const model::warp_instruction& operation,
                                                   unsigned lane);
  // Calls act(block, record) for each block of the instruction, with the lanes that are of it in the record.
  template <class Act>
  void by_part(checked_sm& sm, in_flight& f, Act act);
  void step_threads(checked_sm& sm, in_flight& f);
  void end_threads(checked_sm& sm, const in_flight& f);
  void pass_barriers_by_thread(checked_sm& sm, const block_part& part, const in_flight& f, isa::lane_mask ended);
  template <class Act>
  void for_slots_beside(const checked_sm& sm, const in_flight& f, Act act) const;
  void check_shared_order_of(const checked_sm& sm, const in_flight& f);
  void count_barriers(checked_sm& sm, checked_block& block);
  void pass_barriers(checked_sm& sm, checked_block& block, const in_flight& f, bool warp_ended);
  static bool check_fault(const in_flight& f);
  void check_access(checked_cluster& cluster, in_flight& f);
  void take_special(checked_cluster& cluster, checked_warp& warp, in_flight& f, special_value kind);
  void complete(checked_sm& sm, in_flight& f);
  void end_block(checked_sm& sm, checked_block& block);
  void check_end(const launch_result& result);
  mismatch described_at(tlm_bus::femtoseconds at, const checked_sm* sm, const in_flight* f,
                        const difference_found& found) const;
  // Reports a difference at an event in the SM, now.
  void report(const checked_sm& sm, const in_flight* f, const difference_found& found);
  // Reports a difference of an access that was performed at `at` for the SM's cluster.
  void report_performed(tlm_bus::femtoseconds at, const checked_sm& sm, const in_flight* f,
                        const difference_found& found);
  void end_with(mismatch found);

  model::chip& chip_;
  std::unique_ptr<reference> reference_;
  std::function<void()> stop_;
  shadow_memory shadow_;
  model::page_table platform_pages_;  // of a launch of a platform, as they are in memory at its begin
  memory_order memory_;
  l1_contents l1_;
  std::vector<bool> l1_has_stores_;  // by TPC: of this launch
  // Rows of local memory that an L1 may have dropped after their last use in this launch: their end is undefined.
  std::unordered_set<std::uint64_t> last_used_rows_;
  std::deque<checked_sm> sms_;       // by number in the chip
  std::deque<hazard_judge> judges_;  // the same; none where the hardware keeps readers back
  std::deque<checked_cluster> clusters_;
  std::vector<unsigned> cluster_of_sm_;
  kept_accesses kept_;
  std::optional<timed_difference> performed_difference_;  // that an access of the present window has shown

  std::uint64_t launch_ = 0;              // that the fields below belong to
  std::vector<std::uint8_t> block_seen_;  // before the present window
  bool faulted_ = false;  // the model has found a fault: the launch ends, nothing is compared any more

  std::optional<mismatch> difference_;
};

// The warp slots in which there may be threads of the instruction's blocks.
template <class Act>
void checker::state::for_slots_beside(const checked_sm& sm, const in_flight& f, Act act) const {
  if (chip_.config.tpc.sm.warp_former.across_blocks) {
    for (const model::warp_slot slot : model::warps_in(model::first_warps(chip_.config.tpc.sm.limits.warps)))
      act(slot);
    return;
  }
  for (const auto& slot : sm.blocks[f.parts.front().block.index()].slots)
    if (slot) act(*slot);
}

}  // namespace gt200::observe
