// Records of published figures: which changes invalidate them, and which do not.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "testbenches/validation/records/measure_set.h"
#include "testbenches/validation/records/record.h"
#include "toolchain/error.h"

namespace gt200::validation {
namespace {

class records : public ::testing::Test {
 protected:
  records() {
    set_.name = "test";
    set_.preset = "gt200";
    set_.keys = {"tpc.sm.sp.", "tpc.sm.sfu.latency_cycles"};
    set_.figures.push_back({"one", "a number", 24, 0.5, relation::within, "someone", {}, [this](const auto&) {
                              ++measured_;
                              return value_;
                            }});
    std::filesystem::create_directories(folder_);
  }
  ~records() override { std::filesystem::remove_all(folder_); }

  config::gpu_config preset(const std::vector<std::string>& overrides = {}) {
    figure f = set_.figures[0];
    f.overrides = overrides;
    return configuration_of(set_, f);
  }
  std::string wrong(const std::vector<std::string>& overrides = {}) {
    std::string all;
    for (const std::string& line : complaints(set_, folder_, [&](const figure&) { return preset(overrides); }))
      all += line + ";";
    return all;
  }
  void measure_now() { write_record(folder_, measured(set_, set_.figures[0], "abc")); }

  figure_set set_;
  std::string folder_ =
      ::testing::TempDir() + "records_" + ::testing::UnitTest::GetInstance()->current_test_info()->name();
  double value_ = 24.25;
  unsigned measured_ = 0;
};

TEST_F(records, read_back_as_written) {
  measure_now();
  const auto r = read_record(folder_, "one");
  ASSERT_TRUE(r);
  EXPECT_EQ(r->id, "one");
  EXPECT_EQ(r->value, 24.25);
  EXPECT_EQ(r->published_value, 24);
  EXPECT_EQ(r->tolerance, 0.5);
  EXPECT_EQ(r->source, "someone");
  EXPECT_EQ(r->commit, "abc");
  EXPECT_EQ(r->config_hash, hash_of(set_, preset()));
  EXPECT_GE(r->cpu_seconds, 0);
  EXPECT_EQ(wrong(), "");
}

TEST_F(records, are_void_when_a_key_of_their_set_changes) {
  measure_now();
  EXPECT_EQ(wrong({"tpc.sm.sp.latency_cycles=26"}), "one: measured with another configuration;");
  EXPECT_EQ(wrong({"tpc.sm.sfu.latency_cycles=30"}), "one: measured with another configuration;");
}

TEST_F(records, stay_when_another_key_changes) {
  measure_now();
  EXPECT_EQ(wrong({"tpc.sm.sfu.multiply_interval_cycles=4"}), "");
  EXPECT_EQ(wrong({"partition.rop.latency_cycles=9"}), "");
}

TEST_F(records, of_a_key_that_does_not_exist_are_a_defect) {
  set_.keys.emplace_back("tpc.sm.sp.lane");
  EXPECT_THROW(hash_of(set_, preset()), std::logic_error);
}

TEST_F(records, are_missed) { EXPECT_EQ(wrong(), "one: no record;"); }

TEST_F(records, without_a_figure_are_found) {
  measure_now();
  record r = *read_record(folder_, "one");
  r.id = "two";
  write_record(folder_, r);
  EXPECT_EQ(wrong(), "two: a record without a figure;");
}

TEST_F(records, outside_the_tolerance_are_found) {
  value_ = 24.51;
  measure_now();
  EXPECT_EQ(wrong(), "one: outside the tolerance;");
  value_ = 24.5;
  measure_now();
  EXPECT_EQ(wrong(), "");
}

TEST_F(records, of_a_figure_with_another_published_value_are_found) {
  measure_now();
  set_.figures[0].published_value = 24.5;
  EXPECT_EQ(wrong(), "one: the figure has another published value or tolerance;");
}

TEST_F(records, at_least_a_value_may_exceed_it) {
  set_.figures[0].is = relation::at_least;
  EXPECT_TRUE(holds(set_.figures[0], 100));
  EXPECT_TRUE(holds(set_.figures[0], 23.5));
  EXPECT_FALSE(holds(set_.figures[0], 23.4));
}

TEST_F(records, that_are_not_json_are_refused) {
  std::ofstream(folder_ + "/one.json") << "{\"id\": 3";
  EXPECT_THROW(read_record(folder_, "one"), input_error);
}

TEST_F(records, of_this_commit_are_not_measured_again) {
  std::filesystem::current_path(folder_);
  char program[] = "figures", again[] = "--again", unknown[] = "three";
  char* arguments[] = {program, again};
  ::setenv("GT200_COMMIT", "abc", 1);
  EXPECT_EQ(measure_set(set_, 1, arguments), 0);
  EXPECT_EQ(measured_, 1u);
  EXPECT_EQ(measure_set(set_, 1, arguments), 0);
  EXPECT_EQ(measured_, 1u) << "resumed";
  EXPECT_EQ(measure_set(set_, 2, arguments), 0);
  EXPECT_EQ(measured_, 2u) << "asked for";
  ::setenv("GT200_COMMIT", "abd", 1);
  value_ = 30;
  EXPECT_EQ(measure_set(set_, 1, arguments), 1) << "another commit, and the figure does not hold any more";
  EXPECT_EQ(measured_, 3u);
  ::setenv("GT200_COMMIT", "abd+", 1);
  measure_set(set_, 1, arguments);
  measure_set(set_, 1, arguments);
  EXPECT_EQ(measured_, 5u) << "uncommitted changes";
  char* wrong_arguments[] = {program, unknown};
  EXPECT_EQ(measure_set(set_, 2, wrong_arguments), 2);
}

}  // namespace
}  // namespace gt200::validation
