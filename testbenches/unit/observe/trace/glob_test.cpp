#include "observe/trace/glob.h"

#include <gtest/gtest.h>

namespace gt200::observe {
namespace {

TEST(glob, stars_stand_for_anything_and_question_marks_for_one_character) {
  EXPECT_TRUE(matches("gt200.core", "gt200.core"));
  EXPECT_FALSE(matches("gt200.core", "gt200.cores"));
  EXPECT_FALSE(matches("gt200.core", "gt200.cor"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("*", "gt200.tpc_0.sm_1"));
  EXPECT_TRUE(matches("gt200.tpc_0.sm_1.*", "gt200.tpc_0.sm_1.issue.warp_3.state"));
  EXPECT_FALSE(matches("gt200.tpc_0.sm_1.*", "gt200.tpc_0.sm_10.issue.issued"));
  EXPECT_TRUE(matches("*.issue.warp_?.state", "gt200.tpc_0.sm_1.issue.warp_3.state"));
  EXPECT_FALSE(matches("*.issue.warp_?.state", "gt200.tpc_0.sm_1.issue.warp_31.state"));
  EXPECT_FALSE(matches("?", ""));
}

TEST(glob, a_star_gives_back_what_it_took_too_much) {
  EXPECT_TRUE(matches("*ab*ab", "ababab"));
  EXPECT_TRUE(matches("a*b*c", "a.b.b.c"));
  EXPECT_FALSE(matches("a*b*c", "a.c.b"));
}

TEST(glob, one_of_several_patterns_suffices) {
  EXPECT_TRUE(matches_any({"x", "y*"}, "yes"));
  EXPECT_FALSE(matches_any({"x", "y*"}, "no"));
  EXPECT_FALSE(matches_any({}, "no"));
}

}  // namespace
}  // namespace gt200::observe
