#include "sc_models/partition/dram/schedulers/scheduler.h"

#include "sc_models/partition/dram/schedulers/policies.h"
#include "sc_models/policy_factory.h"

namespace gt200::model {

std::unique_ptr<dram_scheduler> make_dram_scheduler(std::string_view policy, const config::dram_config& config) {
  static constexpr policy_factory<std::unique_ptr<dram_scheduler>(const config::dram_config&)> policies[] = {
#define POLICY(name, text) {#name, make_##name},
#include "sc_models/partition/dram/schedulers/policies.def"
#undef POLICY
  };
  return factory_of(policies, policy)(config);
}

}  // namespace gt200::model
