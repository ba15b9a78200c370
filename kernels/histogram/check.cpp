#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::histogram {

launch::reference_result check(const launch::host_context& context, const std::string&) {
  launch::reference_result expected;
  expected.value.assign(64, 0.0);
  for (const std::uint32_t value : context.initial<std::uint32_t>("data")) expected.value[value % 64] += 1.0;
  return expected;
}

}  // namespace gt200::kernels::histogram
