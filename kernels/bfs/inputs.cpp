// A random graph; the search starts at node 0.
#include <cstdint>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::bfs {

void inputs(launch::host_context& context) {
  const auto n = static_cast<std::size_t>(context.parameter("N"));
  std::vector<std::int32_t> nodes, edges;
  for (std::size_t node = 0; node < n; ++node) {
    const std::uint32_t degree = 2 + context.random().draw() % 9;
    nodes.push_back(static_cast<std::int32_t>(edges.size()));
    nodes.push_back(static_cast<std::int32_t>(degree));
    for (std::uint32_t k = 0; k < degree; ++k)
      edges.push_back(static_cast<std::int32_t>(context.random().draw() % static_cast<std::uint32_t>(n)));
  }
  std::vector<std::int8_t> start(n, 0);
  start[0] = 1;
  std::vector<std::int32_t> cost(n, -1);
  cost[0] = 0;
  context.set("nodes", nodes);
  context.set("edges", edges);
  context.set("mask", start);
  context.set("visited", start);
  context.set("cost", cost);
}

}  // namespace gt200::kernels::bfs
