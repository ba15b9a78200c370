#include "apps/support/register_sharing.h"

#include <fmt/format.h>

#include "apps/support/config_files.h"
#include "sc_models/config/load.h"
#include "sc_models/distribution/occupancy.h"
#include "toolchain/error.h"
#include "toolchain/register_sharing/share_registers.h"

namespace gt200::apps {
namespace {

register_sharing::residency resident(const config::sm_config& sm, const cubin::kernel& kernel, unsigned threads,
                                     unsigned base) {
  model::grid_descriptor grid;
  grid.block = {threads, 1, 1};
  grid.registers = kernel.registers;
  grid.base_registers = base < kernel.registers ? base : 0;
  grid.shared_bytes = kernel.shared_bytes;
  grid.barriers = kernel.barriers + 1;
  grid.has_paired_sections = sm.register_file.sharing == config::register_sharing::paired_warps;
  const std::uint32_t blocks = model::blocks_per_sm(sm.limits, grid).blocks_per_sm;
  register_sharing::residency result;
  result.warps = blocks * grid.warps_per_block();
  result.sections = grid.has_paired_sections ? blocks * ((grid.warps_per_block() + 1) / 2)
                                             : model::section_pool_of(sm.limits, grid).sections;
  return result;
}

}  // namespace

std::string share_registers(cubin::module& module, const sharing_request& request, const std::string& source) {
  const config::sm_config sm = config::load(find_config(request.config)).values.tpc.sm;
  std::string report;
  for (cubin::kernel& kernel : module.kernels) {
    const auto with = [&](unsigned base) { return resident(sm, kernel, request.block_threads, base); };
    const unsigned before = with(kernel.registers).warps;
    const register_sharing::shared_kernel shared =
        register_sharing::share_registers(module, kernel, request.base, with);
    if (shared.base == 0) {
      if (request.base && !shared.fits_base)
        throw input_error(source, 0, fmt::format("kernel '{}': {}", kernel.name, shared.reason));
      report += fmt::format("{}: shares no registers: {}\n", kernel.name, shared.reason);
      continue;
    }
    const register_sharing::residency now = with(shared.base);
    report += fmt::format(
        "{}: a warp keeps {} of {} registers; {} acquires, {} releases, {} moves; with blocks of {} threads {} -> "
        "{} "
        "warps of an SM and {} sections; a warp holds one for about {:.0f} % of its time\n",
        kernel.name, shared.base, kernel.registers, shared.acquires, shared.releases, shared.moves,
        request.block_threads, before, now.warps, now.sections, 100 * shared.held_share);
  }
  return report;
}

}  // namespace gt200::apps
