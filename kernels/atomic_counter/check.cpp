#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::atomic_counter {

launch::reference_result check(const launch::host_context& context, const std::string& buffer) {
  const std::vector<std::uint32_t> data = context.initial<std::uint32_t>("data");
  launch::reference_result expected;
  if (buffer == "counter") {
    expected.value = {static_cast<double>(data.size())};
  } else if (buffer == "marks") {
    expected.value.assign(data.size(), 1.0);
  } else if (buffer == "histogram") {
    expected.value.assign(64, 0.0);
    for (const std::uint32_t value : data) expected.value[value % 64] += 1.0;
  } else {
    expected.value = {static_cast<double>(*std::max_element(data.begin(), data.end()))};
  }
  return expected;
}

}  // namespace gt200::kernels::atomic_counter
