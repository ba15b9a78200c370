#include "apps/sweep/constraint.h"

#include <gtest/gtest.h>

#include <map>

#include "toolchain/error.h"

namespace gt200::apps::sweep {
namespace {

bool value_of(const std::string& expression) {
  static const std::map<std::string, std::string> axes = {{"chip.tpcs", "10"}, {"N", "4096"},  {"policy", "gto"},
                                                          {"clock", "602.5"},  {"on", "true"}, {"some", "3"}};
  return holds(expression, [](const std::string& name) {
    if (const auto found = axes.find(name); found != axes.end())
      return axis_value{found->second, name == "some" ? kind_of({"3", "all"}) : kind_of({found->second})};
    throw input_error("there is no axis '" + name + "'");
  });
}

std::string error_of(const std::string& expression) {
  try {
    value_of(expression);
  } catch (const input_error& error) {
    return error.what();
  }
  return "none";
}

TEST(constraint, compares_numbers) {
  EXPECT_TRUE(value_of("chip.tpcs == 10"));
  EXPECT_FALSE(value_of("chip.tpcs != 10"));
  EXPECT_TRUE(value_of("N >= 4096 && N <= 4096"));
  EXPECT_FALSE(value_of("N < 4096 || N > 4096"));
  EXPECT_TRUE(value_of("clock > 602"));
}

TEST(constraint, computes) {
  EXPECT_TRUE(value_of("chip.tpcs * 3 + 1 == 31"));
  EXPECT_TRUE(value_of("N % 128 == 0 && N / 8 - 12 == 500"));
  EXPECT_TRUE(value_of("1 + 2 * 3 == 7"));
  EXPECT_TRUE(value_of("(1 + 2) * 3 == 9"));
  EXPECT_TRUE(value_of("-chip.tpcs < 0"));
  EXPECT_TRUE(value_of("1 / 2 == 0.5"));
}

TEST(constraint, compares_texts) {
  EXPECT_TRUE(value_of("policy == 'gto'"));
  EXPECT_TRUE(value_of("policy != \"lrr\""));
  EXPECT_FALSE(value_of("policy == 'lrr' || N == 1"));
}

TEST(constraint, knows_truth_values) {
  EXPECT_TRUE(value_of("on"));
  EXPECT_FALSE(value_of("!on"));
  EXPECT_TRUE(value_of("on && !(N == 1)"));
}

TEST(constraint, compares_values_of_a_mixed_axis_with_both_kinds) {
  EXPECT_TRUE(value_of("some != 'all' && some == 3"));
  EXPECT_EQ(error_of("some < 'all'"), "constraint \"some < 'all'\": 'all' is no number");
}

TEST(constraint, binds_and_closer_than_or) { EXPECT_TRUE(value_of("N == 4096 || on && N == 1")); }

TEST(constraint, names_what_is_wrong) {
  EXPECT_EQ(error_of("M == 1"), "constraint \"M == 1\": there is no axis 'M'");
  EXPECT_EQ(error_of("N == 4096 || M == 1"), "constraint \"N == 4096 || M == 1\": there is no axis 'M'");
  EXPECT_EQ(error_of("policy < 3"), "constraint \"policy < 3\": 'gto' is no number");
  EXPECT_EQ(error_of("N / (N - 4096)"), "constraint \"N / (N - 4096)\": division by zero");
  EXPECT_EQ(error_of("N == 'gto'"), "constraint \"N == 'gto'\": the number 4096 is compared with the text 'gto'");
  EXPECT_EQ(error_of("policy != 3"), "constraint \"policy != 3\": the text 'gto' is compared with the number 3");
  EXPECT_NE(error_of("on == 1"), "none");
  EXPECT_NE(error_of("(N"), "none");
  EXPECT_NE(error_of("N =="), "none");
  EXPECT_NE(error_of("N 1"), "none");
  EXPECT_NE(error_of("policy"), "none");
  EXPECT_NE(error_of("'x"), "none");
  EXPECT_NE(error_of(""), "none");
  EXPECT_NE(error_of("N % 0.5"), "none");
  EXPECT_NE(error_of(std::string(100'000, '(')), "none");
}

}  // namespace
}  // namespace gt200::apps::sweep
