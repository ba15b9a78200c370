// The expected result of each kernel of transpose.s, by the name of its output buffer.
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::transpose {

launch::reference_result check(const launch::host_context& context, const std::string& buffer) {
  constexpr std::size_t tile = 32;
  const std::vector<float> input = context.initial<float>("idata");
  const auto n = static_cast<std::size_t>(context.parameter("N"));
  const auto tile_of = [](std::size_t i) { return i / tile * tile; };
  const auto within = [](std::size_t i) { return i % tile; };
  launch::reference_result expected;
  expected.value.reserve(n * n);
  for (std::size_t y = 0; y < n; ++y)
    for (std::size_t x = 0; x < n; ++x) {
      std::size_t from = y * n + x;
      if (buffer == "transposed") from = x * n + y;
      if (buffer == "fine_grained") from = (tile_of(y) + within(x)) * n + tile_of(x) + within(y);
      if (buffer == "coarse_grained") from = (tile_of(x) + within(y)) * n + tile_of(y) + within(x);
      expected.value.push_back(static_cast<double>(input[from]));
    }
  return expected;
}

}  // namespace gt200::kernels::transpose
