// Row by row in double precision. The scale of an element is (terms + 2) times its value: all terms are positive,
// and each multiply-add may err by a unit in the last place of the sum so far.
#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::spmv {

launch::reference_result check(const launch::host_context& context, const std::string&) {
  const std::vector<std::int32_t> first = context.initial<std::int32_t>("first");
  const std::vector<std::int32_t> column = context.initial<std::int32_t>("column");
  const std::vector<float> element = context.initial<float>("element");
  const std::vector<float> x = context.initial<float>("x");
  launch::reference_result expected;
  for (std::size_t row = 0; row + 1 < first.size(); ++row) {
    double sum = 0;
    const auto begin = static_cast<std::size_t>(first[row]);
    const auto end = static_cast<std::size_t>(first[row + 1]);
    for (std::size_t k = begin; k < end; ++k)
      sum += static_cast<double>(element[k]) * static_cast<double>(x[static_cast<std::size_t>(column[k])]);
    expected.value.push_back(sum);
    expected.scale.push_back(static_cast<double>(end - begin + 2) * sum);
  }
  return expected;
}

}  // namespace gt200::kernels::spmv
