#include "toolchain/ptx/launch_bounds.h"

#include <algorithm>

namespace gt200::ptx {
namespace {

constexpr std::uint64_t warp_threads = 32;

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t granule) {
  return (value + granule - 1) / granule * granule;
}

}  // namespace

unsigned registers_within(const launch_bounds& bounds, const register_file& file, std::uint32_t blocks,
                          unsigned most) {
  if (bounds.registers != 0) most = std::min(most, bounds.registers);
  const std::uint64_t threads = std::min<std::uint64_t>(bounds.threads(), file.block_threads);
  const std::uint64_t warps = round_up((threads + warp_threads - 1) / warp_threads, file.warps);
  const auto taken = [&](unsigned registers) {
    return blocks * round_up(warps * warp_threads * registers, file.granule);
  };
  while (most > 1 && taken(most) > file.registers) --most;
  return most;
}

}  // namespace gt200::ptx
