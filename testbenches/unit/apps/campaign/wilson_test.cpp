// Wilson's interval: against published values and its own symmetry.
#include "apps/campaign/wilson.h"

#include <gtest/gtest.h>

namespace gt200::apps::campaign {
namespace {

TEST(wilson, agrees_with_tables) {
  EXPECT_NEAR(wilson(0, 10).high, 0.2775, 1e-4);
  EXPECT_NEAR(wilson(5, 10).low, 0.2366, 1e-4);
  EXPECT_NEAR(wilson(5, 10).high, 0.7634, 1e-4);
  EXPECT_NEAR(wilson(81, 263).low, 0.2553, 1e-4);  // Newcombe 1998, table I, method 3
  EXPECT_NEAR(wilson(81, 263).high, 0.3662, 1e-4);
}

TEST(wilson, contains_the_share_and_stays_within_0_and_1) {
  for (std::uint64_t n = 1; n < 60; ++n)
    for (std::uint64_t k = 0; k <= n; ++k) {
      const interval i = wilson(k, n);
      const double share = static_cast<double>(k) / static_cast<double>(n);
      EXPECT_LE(0, i.low);
      EXPECT_LE(i.low, share);
      EXPECT_LE(share, i.high);
      EXPECT_LE(i.high, 1);
      EXPECT_NEAR(i.low, 1 - wilson(n - k, n).high, 1e-12) << "hits and misses are symmetric";
    }
}

TEST(wilson, knows_nothing_without_a_try) {
  EXPECT_EQ(wilson(0, 0).low, 0);
  EXPECT_EQ(wilson(0, 0).high, 1);
}

}  // namespace
}  // namespace gt200::apps::campaign
