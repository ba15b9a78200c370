// Texture filter: converts texels to register values of the lanes.
//
// Texels are converted and, for linear filtering, weighted (toolchain/sampling/sampler.h: weights in 1.8 fixed
// point, one rounding at the end); the components selected by the instruction's write mask go to consecutive
// destination registers.
//
// Produces `lanes` results per cycle. A filter of 8 texels takes two passes. A texel larger than `full_rate_bytes`
// takes proportionally more passes, filtered or not.
#pragma once

#include "sc_models/cluster_tokens.h"
#include "sc_models/config/texture_config.h"
#include "sc_models/texture/texture_tokens.h"
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
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "texture_filter"; }

  tlm_bus::counter texels{"texels", "lanes", "results delivered"};
  tlm_bus::counter taps{"taps", "texels", "texels they were made of"};
  tlm_bus::counter busy_cycles{"busy_cycles", "uncore cycles", "occupied by instructions"};

 private:
  unsigned cycles_of(const texture_access& access) const;

  const config::texture_filter_config& config_;
  tlm_bus::pool<texture_access>& accesses_;
  tlm_bus::cycle_t free_at_ = 0;
};

}  // namespace gt200::model
