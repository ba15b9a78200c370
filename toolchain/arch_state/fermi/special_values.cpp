#include "toolchain/arch_state/fermi/special_values.h"

#include "toolchain/arch_state/fermi/generation.h"
#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/isa/fermi/special_register.h"

namespace gt200::arch_state::fermi {
namespace {

namespace special = isa::fermi::special;

std::uint32_t packed(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return (x & 0xffff) | (y & 0x3ff) << 16 | z << 26;
}

std::uint32_t lane_mask_value(std::uint8_t number, unsigned lane) {
  const std::uint32_t own = 1u << lane;
  switch (number) {
    case special::lanemask_eq: return own;
    case special::lanemask_lt: return own - 1;
    case special::lanemask_le: return own | (own - 1);
    case special::lanemask_gt: return ~(own | (own - 1));
    default: return ~(own - 1);
  }
}

void thread_numbers(std::uint8_t number, const warp_place& place, std::uint32_t* lanes) {
  const std::array<std::uint32_t, 3>& size = place.block->block_size;
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) {
    const std::uint32_t thread = place.first_thread + lane;
    const std::array<std::uint32_t, 3> tid = {thread % size[0], thread / size[0] % size[1],
                                              thread / size[0] / size[1]};
    lanes[lane] = number == special::tid ? packed(tid[0], tid[1], tid[2]) : tid[number - special::tidx];
  }
}

std::uint32_t uniform_value(std::uint8_t number, const warp_place& place, const machine_size& machine) {
  const block_place& b = *place.block;
  const auto in = [number](std::uint8_t first) { return number >= first && number < first + 3; };
  if (in(special::ctaidx)) return b.block[number - special::ctaidx];
  if (in(special::ntidx)) return b.block_size[number - special::ntidx];
  if (in(special::nctaidx)) return b.grid_size[number - special::nctaidx];
  switch (number) {
    case special::nphysid: return machine.warps << 8 | machine.sms << 20;
    case special::physid: return std::uint32_t{place.warp} << 8 | machine.sm_number(place) << 20;
    case special::ntid: return packed(b.block_size[0], b.block_size[1], b.block_size[2]);
    case special::gridid: return b.grid_id;
    case special::shared_window_base: return shared_window;
    case special::local_window_base: return local_window;
    case special::shared_window_size:
    case special::local_window_size: return window_bytes;
    case special::shared_size: return b.shared_bytes;
    case special::clock: return static_cast<std::uint32_t>(place.clock);
    case special::clockhi: return static_cast<std::uint32_t>(place.clock >> 32);
    default: return 0;
  }
}

}  // namespace

void special_values(std::uint8_t number, const warp_place& place, const machine_size& machine,
                    std::uint32_t* lanes) {
  if (number >= special::tid && number <= special::tidz) return thread_numbers(number, place, lanes);
  if (number == special::laneid) {
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) lanes[lane] = lane;
  } else if (number >= special::lanemask_eq && number <= special::lanemask_ge) {
    for (unsigned lane = 0; lane < isa::warp_size; ++lane) lanes[lane] = lane_mask_value(number, lane);
  } else {
    fill_row(lanes, uniform_value(number, place, machine));
  }
}

}  // namespace gt200::arch_state::fermi
