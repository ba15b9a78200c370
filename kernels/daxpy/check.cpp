#include <cmath>
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::daxpy {

launch::reference_result check(const launch::host_context& context, const std::string&) {
  const double a = context.constant<double>("a").at(0);
  const std::vector<double> x = context.initial<double>("x");
  launch::reference_result expected;
  expected.value = context.initial<double>("y");
  for (std::size_t i = 0; i < x.size(); ++i) expected.value[i] = std::fma(a, x[i], expected.value[i]);
  return expected;
}

}  // namespace gt200::kernels::daxpy
