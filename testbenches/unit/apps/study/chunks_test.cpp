#include "apps/study/slurm/chunks.h"

#include <gtest/gtest.h>

#include <numeric>

namespace gt200::apps::study::slurm {
namespace {

study of(std::size_t points, const std::string& group = "k") {
  study work;
  for (std::size_t i = 0; i < points; ++i) work.points.push_back({"p" + std::to_string(i), {}, "", group, ""});
  work.how.slurm.chunk_seconds = 30;
  return work;
}

std::vector<std::size_t> all_of(const study& work) {
  std::vector<std::size_t> numbers(work.points.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

measurements measured_as(const std::string& group, double seconds, std::uint64_t kib) {
  measurements result;
  for (const std::string& name : {group, std::string()}) result[name].add({0, "", seconds, kib, false});
  return result;
}

TEST(chunks, last_as_long_as_wanted) {
  const study work = of(100);
  const chunk_plan plan = plan_chunks(work, all_of(work), measured_as("k", 3, 1024), {}, 0);
  ASSERT_EQ(plan.chunks.size(), 10u);
  for (const auto& chunk : plan.chunks) EXPECT_EQ(chunk.size(), 10u);
  EXPECT_EQ(plan.chunks[1].front(), 10u);
}

TEST(chunks, hold_every_point_once) {
  const study work = of(17);
  std::vector<std::size_t> seen;
  for (const auto& chunk : plan_chunks(work, all_of(work), measured_as("k", 7, 1024), {3, 4}, 0).chunks)
    seen.insert(seen.end(), chunk.begin(), chunk.end());
  EXPECT_EQ(seen, all_of(work));
}

TEST(chunks, of_several_jobs_hold_more) {
  study work = of(100);
  work.how.jobs = 4;
  EXPECT_EQ(plan_chunks(work, all_of(work), measured_as("k", 3, 1024), {}, 0).chunks.size(), 3u);
}

TEST(chunks, know_the_time_of_each_group) {
  study work = of(20, "slow");
  for (std::size_t i = 10; i < 20; ++i) work.points[i].group = "fast";
  measurements known = measured_as("slow", 15, 1024);
  known["fast"].add({0, "", 3, 1024, false});
  EXPECT_EQ(plan_chunks(work, all_of(work), known, {}, 0).chunks.size(), 5u + 1u);
}

TEST(chunks, without_measurement_are_single_points) {
  const study work = of(5);
  EXPECT_EQ(plan_chunks(work, all_of(work), {}, {}, 0).chunks.size(), 5u);
}

TEST(chunks, take_the_time_that_the_user_says) {
  study work = of(60);
  work.how.slurm.point_seconds = 1;
  EXPECT_EQ(plan_chunks(work, all_of(work), {}, {}, 0).chunks.size(), 2u);
}

TEST(chunks, ask_for_more_than_was_measured_and_double_it_each_time) {
  const study work = of(10);
  const measurements known = measured_as("k", 30, 1024 * 1024);
  const chunk_plan first = plan_chunks(work, all_of(work), known, {}, 0);
  EXPECT_GE(first.minutes * 60, 60u);
  EXPECT_GE(first.mib, 1024u);
  EXPECT_LE(first.mib, 4096u);
  const chunk_plan third = plan_chunks(work, all_of(work), known, {}, 2);
  EXPECT_EQ(third.minutes, 4 * first.minutes);
  EXPECT_EQ(third.mib, 4 * first.mib);
}

TEST(chunks, points_that_died_are_alone) {
  const study work = of(10);
  const chunk_plan plan = plan_chunks(work, all_of(work), measured_as("k", 1, 1024), {4}, 1);
  ASSERT_EQ(plan.chunks.size(), 3u);
  EXPECT_EQ(plan.chunks[1], std::vector<std::size_t>{4});
}

TEST(pilot, measures_every_group_and_is_spread) {
  study work = of(100);
  for (std::size_t i = 50; i < 100; ++i) work.points[i].group = "other";
  const auto pilot = pilot_points(work, all_of(work), 4);
  EXPECT_EQ(pilot.size(), 4u);
  EXPECT_EQ(pilot.front(), 0u);
  EXPECT_EQ(pilot.back(), 99u);
  EXPECT_NE(std::find(pilot.begin(), pilot.end(), 50u), pilot.end());
  EXPECT_TRUE(pilot_points(work, {}, 4).empty());
}

}  // namespace
}  // namespace gt200::apps::study::slurm
