// The same fused multiply-adds in the same order: equal to the last bit.
#include <cmath>
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::dmatmul {

launch::reference_result check(const launch::host_context& context, const std::string&) {
  const auto n = static_cast<std::size_t>(context.parameter("N"));
  const std::vector<double> a = context.initial<double>("A");
  const std::vector<double> b = context.initial<double>("B");
  launch::reference_result expected;
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum = std::fma(a[row * n + k], b[k * n + column], sum);
      expected.value.push_back(sum);
    }
  }
  return expected;
}

}  // namespace gt200::kernels::dmatmul
