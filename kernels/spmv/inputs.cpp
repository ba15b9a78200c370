// Rows of 0 to 15 elements in random columns.
#include <cstdint>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::spmv {

void inputs(launch::host_context& context) {
  const auto rows = static_cast<std::uint32_t>(context.parameter("ROWS"));
  std::vector<std::int32_t> first = {0};
  std::vector<std::int32_t> column;
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::uint32_t count = context.random().draw() % 16;
    for (std::uint32_t k = 0; k < count; ++k)
      column.push_back(static_cast<std::int32_t>(context.random().draw() % rows));
    first.push_back(static_cast<std::int32_t>(column.size()));
  }
  context.set("first", first);
  context.set("column", column);
}

}  // namespace gt200::kernels::spmv
