#include "sc_models/partition/dram/models/dram_model.h"

#include "sc_models/partition/dram/models/policies.h"
#include "sc_models/policy_factory.h"

namespace gt200::model {
namespace {

added_factories<dram_model, dram_context>& added_models() {
  static added_factories<dram_model, dram_context> all;
  return all;
}

}  // namespace

std::unique_ptr<dram_model> make_dram_model(std::string_view name, tlm_bus::clock_domain& memory,
                                            const config::dram_config& config) {
  static constexpr policy_factory<std::unique_ptr<dram_model>(tlm_bus::clock_domain&, const config::dram_config&)>
      models[] = {
#define POLICY(name, text) {#name, make_##name},
#include "sc_models/partition/dram/models/policies.def"
#undef POLICY
      };
  if (auto* make = factory_of(models, name)) return make(memory, config);
  return added_models().make(name, {memory, config, config.added_models.of(name)});
}

void dram_models::add(config::added_policy about, factory make) {
  added_models().add(config::dram_models, std::move(about), std::move(make));
}

}  // namespace gt200::model
