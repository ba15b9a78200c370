#include "sc_models/memory_path/coalescing_policy.h"

#include "sc_models/policy_factory.h"

namespace gt200::model {
namespace {

added_factories<coalescing_policy, coalescing_context>& added_coalescing() {
  static added_factories<coalescing_policy, coalescing_context> all;
  return all;
}

}  // namespace

std::unique_ptr<coalescing_policy> make_coalescing_policy(const char* module,
                                                          const config::coalescer_config& config) {
  const char* const by_key = config::coalescing_policies.names[0];
  const std::string_view chosen = config::chosen_at(config::coalescing_policies, module, by_key);
  if (chosen == by_key) return nullptr;
  return added_coalescing().make(chosen, {config, config.added.of(chosen)});
}

void coalescing_policies::add(config::added_policy about, factory make) {
  added_coalescing().add(config::coalescing_policies, std::move(about), std::move(make));
}

}  // namespace gt200::model
