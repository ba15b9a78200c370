// Translation of the lanes' virtual addresses to physical ones.
//
// There are two levels of entries. L1 is fully associative; an entry covers a block of contiguous pages
// (page_entries.h) of at most 512 KB, so 16 entries reach 8 MB if memory is mapped contiguously. L2 is looked up on
// an L1 miss; it is 8-way, and an entry covers 4 KB (32 MB reach). If both miss, the page walker reads the page
// table in device memory. Both levels replace the least recently used entry. Sizes and penalties: Wong 2010. That
// both levels belong to the TPC is an assumption. Unmapped pages are not cached, and mapped pages do not change
// while anything runs. Each level is a module of its own (tlb_level.h).
//
// Translation is in order and blocking. A warp instruction takes one cycle per distinct L1 entry; an L1 miss adds
// the L2 latency, and an L2 miss adds the time of the walk. A lane that accesses an unmapped page, or writes to a
// read-only page, faults (if both occur, the unmapped pages are reported). The instruction then completes without
// an access.
#pragma once

#include "sc_models/config/memory_config.h"
#include "sc_models/memory_path/access_tokens.h"
#include "sc_models/memory_path/tlb_level.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/histogram.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

class tlb : public tlm_bus::stage, public tlm_bus::signal_source {
 public:
  tlb(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore, const config::tlb_config& config);

  tlm_bus::pipe_in<memory_access_token> from_address_generation;
  tlm_bus::pipe_out<memory_access_token> to_coalescer;
  tlm_bus::pipe_out<walk_request_token> to_page_walker;
  tlm_bus::pipe_in<walk_result_token> from_page_walker;
  tlm_bus::transaction_out<translation_access> to_l1;
  tlm_bus::transaction_out<translation_access> to_l2;
  tlb_level l1;
  tlb_level l2;

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "tlb"; }

  tlm_bus::counter l1_hits{"l1_hits", "look-ups", "first-level hits; one look-up per L1 entry of an instruction"};
  tlm_bus::counter l1_misses{"l1_misses", "look-ups", "first-level misses"};
  tlm_bus::counter l2_misses{"l2_misses", "look-ups", "misses in both levels"};
  tlm_bus::histogram latency{"latency", "uncore cycles", "accesses, from the first look-up to the coalescer"};
  tlm_bus::counter faults{"faults", "warp instructions", "accesses to unmapped or protected pages"};

 private:
  enum class state : std::uint8_t { none, looking_up, walk_wanted, walking };  // of the oldest access

  void begin(memory_access& access);
  void look_up(memory_access& access);
  void send_walk(const memory_access& access);
  void take_walk(memory_access& access);
  // The remaining lanes whose pages are in the block.
  isa::lane_mask lanes_in(const translation& block, const memory_access& access) const;
  void translate(memory_access& access, const translation& block);
  void finish(memory_access& access);

  std::uint32_t l2_latency_;
  state state_ = state::none;
  tlm_bus::cycle_t begun_at_ = 0;
  tlm_bus::cycle_t ready_at_ = 0;  // time at which the oldest access may continue
  isa::lane_mask left_ = 0;        // lanes not yet translated
  isa::lane_mask unmapped_ = 0;
  isa::lane_mask protected_ = 0;
};

}  // namespace gt200::model
