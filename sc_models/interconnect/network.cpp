#include "sc_models/interconnect/network.h"

#include "sc_models/interconnect/topologies/policies.h"
#include "sc_models/policy_factory.h"

namespace gt200::model {
namespace {

added_factories<network, network_context>& added_networks() {
  static added_factories<network, network_context> all;
  return all;
}

}  // namespace

std::unique_ptr<network> make_network(std::string_view topology, const network_context& context) {
  static constexpr policy_factory<std::unique_ptr<network>(const network_context&)> networks[] = {
#define POLICY(name, text) {#name, make_##name},
#include "sc_models/interconnect/topologies/policies.def"
#undef POLICY
  };
  if (auto* make = factory_of(networks, topology)) return make(context);
  return added_networks().make(topology, context);
}

void network_topologies::add(config::added_policy about, factory make) {
  added_networks().add(config::network_topologies, std::move(about), std::move(make));
}

}  // namespace gt200::model
