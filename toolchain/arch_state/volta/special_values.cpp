#include "toolchain/arch_state/volta/special_values.h"

#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/isa/volta/special_register.h"

namespace gt200::arch_state::volta {
namespace {

using namespace isa::volta;

std::uint32_t lane_mask_value(unsigned kind, unsigned lane) {
  const std::uint32_t own = 1u << lane;
  switch (kind) {
    case 0: return own;              // eq
    case 1: return own - 1;          // lt
    case 2: return own | (own - 1);  // le
    case 3: return ~(own | (own - 1));
    default: return ~(own - 1);
  }
}

std::uint32_t thread_number(unsigned axis, std::uint32_t thread, const std::array<std::uint32_t, 3>& size) {
  return axis == 0 ? thread % size[0] : axis == 1 ? thread / size[0] % size[1] : thread / size[0] / size[1];
}

std::uint32_t value_of(std::uint8_t number, const warp_place& place, const machine_size& machine, unsigned lane) {
  const auto in = [number](std::uint8_t first, unsigned count) {
    return number >= first && number < first + count;
  };
  if (number == sr_lane) return lane;
  if (in(sr_thread_x, 3))
    return thread_number(number - sr_thread_x, place.first_thread + lane, place.block->block_size);
  if (in(sr_block_x, 3)) return place.block->block[number - sr_block_x];
  if (in(sr_lanemask_eq, 5)) return lane_mask_value(number - sr_lanemask_eq, lane);
  if (number == sr_virtual_sm) return machine.sm_number(place);
  if (number == sr_clock_low || number == sr_timer_low) return static_cast<std::uint32_t>(place.clock);
  if (number == sr_clock_high || number == sr_timer_high) return static_cast<std::uint32_t>(place.clock >> 32);
  return 0;
}

}  // namespace

void special_values(std::uint8_t number, const warp_place& place, const machine_size& machine,
                    isa::lane_words* rows) {
  const bool is_clock = number == sr_clock_low || number == sr_timer_low;
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    rows[0].lane[lane] = value_of(number, place, machine, lane);
  fill_row(rows[1].lane, is_clock ? static_cast<std::uint32_t>(place.clock >> 32) : 0);
}

}  // namespace gt200::arch_state::volta
