// Slots of warps, slots of blocks and scoreboard entries do not mix with each other or with integers; masks and
// vectors name them.
#include "sc_models/slots.h"

#include <gtest/gtest.h>

#include <type_traits>
#include <vector>

#include "sc_models/sm/interfaces.h"

namespace gt200::model {
namespace {

static_assert(!std::is_convertible_v<unsigned, warp_slot> && !std::is_convertible_v<warp_slot, unsigned>);
static_assert(!std::is_convertible_v<unsigned, block_slot> && !std::is_convertible_v<block_slot, unsigned>);
static_assert(!std::is_constructible_v<warp_slot, block_slot> && !std::is_constructible_v<block_slot, warp_slot>);
static_assert(!std::is_assignable_v<warp_slot&, block_slot> && !std::is_assignable_v<warp_slot&, unsigned>);
static_assert(std::is_constructible_v<warp_slot, unsigned>, "where the code says so");

template <class Left, class Right, class = void>
constexpr bool comparable = false;
template <class Left, class Right>
constexpr bool comparable<Left, Right, std::void_t<decltype(std::declval<Left>() == std::declval<Right>())>> = true;
static_assert(comparable<warp_slot, warp_slot> && !comparable<warp_slot, block_slot>);
static_assert(!comparable<warp_slot, unsigned> && !comparable<block_slot, unsigned>);
static_assert(!comparable<scoreboard_entry, warp_slot> && !comparable<scoreboard_entry, unsigned>);

template <class Slot>
constexpr bool names_a_bit = std::is_invocable_v<decltype(warp_bit)&, Slot>;
static_assert(names_a_bit<warp_slot> && !names_a_bit<block_slot> && !names_a_bit<unsigned>);
template <class Slot>
constexpr bool counts_warps_of =
    std::is_invocable_v<decltype(&block_control_state_if::unfinished_warps), block_control_state_if&, Slot>;
static_assert(counts_warps_of<block_slot> && !counts_warps_of<warp_slot> && !counts_warps_of<unsigned>);

template <class Warp, class Entry>
constexpr bool has_a_cause =
    std::is_invocable_v<decltype(&scoreboard_issue_if::cause_of), scoreboard_issue_if&, Warp, Entry>;
static_assert(has_a_cause<warp_slot, scoreboard_entry> && !has_a_cause<scoreboard_entry, warp_slot>);
static_assert(!has_a_cause<warp_slot, unsigned> && !has_a_cause<warp_slot, warp_slot>);

static_assert(sizeof(warp_slot) == 1 && std::is_trivially_copyable_v<warp_slot>, "as cheap as its number");

std::vector<unsigned> numbers_in(warp_mask warps) {
  std::vector<unsigned> numbers;
  for (const warp_slot warp : warps_in(warps)) numbers.push_back(warp.index());
  return numbers;
}

TEST(warp_slots, of_a_mask_come_in_ascending_order) {
  EXPECT_EQ(numbers_in(0), std::vector<unsigned>{});
  EXPECT_EQ(numbers_in(warp_bit(warp_slot(63)) | warp_bit(warp_slot(5)) | warp_bit(warp_slot(0))),
            (std::vector<unsigned>{0, 5, 63}));
  EXPECT_EQ(lowest_warp(0b101000), warp_slot(3));
}

TEST(warp_slots, make_masks_up_to_the_last_slot) {
  EXPECT_EQ(first_warps(0), 0u);
  EXPECT_EQ(first_warps(24), 0xffffffu);
  EXPECT_EQ(first_warps(max_warps), ~warp_mask{0});
  EXPECT_EQ(warps_from(warp_slot(0)), ~warp_mask{0});
  EXPECT_EQ(warps_from(warp_slot(63)), warp_bit(warp_slot(63)));
}

TEST(warp_slots, go_round) {
  EXPECT_EQ(warp_after(warp_slot(0)), warp_slot(1));
  EXPECT_EQ(warp_after(warp_slot(max_warps - 1)), warp_slot(0));
}

TEST(scoreboard_entries, of_a_vector_come_in_ascending_order) {
  std::vector<unsigned> numbers;
  const std::uint64_t vector = entry_bit(scoreboard_entry(63)) | entry_bit(scoreboard_entry(2));
  for (const scoreboard_entry entry : entries_in(vector)) numbers.push_back(entry.index());
  EXPECT_EQ(numbers, (std::vector<unsigned>{2, 63}));
  EXPECT_EQ(lowest_entry(vector), scoreboard_entry(2));
}

TEST(per_warp, has_an_element_for_each_slot) {
  per_warp<unsigned> numbers{};
  for (const warp_slot warp : first_of_kind<warp_slot>(max_warps)) numbers[warp] = warp.index() + 1;
  EXPECT_EQ(numbers[warp_slot(0)], 1u);
  EXPECT_EQ(numbers[warp_slot(max_warps - 1)], max_warps);
  unsigned elements = 0;
  for (const unsigned number : numbers) elements += number != 0;
  EXPECT_EQ(elements, max_warps);
}

}  // namespace
}  // namespace gt200::model
