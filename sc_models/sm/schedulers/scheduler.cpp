#include "sc_models/sm/schedulers/scheduler.h"

#include <string>

#include "sc_models/policy_factory.h"
#include "sc_models/sm/schedulers/policies.h"

namespace gt200::model {
namespace {

added_factories<scheduler, issue_policy_context>& added_warp_policies() {
  static added_factories<scheduler, issue_policy_context> all;
  return all;
}

}  // namespace

std::unique_ptr<scheduler> make_scheduler(std::string_view policy, const config::sm_config& parameters) {
  static constexpr policy_factory<std::unique_ptr<scheduler>(const config::sm_config&)> policies[] = {
#define POLICY(name, text) {#name, make_##name},
#include "sc_models/sm/schedulers/policies.def"
#undef POLICY
  };
  if (auto* make = factory_of(policies, policy)) return make(parameters);
  return added_warp_policies().make(policy, {parameters, parameters.scheduler.added.of(policy)});
}

std::unique_ptr<scheduler> make_scheduler_at(const char* module, std::string_view configured,
                                             const config::sm_config& parameters) {
  const std::string name(configured);
  return make_scheduler(config::chosen_at(config::warp_policies, module, name.c_str()), parameters);
}

void issue_policies::add(config::added_policy about, factory make) {
  config::added_policy for_fetch{about.name, about.text, {}};
  if (added_warp_policies().add(config::warp_policies, std::move(about), std::move(make)))
    config::add_policy(config::fetch_policies, std::move(for_fetch));
}

}  // namespace gt200::model
