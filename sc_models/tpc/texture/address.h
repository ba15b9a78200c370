// Texture addresses: coordinates of the lanes to addresses of texels.
//
// texfetch of a texture in linear memory (tex1Dfetch): the integer coordinate, component x in values.source[0] word
// 0, plus the instruction's offset selects a texel; outside 0 .. texels - 1 all components read as 0 (CUDA C
// Programming Guide 4.2). Other texture instructions are an `unsupported` fault; a unit without a binding is
// texture_not_bound, a texel in an unmapped page unmapped_address. At fault, the instruction completes without
// reading.
//
// `lanes` coordinates per cycle. Translation takes no time of its own (assumption: part of the latency).
#pragma once

#include "sc_models/config/texture_config.h"
#include "sc_models/tokens.h"
#include "sc_models/tpc/memory/page_table.h"
#include "sc_models/tpc/texture/tokens.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/pool.h"

namespace gt200::model {

class texture_address : public tlm_bus::stage {
 public:
  texture_address(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                  const config::texture_address_config& config, const page_table& pages,
                  tlm_bus::pool<texture_access>& accesses);

  tlm_bus::pipe_in<memory_operation_token> from_sm_controller;
  tlm_bus::pipe_out<texture_access_token> to_l1;

  void tick() override;

  tlm_bus::counter operations{"operations", "warp instructions", "texture instructions"};
  tlm_bus::counter out_of_range{"out_of_range", "lanes", "coordinates outside their texture"};
  tlm_bus::counter faults{"faults", "warp instructions", "unsupported, not bound or unmapped"};

 private:
  void generate(warp_instruction& operation, texture_access& access);

  unsigned interval_;  // cycles per warp
  const page_table& pages_;
  tlm_bus::pool<texture_access>& accesses_;
  tlm_bus::cycle_t free_at_ = 0;
};

}  // namespace gt200::model
