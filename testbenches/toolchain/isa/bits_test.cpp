#include "toolchain/bits.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace gt200 {
namespace {

template <class Mask>
std::vector<unsigned> numbers_in(Mask mask) {
  std::vector<unsigned> numbers;
  for (const unsigned n : set_bits(mask)) numbers.push_back(n);
  return numbers;
}

TEST(set_bits_test, gives_the_numbers_of_the_bits_ascending) {
  EXPECT_EQ(numbers_in(std::uint32_t{0}), (std::vector<unsigned>{}));
  EXPECT_EQ(numbers_in(std::uint32_t{0x80000001}), (std::vector<unsigned>{0, 31}));
  EXPECT_EQ(numbers_in(std::uint64_t{0x8000000100000010}), (std::vector<unsigned>{4, 32, 63}));
  EXPECT_EQ(numbers_in(std::uint8_t{0xa0}), (std::vector<unsigned>{5, 7}));
  EXPECT_EQ(numbers_in(~std::uint64_t{0}).size(), 64u);
}

TEST(set_bits_test, a_loop_may_end_early_and_change_the_mask_it_came_from) {
  std::uint32_t mask = 0b1011;
  std::vector<unsigned> seen;
  for (const unsigned n : set_bits(mask)) {
    mask = 0;
    if (n == 3) break;
    seen.push_back(n);
  }
  EXPECT_EQ(seen, (std::vector<unsigned>{0, 1}));
}

}  // namespace
}  // namespace gt200
