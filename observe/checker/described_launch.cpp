#include "observe/checker/described_launch.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace gt200::observe {
namespace {

void require_same(const char* what, const std::array<std::uint32_t, 3>& described,
                  const std::array<std::uint32_t, 3>& begun) {
  if (described == begun) return;
  throw std::logic_error(
      fmt::format("checker: {} is described as {} x {} x {}, and is {} x {} x {} in the registers", what,
                  described[0], described[1], described[2], begun[0], begun[1], begun[2]));
}

}  // namespace

const launch::launch_parameters& described(const launch_source& launched, const model::grid_descriptor& grid) {
  const launch::launch_parameters& launch = launched();
  if (launch.kernel == nullptr) throw std::logic_error("checker: a launch begins that nobody has described");
  require_same("the grid", launch.grid, grid.grid);
  require_same("the block", launch.block, grid.block);
  return launch;
}

}  // namespace gt200::observe
