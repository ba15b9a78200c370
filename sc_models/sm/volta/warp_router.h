// Gives the warps of a starting block to the processing blocks: warp slot modulo their number.
//
//   start, allocations, initial_writes <- block control
//   starts, to_register_files, writes_to_register_files -> fetch and registers of the processing block
//
// Each processing block has registers of its own. A warp's lie there behind those of the warps with lower slots.
// They fit, because the work distributor counts as many warps for a block as fill all processing blocks evenly
// (tpc.sm.limits.warp_granule).
#pragma once

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/operands/register_transactions.h"
#include "sc_models/sm/stage_tokens.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/transaction.h"

namespace gt200::model {

class warp_router : public core_stage,
                    public tlm_bus::transaction_target<register_allocation>,
                    public tlm_bus::transaction_target<register_write_request> {
 public:
  tlm_bus::pipe_in<start_token> start;
  tlm_bus::transaction_in<register_allocation> allocations;
  tlm_bus::transaction_in<register_write_request> initial_writes;
  sc_core::sc_vector<tlm_bus::pipe_out<start_token>> starts;
  sc_core::sc_vector<tlm_bus::transaction_out<register_allocation>> to_register_files;
  sc_core::sc_vector<tlm_bus::transaction_out<register_write_request>> writes_to_register_files;

  warp_router(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config);

  void tick() override;
  void transport(register_allocation& allocation) override;
  void transport(register_write_request& request) override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "warp_router"; }

 private:
  unsigned block_of(warp_slot warp) const { return warp.index() % blocks_; }

  unsigned blocks_;
};

}  // namespace gt200::model
