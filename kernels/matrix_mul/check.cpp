// Row by column in double precision. The scale of an element is its number of terms + 2 times its value: each of
// the multiply-adds may err by a unit in the last place of the sum so far.
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::matrix_mul {

// The buffer part_of_C has the first 16 x ROWS rows and 16 x COLUMNS columns of a product of TERMS terms.
launch::reference_result check(const launch::host_context& context, const std::string& buffer) {
  const auto size = [&](const char* name) { return static_cast<std::size_t>(context.parameter(name)); };
  const std::size_t n = size("N");
  const bool part = buffer == "part_of_C";
  const std::size_t rows = part ? 16 * size("ROWS") : n;
  const std::size_t columns = part ? 16 * size("COLUMNS") : n;
  const std::size_t terms = part ? size("TERMS") : n;
  const std::vector<float> a = context.initial<float>("A");
  const std::vector<float> b = context.initial<float>("B");
  launch::reference_result expected;
  expected.value.assign(rows * n, 0.0);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < terms; ++k)
      for (std::size_t column = 0; column < columns; ++column)
        expected.value[row * n + column] +=
            static_cast<double>(a[row * n + k]) * static_cast<double>(b[k * n + column]);
  for (const double value : expected.value) expected.scale.push_back(static_cast<double>(terms + 2) * value);
  return expected;
}

}  // namespace gt200::kernels::matrix_mul
