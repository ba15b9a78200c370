// Translation of the lanes' virtual addresses to physical ones.
//
// Two levels of tags. L1: fully associative, an entry covers 512 KB (16 entries, 8 MB reach). L2, looked up on an
// L1 miss: 8-way, an entry covers 4 KB (32 MB reach). Both replace the least recently used entry. Sizes and
// penalties: Wong 2010; that both levels belong to the TPC is an assumption. The translation itself always comes
// from the page table, which does not change while accesses are under way.
//
// In order and blocking. A warp instruction takes one cycle per distinct L1 page, an L1 miss adds the L2 latency,
// an L2 miss the latency of the walk. Lanes in unmapped pages are a fault; the instruction then completes without
// an access.
#pragma once

#include "sc_models/config/memory_config.h"
#include "sc_models/tpc/memory/page_table.h"
#include "sc_models/tpc/memory/tokens.h"
#include "sc_models/tpc/memory/translation_cache.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"

namespace gt200::model {

class tlb : public tlm_bus::stage {
 public:
  tlb(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore, const config::tlb_config& config,
      const page_table& pages);

  tlm_bus::pipe_in<memory_access_token> from_address_generation;
  tlm_bus::pipe_out<memory_access_token> to_coalescer;

  void tick() override;

  tlm_bus::counter l1_hits{"l1_hits", "look-ups", "first-level hits; one look-up per L1 page of an instruction"};
  tlm_bus::counter l1_misses{"l1_misses", "look-ups", "first-level misses"};
  tlm_bus::counter l2_misses{"l2_misses", "look-ups", "misses in both levels"};
  tlm_bus::counter faults{"faults", "warp instructions", "accesses to unmapped pages"};

 private:
  void translate(memory_access& access);
  // Tags of the pages used by the lanes; returns the cycles the instruction occupies the stage.
  tlm_bus::cycle_t look_up(const memory_access& access);

  const config::tlb_config& config_;
  const page_table& pages_;
  translation_cache l1_;
  translation_cache l2_;
  bool translated_ = false;        // the oldest access
  tlm_bus::cycle_t ready_at_ = 0;  // when it may go on
};

}  // namespace gt200::model
