#include "observe/trace/glob.h"

#include <gtest/gtest.h>

#include "toolchain/error.h"

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

TEST(partial_match, agrees_with_the_match_of_the_whole_name_wherever_it_is_cut) {
  const std::vector<std::string> patterns = {"*.r?.lane_*", "gt200.sm_1.r1*", "?t*0.**sm_0.r3.lane_7", "",
                                             "gt200.sm_0.c0.zero"};
  for (const char* sm : {"gt200.sm_0", "gt200.sm_1", "gt200.sm_10"})
    for (const char* part : {".r3.lane_7", ".r3.lane_17", ".r11.lane_7", ".c0.zero", ""}) {
      const std::string name = std::string(sm) + part;
      for (const std::string& pattern : patterns)
        for (std::size_t cut = 0; cut <= name.size(); ++cut)
          EXPECT_EQ(partial_match({pattern}).after(name.substr(0, cut)).matches(name.substr(cut)),
                    matches(pattern, name))
              << pattern << " " << name << " " << cut;
      EXPECT_EQ(partial_match(patterns).matches(name), matches_any(patterns, name)) << name;
    }
}

TEST(partial_match, knows_when_no_longer_name_can_match) {
  const partial_match begin({"gt200.sm_1.r?", "gt200.sm_2"});
  EXPECT_TRUE(begin.possible());
  EXPECT_TRUE(begin.after("gt200.sm_").possible());
  EXPECT_TRUE(begin.after("gt200.sm_").after("1").possible());
  EXPECT_FALSE(begin.after("gt200.sm_3").possible());
  EXPECT_FALSE(begin.after("gt200.sm_2.").possible());
  EXPECT_FALSE(partial_match({}).possible());
}

TEST(partial_match, refuses_a_pattern_that_is_too_long) {
  EXPECT_NO_THROW(partial_match({std::string(255, 'a')}));
  EXPECT_THROW(partial_match({std::string(256, 'a')}), input_error);
}

}  // namespace
}  // namespace gt200::observe
