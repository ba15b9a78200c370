#include "sc_models/interconnect/arbitration/arbitration.h"

#include "sc_models/interconnect/arbitration/policies.h"
#include "sc_models/policy_factory.h"

namespace gt200::model {
namespace {

added_factories<switch_arbitration, arbitration_context>& added_arbitrations() {
  static added_factories<switch_arbitration, arbitration_context> all;
  return all;
}

}  // namespace

std::unique_ptr<switch_arbitration> make_switch_arbitration(std::string_view policy, unsigned inputs,
                                                            unsigned outputs,
                                                            const config::crossbar_config& config) {
  static constexpr policy_factory<std::unique_ptr<switch_arbitration>(unsigned, unsigned)> policies[] = {
#define POLICY(name, text) {#name, make_##name},
#include "sc_models/interconnect/arbitration/policies.def"
#undef POLICY
  };
  if (auto* make = factory_of(policies, policy)) return make(inputs, outputs);
  return added_arbitrations().make(policy, {inputs, outputs, config.added.of(policy)});
}

void switch_arbitrations::add(config::added_policy about, factory make) {
  added_arbitrations().add(config::crossbar_arbitrations, std::move(about), std::move(make));
}

}  // namespace gt200::model
