#include "sc_models/sm/schedulers/scheduler.h"

#include "sc_models/policy_factory.h"
#include "sc_models/sm/schedulers/policies.h"

namespace gt200::model {

std::unique_ptr<scheduler> make_scheduler(std::string_view policy, const config::sm_config& parameters) {
  static constexpr policy_factory<std::unique_ptr<scheduler>(const config::sm_config&)> policies[] = {
#define POLICY(name, text) {#name, make_##name},
#include "sc_models/sm/schedulers/policies.def"
#undef POLICY
  };
  return factory_of(policies, policy)(parameters);
}

}  // namespace gt200::model
