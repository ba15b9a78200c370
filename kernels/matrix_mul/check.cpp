// Row by column in double precision. The scale of an element is N + 2 times its value: each of the N multiply-adds
// may err by a unit in the last place of the sum so far.
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::matrix_mul {

launch::reference_result check(const launch::host_context& context, const std::string&) {
  const auto n = static_cast<std::size_t>(context.parameter("N"));
  const std::vector<float> a = context.initial<float>("A");
  const std::vector<float> b = context.initial<float>("B");
  launch::reference_result expected;
  expected.value.assign(n * n, 0.0);
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t column = 0; column < n; ++column)
        expected.value[row * n + column] +=
            static_cast<double>(a[row * n + k]) * static_cast<double>(b[k * n + column]);
  for (const double value : expected.value) expected.scale.push_back(static_cast<double>(n + 2) * value);
  return expected;
}

}  // namespace gt200::kernels::matrix_mul
