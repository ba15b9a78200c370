// Sorts each group of 512 numbers.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::bitonic_sort {

launch::reference_result check(const launch::host_context& context, const std::string&) {
  constexpr std::ptrdiff_t elements = 512;
  std::vector<std::uint32_t> data = context.initial<std::uint32_t>("data");
  for (auto first = data.begin(); first != data.end(); first += elements) std::sort(first, first + elements);
  launch::reference_result expected;
  expected.value.assign(data.begin(), data.end());
  return expected;
}

}  // namespace gt200::kernels::bitonic_sort
