#include "apps/sweep/sampling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "toolchain/error.h"

namespace gt200::apps::sweep {
namespace {

const auto any = [](const point&) { return true; };

axis of_size(const std::string& key, std::size_t size) {
  return parse_axis("--set", key + "=0.." + std::to_string(size - 1));
}

TEST(full_sample, is_all_combinations_with_the_last_axis_fastest) {
  const auto points = sample({of_size("a", 2), of_size("b", 3)}, {}, any);
  EXPECT_EQ(points, (std::vector<point>{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}}));
  EXPECT_EQ(sample({}, {}, any).size(), 1u);
}

TEST(full_sample, leaves_out_what_is_not_allowed) {
  const auto points = sample({of_size("a", 3), of_size("b", 3)}, {}, [](const point& p) { return p[0] < p[1]; });
  EXPECT_EQ(points, (std::vector<point>{{0, 1}, {0, 2}, {1, 2}}));
}

TEST(full_sample, of_too_many_points_is_an_error) {
  EXPECT_THROW(sample({of_size("a", 1000), of_size("b", 1000)}, {}, any), input_error);
  EXPECT_THROW(sample({of_size("a", 10000), of_size("b", 10000), of_size("c", 10000)}, {}, any), input_error);
}

class every_sample : public testing::TestWithParam<sampling_method> {};

TEST_P(every_sample, has_the_wanted_number_of_different_allowed_points) {
  const std::vector<axis> axes = {of_size("a", 100), of_size("b", 100), of_size("c", 7)};
  const auto points = sample(axes, {GetParam(), 200, 1}, any);
  EXPECT_EQ(std::set<point>(points.begin(), points.end()).size(), points.size());
  // Points of a Latin hypercube may repeat in discrete axes, and are left out then.
  EXPECT_EQ(points.size(), 200u);
  for (const point& p : points)
    for (std::size_t i = 0; i < axes.size(); ++i) EXPECT_LT(p[i], axes[i].values.size());
}

TEST_P(every_sample, depends_on_the_seed_alone) {
  const std::vector<axis> axes = {of_size("a", 1000), of_size("b", 1000)};
  EXPECT_EQ(sample(axes, {GetParam(), 50, 3}, any), sample(axes, {GetParam(), 50, 3}, any));
  EXPECT_NE(sample(axes, {GetParam(), 50, 3}, any), sample(axes, {GetParam(), 50, 4}, any));
}

TEST_P(every_sample, keeps_to_the_constraints) {
  const auto below = [](const point& p) { return p[0] + p[1] < 30; };
  const auto points = sample({of_size("a", 100), of_size("b", 100)}, {GetParam(), 40, 1}, below);
  EXPECT_TRUE(std::all_of(points.begin(), points.end(), below));
  EXPECT_FALSE(points.empty());
}

TEST_P(every_sample, of_a_small_space_is_the_space) {
  EXPECT_EQ(sample({of_size("a", 3), of_size("b", 4)}, {GetParam(), 12, 1}, any),
            sample({of_size("a", 3), of_size("b", 4)}, {}, any));
}

TEST_P(every_sample, ends_when_there_are_no_more_allowed_points) {
  const auto few = [](const point& p) { return p[0] == 5 && p[1] < 3; };
  EXPECT_LE(sample({of_size("a", 100), of_size("b", 100)}, {GetParam(), 40, 1}, few).size(), 3u);
}

INSTANTIATE_TEST_SUITE_P(methods, every_sample,
                         testing::Values(sampling_method::random, sampling_method::latin_hypercube,
                                         sampling_method::sobol));

TEST(latin_hypercube, takes_every_value_of_an_axis_equally_often) {
  const auto points = sample({of_size("a", 20), of_size("b", 10), of_size("c", 40)},
                             {sampling_method::latin_hypercube, 40, 7}, any);
  ASSERT_EQ(points.size(), 40u);
  for (std::size_t i = 0; i < 3; ++i) {
    std::vector<unsigned> seen(40, 0);
    for (const point& p : points) ++seen[p[i]];
    const unsigned each = i == 0 ? 2 : i == 1 ? 4 : 1;
    EXPECT_EQ(std::count(seen.begin(), seen.end(), each), 40 / each) << "axis " << i;
  }
}

// Each coordinate of every 2^k points fills 2^k equal intervals: wrong direction numbers do not.
TEST(sobol, fills_every_interval_once_in_every_dimension) {
  for (unsigned dimension = 0; dimension < 21; ++dimension)
    for (const std::uint32_t first : {0u, 256u, 768u}) {
      std::set<std::uint32_t> intervals;
      for (std::uint32_t i = 0; i < 256; ++i) intervals.insert(sobol_coordinate(dimension, first + i) >> 24);
      EXPECT_EQ(intervals.size(), 256u) << "dimension " << dimension;
    }
}

// The first points in two dimensions, as published with the direction numbers (Joe and Kuo).
TEST(sobol, begins_as_published) {
  const auto fraction = [](unsigned dimension, std::uint32_t index) {
    return static_cast<double>(sobol_coordinate(dimension, index)) / 4294967296.0;
  };
  const std::vector<std::vector<double>> expected = {{0, 0, 0},
                                                     {0.5, 0.5, 0.5},
                                                     {0.75, 0.25, 0.25},
                                                     {0.25, 0.75, 0.75},
                                                     {0.375, 0.375, 0.625},
                                                     {0.875, 0.875, 0.125},
                                                     {0.625, 0.125, 0.875},
                                                     {0.125, 0.625, 0.375}};
  for (std::uint32_t i = 0; i < expected.size(); ++i)
    for (unsigned d = 0; d < 3; ++d)
      EXPECT_EQ(fraction(d, i), expected[i][d]) << "point " << i << ", dimension " << d;
}

TEST(sobol, takes_21_axes) {
  std::vector<axis> axes;
  for (int i = 0; i < 21; ++i) axes.push_back(of_size("a" + std::to_string(i), 4));
  EXPECT_EQ(sample(axes, {sampling_method::sobol, 10, 0}, any).size(), 10u);
  axes.push_back(of_size("one_value", 1));
  EXPECT_EQ(sample(axes, {sampling_method::sobol, 10, 0}, any).size(), 10u);
  axes.push_back(of_size("another", 2));
  EXPECT_THROW(sample(axes, {sampling_method::sobol, 10, 0}, any), input_error);
}

TEST(sampling, knows_its_methods) {
  EXPECT_EQ(sampling_method_of("latin_hypercube"), sampling_method::latin_hypercube);
  EXPECT_THROW(sampling_method_of("lhs"), input_error);
}

}  // namespace
}  // namespace gt200::apps::sweep
