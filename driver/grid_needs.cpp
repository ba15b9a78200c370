#include "driver/grid_needs.h"

#include <algorithm>

#include "toolchain/emulator/block_state.h"
#include "toolchain/launch/abi.h"
#include "toolchain/launch/fermi/abi.h"
#include "toolchain/launch/volta/abi.h"

namespace gt200 {

std::string refusal(const config::chip_config& chip, const launch::launch_parameters& parameters) {
  if (chip.is_volta()) return launch::volta::refusal(parameters, UINT32_MAX);
  if (chip.is_fermi()) return launch::fermi::refusal(parameters, UINT32_MAX);
  return launch::refusal(parameters, UINT32_MAX);
}

void describe_needs(const config::chip_config& chip, const launch::launch_parameters& parameters,
                    model::grid_descriptor& grid) {
  const cubin::kernel& kernel = *parameters.kernel;
  grid.grid = parameters.grid;
  grid.block = parameters.block;
  grid.registers = kernel.registers;
  if (chip.is_tesla()) {
    grid.shared_bytes = launch::shared_bytes_per_block(parameters);
    grid.local_bytes = emulator::block_state::local_allocation(kernel.local_bytes);
    grid.barriers = kernel.barriers + 1;  // the kernel declares the highest number
    grid.parameters = parameters.parameter_bytes;
    return;
  }
  grid.shared_bytes = launch::fermi::shared_bytes_per_block(parameters);
  grid.local_bytes = launch::fermi::local_allocation(kernel.local_bytes);
  // Volta's barriers are no resource of the SM: each block has all of them.
  grid.barriers = chip.is_volta() ? 1 : std::max(1u, kernel.barriers);
}

}  // namespace gt200
