// A texture processing cluster: its SMs, the memory path and the texture unit they share, and the L2 cache of
// instructions and constants.
//
// Four connections leave it: launch and retire tokens, memory transactions, and fills of the L2 from the chip's L3.
// A fifth says, if configured, that textures were written.
#pragma once

#include <memory>
#include <vector>

#include "sc_models/cache/read_only_cache.h"
#include "sc_models/cluster/block_port.h"
#include "sc_models/config/chip_config.h"
#include "sc_models/memory_path/memory_path.h"
#include "sc_models/memory_path/page_table.h"
#include "sc_models/memory_transaction.h"
#include "sc_models/sm/sm_if.h"
#include "sc_models/texture/texture_unit.h"
#include "tlm_bus/resettable.h"

namespace gt200::model {

class tpc : public sc_core::sc_module, public tlm_bus::resettable {
 public:
  gt200::model::block_port block_port;
  std::vector<std::unique_ptr<sm_if>> sms;  // sm_0 ..
  memory_path memory;
  texture_unit texture;
  read_only_cache<tlm_bus::base_protocol> l2;  // constants and instructions

  // Borders.
  tlm_bus::pipe_in<launch_token>& launch() { return block_port.launch; }
  tlm_bus::pipe_out<retire_token>& retire() { return block_port.retire; }
  tlm_bus::memory_initiator<gpu_memory_protocol>& crossbar() { return memory.crossbar(); }
  tlm_bus::memory_initiator<tlm_bus::base_protocol>& l3() { return l2.fill; }
  // Null unless partition.texture_writes_invalidate.
  tlm_bus::pipe_in<texture_write_token>* texture_writes() { return texture.texture_writes(); }

  // `index`: number in the chip. `make_sm` builds its SMs. `crossbar_link`: cycles from the crossbar's switch to
  // the TPC.
  tpc(const sc_core::sc_module_name& name, tlm_bus::clock_domain& core, tlm_bus::clock_domain& shader,
      tlm_bus::clock_domain& uncore, const config::gpu_config& config, unsigned index, const page_table& pages,
      const sm_factory& make_sm, unsigned crossbar_link);
  ~tpc() override;

  const char* kind() const override { return "tpc"; }
  void visit_state(tlm_bus::state_image&) override {}  // only its parts have state
};

}  // namespace gt200::model
