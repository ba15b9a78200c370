#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::reduction {

launch::reference_result check(const launch::host_context& context, const std::string&) {
  std::uint32_t sum = 0;
  for (const std::uint32_t number : context.initial<std::uint32_t>("numbers")) sum += number;
  launch::reference_result expected;
  expected.value.push_back(sum);
  return expected;
}

}  // namespace gt200::kernels::reduction
