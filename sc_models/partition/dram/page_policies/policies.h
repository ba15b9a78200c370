// The factories of the page policies, one for each row of policies.def.
#pragma once

#include <memory>

#include "sc_models/partition/dram/page_policies/page_policy.h"

namespace gt200::model {

#define POLICY(name, text) std::unique_ptr<page_policy> make_##name(const config::dram_config&);
#include "sc_models/partition/dram/page_policies/policies.def"
#undef POLICY

}  // namespace gt200::model
