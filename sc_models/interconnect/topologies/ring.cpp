// A ring: a router for each source and partition, and a link each way between neighbours. Packets go the shorter
// way round; of two equal ways, upwards.
#include "sc_models/interconnect/topologies/policies.h"
#include "sc_models/interconnect/topologies/routed_network.h"

namespace gt200::model {

std::unique_ptr<network> make_ring(const network_context& context) {
  const seats places = seats_of(context.sources, context.partitions);
  router_plan plan;
  plan.routers = context.sources + context.partitions;
  plan.router_of_input = context.requests ? places.of_source : places.of_partition;
  plan.router_of_output = context.requests ? places.of_partition : places.of_source;
  plan.has_circle = true;
  const unsigned n = plan.routers;
  for (unsigned r = 0; r < n; ++r) {
    plan.links.push_back({r, (r + 1) % n});
    plan.links.push_back({r, (r + n - 1) % n});
  }
  plan.way.resize(std::size_t{n} * n, router_plan::none);
  for (unsigned r = 0; r < n; ++r)
    for (unsigned d = 0; d < n; ++d) {
      const unsigned upwards = (d + n - r) % n;
      if (upwards != 0) plan.way_from(r, d) = 2 * r + (2 * upwards <= n ? 0 : 1);
    }
  return std::make_unique<routed_network>(context, plan);
}

}  // namespace gt200::model
