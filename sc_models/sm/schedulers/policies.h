// The factories of the warp scheduling policies, one for each row of policies.def.
#pragma once

#include <memory>

#include "sc_models/sm/schedulers/scheduler.h"

namespace gt200::model {

#define POLICY(name, text) std::unique_ptr<scheduler> make_##name(const config::sm_config&);
#include "sc_models/sm/schedulers/policies.def"
#undef POLICY

}  // namespace gt200::model
