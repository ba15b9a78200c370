// In double precision, column by column. The scale of an element is K + 2 times its value: each of the K
// multiply-adds may err by a unit in the last place of the sum so far.
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::sgemm {

launch::reference_result check(const launch::host_context& context, const std::string&) {
  const auto rows = static_cast<std::size_t>(context.parameter("M"));
  const auto columns = static_cast<std::size_t>(context.parameter("N"));
  const auto inner = static_cast<std::size_t>(context.parameter("K"));
  const std::vector<float> a = context.initial<float>("A");
  const std::vector<float> b = context.initial<float>("B");
  launch::reference_result expected;
  expected.value.assign(rows * columns, 0.0);
  for (std::size_t column = 0; column < columns; ++column)
    for (std::size_t k = 0; k < inner; ++k)
      for (std::size_t row = 0; row < rows; ++row)
        expected.value[column * rows + row] +=
            static_cast<double>(a[k * rows + row]) * static_cast<double>(b[column * inner + k]);
  for (const double value : expected.value) expected.scale.push_back(static_cast<double>(inner + 2) * value);
  return expected;
}

}  // namespace gt200::kernels::sgemm
