// One running sum.
#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::scan {

launch::reference_result check(const launch::host_context& context, const std::string&) {
  launch::reference_result expected;
  double sum = 0;
  for (const std::int32_t value : context.initial<std::int32_t>("in")) {
    sum += value;
    expected.value.push_back(sum);
  }
  return expected;
}

}  // namespace gt200::kernels::scan
