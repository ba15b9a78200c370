// Texture addresses: coordinates of the lanes to addresses of texels, by the state of the texture unit.
//
// Coordinates stand in the words of values.source[0]. Which texels they select, and with which weights, is in
// toolchain/sampling/sampler.h: integer fetches, clamped, wrapped and normalised coordinates, the texels around a
// point for linear filtering, in linear memory, pitch-linear images and block-linear arrays. All texels of a filter
// are read, also those of weight 0 (assumption).
//
// texauto of linear memory is an `unsupported` fault; a unit without a binding is texture_not_bound, a texel in an
// unmapped page unmapped_address. At fault, the instruction completes without reading.
//
// `lanes` coordinates per cycle, half as many when a filter of 8 texels is addressed. Translation takes no time of
// its own (assumption: part of the latency).
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

  tlm_bus::counter operations{"operations", "warp instructions", "texture instructions"};
  tlm_bus::counter out_of_range{"out_of_range", "lanes", "coordinates outside their texture"};
  tlm_bus::counter faults{"faults", "warp instructions", "unsupported, not bound or unmapped"};

 private:
  void generate(warp_instruction& operation, texture_access& access);
  // Physical addresses of the texels of a lane. Returns the first one that is not mapped, or their number.
  unsigned translate(texture_access& access, unsigned lane);

  tlm_bus::pipe_counter<memory_operation_token> queue_;
  unsigned interval_;  // cycles per warp and pass
  const page_table& pages_;
  tlm_bus::pool<texture_access>& accesses_;
  const page_table::range* range_ = nullptr;  // where the last texel was found
  tlm_bus::cycle_t free_at_ = 0;
};

}  // namespace gt200::model
