// The factories of the DRAM models, one for each row of policies.def.
#pragma once

#include <memory>

#include "sc_models/partition/dram/models/dram_model.h"

namespace gt200::model {

#define POLICY(name, text) \
  std::unique_ptr<dram_model> make_##name(tlm_bus::clock_domain&, const config::dram_config&);
#include "sc_models/partition/dram/models/policies.def"
#undef POLICY

}  // namespace gt200::model
