// A mesh: routers in topology.mesh_columns columns and as many rows as sources and partitions need. Packets go
// along their row to the column of their destination, then along that column; so no ways form a circle (Dally and
// Seitz, IEEE Transactions on Computers 1987).
#include "sc_models/interconnect/topologies/policies.h"
#include "sc_models/interconnect/topologies/routed_network.h"

namespace gt200::model {

std::unique_ptr<network> make_mesh(const network_context& context) {
  const seats places = seats_of(context.sources, context.partitions);
  const unsigned columns = context.topology.mesh_columns;
  const unsigned rows = (context.sources + context.partitions + columns - 1) / columns;
  router_plan plan;
  plan.routers = rows * columns;
  plan.router_of_input = context.requests ? places.of_source : places.of_partition;
  plan.router_of_output = context.requests ? places.of_partition : places.of_source;
  plan.way.resize(std::size_t{plan.routers} * plan.routers, router_plan::none);
  for (unsigned r = 0; r < plan.routers; ++r) {
    const auto add = [&](bool is_there, unsigned to, auto&& leads_to) {
      if (!is_there) return;
      for (unsigned d = 0; d < plan.routers; ++d)
        if (leads_to(d)) plan.way_from(r, d) = static_cast<unsigned>(plan.links.size());
      plan.links.push_back({r, to});
    };
    const unsigned row = r / columns, column = r % columns;
    add(column + 1 < columns, r + 1, [&](unsigned d) { return d % columns > column; });
    add(column > 0, r - 1, [&](unsigned d) { return d % columns < column; });
    add(row + 1 < rows, r + columns, [&](unsigned d) { return d % columns == column && d / columns > row; });
    add(row > 0, r - columns, [&](unsigned d) { return d % columns == column && d / columns < row; });
  }
  return std::make_unique<routed_network>(context, plan);
}

}  // namespace gt200::model
