// The sum of two floats, computed in double precision, is exact; rounding it to float is the expected result.
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::vector_add {

launch::reference_result check(const launch::host_context& context, const std::string&) {
  const std::vector<float> a = context.initial<float>("A");
  const std::vector<float> b = context.initial<float>("B");
  launch::reference_result expected;
  expected.value.resize(a.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    expected.value[i] = static_cast<double>(a[i]) + static_cast<double>(b[i]);
  return expected;
}

}  // namespace gt200::kernels::vector_add
