// The factories of the DRAM schedulers, one for each row of policies.def.
#pragma once

#include <memory>

#include "sc_models/partition/dram/schedulers/scheduler.h"

namespace gt200::model {

#define POLICY(name, text) std::unique_ptr<dram_scheduler> make_##name(const config::dram_config&);
#include "sc_models/partition/dram/schedulers/policies.def"
#undef POLICY

}  // namespace gt200::model
