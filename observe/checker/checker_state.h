// The implementation of checker.h.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "observe/checker/checked_sm.h"
#include "observe/checker/checker.h"
#include "observe/checker/hazard_judge.h"
#include "observe/checker/l1_contents.h"
#include "observe/checker/memory_order.h"
#include "sc_models/cache/data_cache.h"
#include "sc_models/partition/order_observer.h"
#include "tlm_bus/pool.h"

namespace gt200::observe {

class checker::state final : public sm_events, private model::order_observer, private model::data_cache_observer {
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

  // Finds the instruction of a transaction, and calls act(in_flight) for it unless its warp has faulted. Reports
  // the difference that act throws, or that there is none.
  template <class Act>
  void for_instruction_of(const tlm::tlm_generic_payload& access, Act act);
  void host_stores(const tlm::tlm_generic_payload& access);
  void perform(in_flight& f, const tlm::tlm_generic_payload& access, const l1_contents::content* line = nullptr);
  // Reads device memory with what the L1s have stored in this launch and not written back.
  void read_device(std::uint64_t address, std::uint8_t* to, std::size_t bytes) const;
  const model::page_table& pages() const { return chip_.on_platform() ? platform_pages_ : chip_.pages; }
  bool checking() const { return !difference_ && !faulted_; }
  void begin_launch(const model::grid_descriptor& grid);
  void begin_block(checked_block& block, const model::grid_descriptor& grid, std::uint32_t block_id);
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
  bool check_fault(const in_flight& f);
  void check_access(in_flight& f);
  void take_special(checked_warp& warp, in_flight& f, special_value kind);
  void complete(checked_sm& sm, in_flight& f);
  void end_block(checked_sm& sm, checked_block& block);
  void check_end(const launch_result& result);
  void report(const checked_sm* sm, const in_flight* f, const difference_found& found);

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
  tlm_bus::pool<in_flight> pool_;
  std::unique_ptr<arch_state::step_record> part_ = std::make_unique<arch_state::step_record>();

  std::uint64_t launch_ = 0;  // that the fields below belong to
  std::vector<std::uint8_t> block_seen_;
  std::uint64_t blocks_ended_ = 0;  // of this launch
  bool fault_expected_ = false;     // the reference has found a fault
  bool faulted_ = false;            // so has the model: the launch ends, nothing is compared any more

  check_counts counts_;
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
