// The share in a population of several strata: against published values, and by counting how often it is right.
#include "apps/campaign/weighted_share.h"

#include <gtest/gtest.h>

#include <cmath>

namespace gt200::apps::campaign {
namespace {

TEST(weighted_share, of_one_stratum_is_wilsons) {
  const auto found = weighted_share({{17, 5, 10}});
  ASSERT_TRUE(found);
  EXPECT_DOUBLE_EQ(found->share, 0.5);
  EXPECT_DOUBLE_EQ(found->range.low, wilson(5, 10).low);
  EXPECT_DOUBLE_EQ(found->range.high, wilson(5, 10).high);
}

// Newcombe 1998, Interval estimation for the difference between independent proportions, table II, method 10:
// 56/70 - 48/80 lies between 0.0524 and 0.3339. The difference of p and q is p + (1 - q) - 1.
TEST(weighted_share, agrees_with_the_published_interval_of_a_difference) {
  const auto found = weighted_share({{1, 56, 70}, {1, 32, 80}});
  ASSERT_TRUE(found);
  EXPECT_NEAR(2 * found->share - 1, 0.2, 1e-12);
  EXPECT_NEAR(2 * found->range.low - 1, 0.0524, 1e-4);
  EXPECT_NEAR(2 * found->range.high - 1, 0.3339, 1e-4);
}

TEST(weighted_share, counts_a_stratum_by_its_weight_and_not_by_its_tries) {
  const auto found = weighted_share({{1, 10, 10}, {999, 0, 10}});
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->share, 0.001, 1e-12);
  EXPECT_LT(found->range.low, found->share);
  EXPECT_GT(found->range.high, 0.2) << "ten tries do not tell much of the large stratum";
}

TEST(weighted_share, knows_nothing_of_a_part_without_a_try) {
  EXPECT_FALSE(weighted_share({{1, 3, 10}, {2, 0, 0}}));
  EXPECT_TRUE(weighted_share({{1, 3, 10}, {0, 0, 0}})) << "a part without a weight does not matter";
  EXPECT_FALSE(weighted_share({}));
}

double probability(std::uint64_t hits, std::uint64_t tries, double share) {
  const auto k = static_cast<double>(hits);
  const auto n = static_cast<double>(tries);
  return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(share) +
                  (n - k) * std::log(1 - share));
}

// Every outcome of 30 tries in each of two strata, with its probability.
double coverage(double weight, double first, double second) {
  constexpr std::uint64_t tries = 30;
  const double truth = weight * first + (1 - weight) * second;
  double covered = 0;
  for (std::uint64_t i = 0; i <= tries; ++i)
    for (std::uint64_t k = 0; k <= tries; ++k) {
      const auto found = weighted_share({{weight, i, tries}, {1 - weight, k, tries}});
      if (found->range.low <= truth && truth <= found->range.high)
        covered += probability(i, tries, first) * probability(k, tries, second);
    }
  return covered;
}

TEST(weighted_share, contains_the_truth_in_about_19_of_20_samples) {
  double sum = 0;
  unsigned cases = 0;
  for (const double weight : {0.5, 0.9, 0.99})
    for (const double first : {0.02, 0.1, 0.5})
      for (const double second : {0.02, 0.3, 0.9}) {
        const double found = coverage(weight, first, second);
        EXPECT_GT(found, 0.9) << weight << " " << first << " " << second;
        sum += found;
        ++cases;
      }
  EXPECT_NEAR(sum / cases, 0.95, 0.02);
}

}  // namespace
}  // namespace gt200::apps::campaign
