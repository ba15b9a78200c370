// Texture addresses: converts the coordinates of the lanes to addresses of texels, by the state of the texture
// unit.
//
// Coordinates are in the words of values.source[0]. toolchain/sampling/sampler.h determines the selected texels and
// their weights: integer fetches, normalised coordinates and addressing modes, the texels around a point for linear
// filtering, in linear memory, pitch-linear images and block-linear arrays. All texels of a filter are read, even
// those of weight 0 (assumption), unless all are outside.
//
// texauto of linear memory is an `unsupported` fault, a unit without a binding texture_not_bound, and a texel in an
// unmapped page unmapped_address. An instruction with a fault completes without reading.
//
// Handles `lanes` coordinates per cycle, half as many for a filter of 8 texels. Translation takes no extra time
// (assumption: it is part of the latency).
#pragma once

#include "sc_models/cluster_tokens.h"
#include "sc_models/config/texture_config.h"
#include "sc_models/memory_path/page_table.h"
#include "sc_models/texture/texture_tokens.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/pipe_counter.h"
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
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "texture_address"; }

  tlm_bus::counter operations{"operations", "warp instructions", "texture instructions"};
  tlm_bus::counter out_of_range{"out_of_range", "lanes", "coordinates outside their texture"};
  tlm_bus::counter faults{"faults", "warp instructions", "unsupported, not bound or unmapped"};

 private:
  void generate(warp_instruction& operation, texture_access& access);
  // Computes the physical addresses of the texels of a lane. Returns the index of the first unmapped texel, or
  // their number if all are mapped.
  unsigned translate(texture_access& access, unsigned lane);

  tlm_bus::pipe_counter<memory_operation_token> queue_;
  unsigned interval_;  // cycles per warp and pass
  const page_table& pages_;
  tlm_bus::pool<texture_access>& accesses_;
  const page_table::range* range_ = nullptr;  // where the last texel was found
  tlm_bus::cycle_t free_at_ = 0;
};

}  // namespace gt200::model
