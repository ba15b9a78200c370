// Breadth-first search with a queue.
#include <cstdint>
#include <queue>
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::bfs {

launch::reference_result check(const launch::host_context& context, const std::string&) {
  const auto nodes = context.initial<std::int32_t>("nodes");
  const auto edges = context.initial<std::int32_t>("edges");
  launch::reference_result expected;
  expected.value.assign(nodes.size() / 2, -1.0);
  expected.value[0] = 0.0;
  std::queue<std::size_t> open;
  open.push(0);
  for (; !open.empty(); open.pop()) {
    const std::size_t node = open.front();
    const auto first = static_cast<std::size_t>(nodes[2 * node]);
    for (std::size_t k = first; k < first + static_cast<std::size_t>(nodes[2 * node + 1]); ++k) {
      const auto neighbour = static_cast<std::size_t>(edges[k]);
      if (expected.value[neighbour] >= 0.0) continue;
      expected.value[neighbour] = expected.value[node] + 1.0;
      open.push(neighbour);
    }
  }
  return expected;
}

}  // namespace gt200::kernels::bfs
