#include "sc_models/partition/dram/page_policies/page_policy.h"

#include "sc_models/partition/dram/page_policies/policies.h"
#include "sc_models/policy_factory.h"

namespace gt200::model {

std::unique_ptr<page_policy> make_page_policy(std::string_view policy, const config::dram_config& config) {
  static constexpr policy_factory<std::unique_ptr<page_policy>(const config::dram_config&)> policies[] = {
#define POLICY(name, text) {#name, make_##name},
#include "sc_models/partition/dram/page_policies/policies.def"
#undef POLICY
  };
  return factory_of(policies, policy)(config);
}

}  // namespace gt200::model
