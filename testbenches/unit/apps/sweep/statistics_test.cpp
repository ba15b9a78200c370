#include "apps/sweep/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace gt200::apps::sweep {
namespace {

// Tables of Student's distribution, two-sided 95 %.
TEST(student_t_95, is_that_of_the_tables) {
  EXPECT_NEAR(student_t_95(1), 12.7062, 1e-4);
  EXPECT_NEAR(student_t_95(2), 4.3027, 1e-4);
  EXPECT_NEAR(student_t_95(4), 2.7764, 1e-4);
  EXPECT_NEAR(student_t_95(9), 2.2622, 1e-4);
  EXPECT_NEAR(student_t_95(30), 2.0423, 1e-4);
  EXPECT_NEAR(student_t_95(120), 1.9799, 1e-4);
  EXPECT_NEAR(student_t_95(1'000'000), 1.9600, 1e-4);
}

TEST(mean, has_the_interval_of_its_values) {
  const sample_mean m = mean_of({10, 12, 14});
  EXPECT_DOUBLE_EQ(m.mean, 12);
  EXPECT_DOUBLE_EQ(m.deviation, 2);
  EXPECT_NEAR(m.half_width, 4.3027 * 2 / std::sqrt(3.0), 1e-3);
}

TEST(mean, of_one_value_has_no_interval) {
  EXPECT_FALSE(mean_of({10}).has_interval());
  EXPECT_TRUE(std::isinf(mean_of({10}).half_width));
  EXPECT_EQ(mean_of({}).count, 0u);
}

TEST(mean, of_equal_values_is_certain) { EXPECT_EQ(mean_of({7, 7, 7}).half_width, 0); }

TEST(mean, lies_within_its_interval_in_19_of_20_samples) {
  std::mt19937 random(1);  // NOLINT: the same samples in every run
  unsigned hits = 0;
  for (unsigned sample = 0; sample < 4000; ++sample) {
    std::vector<double> values;
    for (unsigned i = 0; i < 5; ++i) {
      double sum = -6;  // of 12 uniform numbers: nearly normal, of deviation 1, with every library
      for (unsigned k = 0; k < 12; ++k) sum += static_cast<double>(random()) / 4294967296.0;
      values.push_back(100 + sum);
    }
    const sample_mean m = mean_of(values);
    hits += std::abs(m.mean - 100) <= m.half_width ? 1 : 0;
  }
  EXPECT_NEAR(hits / 4000.0, 0.95, 0.012);
}

TEST(number_of_replicates, gives_the_wanted_width_and_no_less_does) {
  const std::size_t n = count_for(2, 1);
  const auto width = [](std::size_t count) {
    return student_t_95(count - 1) * 2 / std::sqrt(static_cast<double>(count));
  };
  EXPECT_LE(width(n), 1);
  EXPECT_GT(width(n - 1), 1);
}

TEST(number_of_replicates, has_bounds) {
  EXPECT_EQ(count_for(0, 1), 2u);
  EXPECT_EQ(count_for(1, 1e-6), 0u);
}

}  // namespace
}  // namespace gt200::apps::sweep
