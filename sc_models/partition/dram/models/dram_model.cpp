#include "sc_models/partition/dram/models/dram_model.h"

#include "sc_models/partition/dram/models/policies.h"
#include "sc_models/policy_factory.h"

namespace gt200::model {

std::unique_ptr<dram_model> make_dram_model(std::string_view name, tlm_bus::clock_domain& memory,
                                            const config::dram_config& config) {
  static constexpr policy_factory<std::unique_ptr<dram_model>(tlm_bus::clock_domain&, const config::dram_config&)>
      models[] = {
#define POLICY(name, text) {#name, make_##name},
#include "sc_models/partition/dram/models/policies.def"
#undef POLICY
      };
  return factory_of(models, name)(memory, config);
}

}  // namespace gt200::model
