// Effective addresses of the 32 lanes of a load, store or atomic, with the checks that need no memory.
//
// The collector has put an address into every lane. Global: the byte address, zero-extended to the 40-bit virtual
// address. Local: the address selects a byte of the thread's own memory. Consecutive 32-bit words of a thread are
// 128 bytes apart, so that the same word of the 32 lanes is one aligned 128-byte block:
//   local_base + (SM of the chip x warps + warp) x 32 x local_bytes + (offset / 4) x 128 + lane x 4 + offset % 4
// Wider types take one word after the other (that local memory is interleaved is known; the layout is an
// assumption).
//
// A lane faults if its address is not a multiple of the access size, or if it is outside its local memory. The
// instruction then continues without any lane and completes without an access. Misalignment in any lane is reported
// before range. The reported address is that of the lowest faulting lane; for local memory it is the offset.
//
// Inactive lanes get an address next to that of the lowest active lane, so that later stages need no mask.
//
// half_warps_per_cycle half-warps with executing lanes take one cycle (Kanter: requests are handled per half-warp).
#pragma once

#include "sc_models/cluster_tokens.h"
#include "sc_models/config/memory_config.h"
#include "sc_models/memory_path/access_tokens.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/pool.h"

namespace gt200::model {

class address_generation : public tlm_bus::stage {
 public:
  // `first_sm`: number in the chip of the TPC's SM 0. `warps`: warp slots of an SM. The local memory of the chip
  // must lie below 4 GB.
  address_generation(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                     const config::address_generation_config& config, unsigned first_sm, unsigned warps,
                     tlm_bus::pool<memory_access>& accesses);

  tlm_bus::pipe_in<memory_operation_token> from_sm_controller;
  tlm_bus::pipe_out<memory_access_token> to_tlb;

  void tick() override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "address_generation"; }

  tlm_bus::counter half_warps{"half_warps", "half-warps", "half-warps with executed lanes"};
  tlm_bus::counter faults{"faults", "warp instructions", "misaligned or outside local memory"};

 private:
  void generate(warp_instruction& operation, memory_access& access) const;
  // Returns false at a fault.
  bool global_addresses(warp_instruction& operation, memory_access& access) const;
  bool local_addresses(warp_instruction& operation, memory_access& access) const;

  unsigned first_sm_;
  unsigned warps_;
  unsigned half_warps_per_cycle_;
  tlm_bus::pool<memory_access>& accesses_;
  tlm_bus::cycle_t free_at_ = 0;
};

}  // namespace gt200::model
