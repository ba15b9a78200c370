// Rows of 32 lanes: which lanes a masked write changes, and how halves of registers move.
#include "toolchain/arch_state/lane_rows.h"

#include <gtest/gtest.h>

#include <array>

namespace gt200::arch_state {
namespace {

constexpr std::array<isa::lane_mask, 7> masks = {0, 1, 0x80000000, 0x0000ffff, 0xff00ff00, 0xa5c3f018, all_lanes};

template <class T>
void expect_that_a_masked_write_changes_the_lanes_of_the_mask_alone() {
  for (const isa::lane_mask mask : masks) {
    std::array<T, isa::warp_size> to, from;
    for (unsigned lane = 0; lane < to.size(); ++lane) {
      to[lane] = static_cast<T>(0x11111111u + lane);
      from[lane] = static_cast<T>(0xeeeeeeeeu ^ lane << 1);
    }
    const auto before = to;
    write_row(to.data(), from.data(), mask);
    for (unsigned lane = 0; lane < to.size(); ++lane)
      EXPECT_EQ(to[lane], (mask >> lane & 1) != 0 ? from[lane] : before[lane]) << std::hex << mask << " " << lane;
  }
}

TEST(lane_rows, a_masked_write_changes_the_lanes_of_the_mask_alone) {
  expect_that_a_masked_write_changes_the_lanes_of_the_mask_alone<std::uint8_t>();
  expect_that_a_masked_write_changes_the_lanes_of_the_mask_alone<std::uint16_t>();
  expect_that_a_masked_write_changes_the_lanes_of_the_mask_alone<std::uint32_t>();
}

TEST(lane_rows, the_other_half_and_the_other_lanes_stay) {
  for (const isa::lane_mask mask : masks) {
    std::array<std::uint32_t, isa::warp_size> low, high, from;
    low.fill(0xaaaabbbb);
    high.fill(0xaaaabbbb);
    from.fill(0x12345678);
    write_row_half(low.data(), from.data(), false, mask);
    write_row_half(high.data(), from.data(), true, mask);
    for (unsigned lane = 0; lane < low.size(); ++lane) {
      const bool written = (mask >> lane & 1) != 0;
      EXPECT_EQ(low[lane], written ? 0xaaaa5678u : 0xaaaabbbbu);
      EXPECT_EQ(high[lane], written ? 0x5678bbbbu : 0xaaaabbbbu);
    }
  }
}

TEST(lane_rows, a_half_is_extended_to_the_whole_register) {
  const auto narrowed = [](bool high, bool is_signed) {
    std::array<std::uint32_t, isa::warp_size> row;
    row.fill(0x7001f002);
    narrow_to_half(row.data(), high, is_signed);
    return row[31];
  };
  EXPECT_EQ(narrowed(false, false), 0xf002u);
  EXPECT_EQ(narrowed(false, true), 0xfffff002u);
  EXPECT_EQ(narrowed(true, false), 0x7001u);
  EXPECT_EQ(narrowed(true, true), 0x7001u);
}

}  // namespace
}  // namespace gt200::arch_state
