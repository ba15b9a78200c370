// Volta's streaming multiprocessor, as sm_70 needs it.
//
//   block_control -> warp_router -> four processing blocks
//   processing blocks -> memory_arbiter -> load_store_unit -> shared_memory | memory_port -> result_router -> back
//   branch units of the blocks <-> barrier (counts threads)
//
// It only constructs and binds. One clock: the core clock. Blocks and warps, shared memory, load/store unit, memory
// port and the paths of warps are the modules of the other generations.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "sc_models/config/chip_config.h"
#include "sc_models/sm/blocks/block_control.h"
#include "sc_models/sm/blocks/instruction_pool.h"
#include "sc_models/sm/completion/memory_port.h"
#include "sc_models/sm/divergence/simt_stack.h"
#include "sc_models/sm/fermi/load_store_unit.h"
#include "sc_models/sm/operands/shared_memory.h"
#include "sc_models/sm/sm_if.h"
#include "sc_models/sm/units/lane_share.h"
#include "sc_models/sm/volta/memory_arbiter.h"
#include "sc_models/sm/volta/probe.h"
#include "sc_models/sm/volta/processing_block.h"
#include "sc_models/sm/volta/thread_barrier.h"
#include "sc_models/sm/volta/warp_router.h"
#include "tlm_bus/resettable.h"

namespace gt200::model {

class volta_sm final : public sm_if, public tlm_bus::resettable {
 private:
  const config::sm_config& config_;
  config::sm_config block_config_;  // with the registers of one processing block
  std::shared_ptr<decoded_instructions> decoded_;
  std::shared_ptr<const unit_list> units_;
  const arch_state::generation& generation_;
  lane_share share_;
  tlm_bus::tap<write_back_observer> completions_;

 public:
  gt200::model::block_control block_control;
  gt200::model::warp_router warp_router;
  std::deque<processing_block> blocks;  // block_0 ..
  gt200::model::simt_stack simt_stack;
  thread_barrier barrier;
  gt200::model::memory_arbiter memory_arbiter;
  gt200::model::load_store_unit load_store_unit;
  gt200::model::shared_memory shared_memory;
  gt200::model::memory_port memory_port;
  gt200::model::result_router result_router;
  gt200::model::instruction_pool instruction_pool;

  // `decoded`: shared by the SMs of a TPC; `units`: by those of the chip.
  volta_sm(const sc_core::sc_module_name& name, const sm_surroundings& surroundings, const sm_position& position,
           std::shared_ptr<decoded_instructions> decoded, std::shared_ptr<const unit_list> units);

  // sm_if
  tlm_bus::pipe_in<launch_token>& launch() override { return block_control.launch; }
  tlm_bus::pipe_out<retire_token>& retire() override { return block_control.retire; }
  tlm_bus::pipe_out<memory_operation_token>& memory_operations() override { return memory_port.out; }
  tlm_bus::pipe_in<memory_completion_token>& memory_completions() override { return result_router.from_memory; }
  std::vector<tlm_bus::memory_initiator<tlm_bus::base_protocol>*> fills() override;
  std::vector<cache_control_if*> caches() override;
  sc_core::sc_port<line_control_if, 1, sc_core::SC_ZERO_OR_MORE_BOUND>& l1_control() override {
    return memory_port.l1;
  }
  void visit_state(tlm_bus::state_image& state) override;
  sm_probe& probe() override { return probe_; }

  // For the probe.
  sm_sizes sizes() const;
  const processing_block& block_of(warp_slot warp) const { return blocks[warp.index() % blocks.size()]; }
  processing_block& block_of(warp_slot warp) { return blocks[warp.index() % blocks.size()]; }
  tlm_bus::tap<write_back_observer>& completions() { return completions_; }

 private:
  volta_sm_probe probe_{*this};
};

// Builds the SMs of a chip with this configuration.
sm_factory volta_sms(const config::gpu_config& config);

}  // namespace gt200::model
