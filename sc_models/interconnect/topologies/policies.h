// The factories of the networks, one for each row of policies.def.
#pragma once

#include <memory>

#include "sc_models/interconnect/network.h"

namespace gt200::model {

#define POLICY(name, text) std::unique_ptr<network> make_##name(const network_context&);
#include "sc_models/interconnect/topologies/policies.def"
#undef POLICY

}  // namespace gt200::model
