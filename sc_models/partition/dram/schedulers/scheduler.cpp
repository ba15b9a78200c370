#include "sc_models/partition/dram/schedulers/scheduler.h"

#include "sc_models/partition/dram/schedulers/policies.h"
#include "sc_models/policy_factory.h"

namespace gt200::model {
namespace {

added_factories<dram_scheduler, dram_scheduler_context>& added_schedulers() {
  static added_factories<dram_scheduler, dram_scheduler_context> all;
  return all;
}

}  // namespace

std::unique_ptr<dram_scheduler> make_dram_scheduler(std::string_view policy, const config::dram_config& config) {
  static constexpr policy_factory<std::unique_ptr<dram_scheduler>(const config::dram_config&)> policies[] = {
#define POLICY(name, text) {#name, make_##name},
#include "sc_models/partition/dram/schedulers/policies.def"
#undef POLICY
  };
  if (auto* make = factory_of(policies, policy)) return make(config);
  return added_schedulers().make(policy, {config, config.added_schedulers.of(policy)});
}

void dram_schedulers::add(config::added_policy about, factory make) {
  added_schedulers().add(config::dram_schedulers, std::move(about), std::move(make));
}

}  // namespace gt200::model
