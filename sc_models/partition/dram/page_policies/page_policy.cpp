#include "sc_models/partition/dram/page_policies/page_policy.h"

#include "sc_models/partition/dram/page_policies/policies.h"
#include "sc_models/policy_factory.h"

namespace gt200::model {
namespace {

added_factories<page_policy, page_policy_context>& added_page_policies() {
  static added_factories<page_policy, page_policy_context> all;
  return all;
}

}  // namespace

std::unique_ptr<page_policy> make_page_policy(std::string_view policy, const config::dram_config& config) {
  static constexpr policy_factory<std::unique_ptr<page_policy>(const config::dram_config&)> policies[] = {
#define POLICY(name, text) {#name, make_##name},
#include "sc_models/partition/dram/page_policies/policies.def"
#undef POLICY
  };
  if (auto* make = factory_of(policies, policy)) return make(config);
  return added_page_policies().make(policy, {config, config.added_page_policies.of(policy)});
}

void page_policies::add(config::added_policy about, factory make) {
  added_page_policies().add(config::page_policies, std::move(about), std::move(make));
}

}  // namespace gt200::model
