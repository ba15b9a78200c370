// Texture filter: texels to the registers of the lanes.
//
// texfetch does not filter: each texel is converted (texel.h) and its components selected by the instruction's
// write mask go to consecutive destination registers. `lanes` results per cycle.
#pragma once

#include "sc_models/config/texture_config.h"
#include "sc_models/tokens.h"
#include "sc_models/tpc/texture/tokens.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/pool.h"

namespace gt200::model {

class texture_filter : public tlm_bus::stage {
 public:
  texture_filter(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                 const config::texture_filter_config& config, tlm_bus::pool<texture_access>& accesses);

  tlm_bus::pipe_in<texture_access_token> from_l1;
  tlm_bus::pipe_out<memory_completion_token> to_sm_controller;

  void tick() override;

  tlm_bus::counter texels{"texels", "lanes", "texels delivered"};

 private:
  unsigned interval_;  // cycles per warp
  tlm_bus::pool<texture_access>& accesses_;
  tlm_bus::cycle_t free_at_ = 0;
};

}  // namespace gt200::model
