#include "sc_models/interconnect/arbitration/arbitration.h"

#include "sc_models/interconnect/arbitration/policies.h"
#include "sc_models/policy_factory.h"

namespace gt200::model {

std::unique_ptr<switch_arbitration> make_switch_arbitration(std::string_view policy, unsigned inputs,
                                                            unsigned outputs) {
  static constexpr policy_factory<std::unique_ptr<switch_arbitration>(unsigned, unsigned)> policies[] = {
#define POLICY(name, text) {#name, make_##name},
#include "sc_models/interconnect/arbitration/policies.def"
#undef POLICY
  };
  return factory_of(policies, policy)(inputs, outputs);
}

}  // namespace gt200::model
