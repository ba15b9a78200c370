// The factories of the arbitrations, one for each row of policies.def.
#pragma once

#include <memory>

#include "sc_models/interconnect/arbitration/arbitration.h"

namespace gt200::model {

#define POLICY(name, text) std::unique_ptr<switch_arbitration> make_##name(unsigned inputs, unsigned outputs);
#include "sc_models/interconnect/arbitration/policies.def"
#undef POLICY

}  // namespace gt200::model
