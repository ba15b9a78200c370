// GT200_ENGINE says which launches run on the model.
#include "cuda/worker/selection.h"

#include <gtest/gtest.h>

#include "toolchain/error.h"

namespace gt200::cudart {
namespace {

std::string chosen(selection& s, const std::string& kernel, unsigned launches) {
  std::string text;
  for (unsigned k = 0; k < launches; ++k) text += s.next(kernel).on_model ? 'm' : 'e';
  return text;
}

TEST(selection, the_words_choose_all_none_and_the_first_of_every_kernel) {
  selection all(""), none("emulator"), first("auto");
  EXPECT_EQ(chosen(all, "k", 3), "mmm");
  EXPECT_EQ(chosen(none, "k", 3), "eee");
  EXPECT_EQ(chosen(first, "k", 3), "mee");
  EXPECT_EQ(chosen(first, "other", 2), "me");
}

TEST(selection, rules_choose_by_name_and_number_of_the_launch) {
  selection s("bfs*:2-3,scan,sort:1");
  EXPECT_EQ(chosen(s, "bfs_kernel", 4), "emme");
  EXPECT_EQ(chosen(s, "scan", 2), "mm");
  EXPECT_EQ(chosen(s, "sort", 2), "me");
  EXPECT_EQ(chosen(s, "scanner", 1), "e");
}

TEST(selection, a_rule_takes_the_name_of_the_source_or_the_mangled_one) {
  selection by_source("Kernel2"), by_mangled("_Z7Kernel2PbS_i"), in_namespace("run"), in_unnamed("use");
  EXPECT_TRUE(by_source.next("_Z7Kernel2PbS_i").on_model);
  EXPECT_TRUE(by_mangled.next("_Z7Kernel2PbS_i").on_model);
  EXPECT_TRUE(in_namespace.next("_ZN3lib3runIfEEvPT_").on_model);
  EXPECT_TRUE(in_unnamed.next("_ZN12_GLOBAL__N_13useEPh").on_model);
}

TEST(selection, tells_where_the_next_launch_runs_and_counts_none) {
  selection s("k:2");
  EXPECT_FALSE(s.is_next_on_model("k"));
  EXPECT_FALSE(s.next("k").on_model);
  EXPECT_TRUE(s.is_next_on_model("k"));
  EXPECT_TRUE(s.is_next_on_model("k"));
  EXPECT_TRUE(s.next("k").on_model);
  EXPECT_FALSE(s.is_next_on_model("k"));
}

TEST(selection, launches_are_counted_for_every_kernel_from_one) {
  selection s("emulator");
  EXPECT_EQ(s.next("a").number, 1u);
  EXPECT_EQ(s.next("b").number, 1u);
  EXPECT_EQ(s.next("a").number, 2u);
}

TEST(selection, what_cannot_be_understood_is_named) {
  for (const char* text : {"bfs:", "bfs:0", "bfs:5-3", "bfs:x", ":3", "bfs,,"})
    EXPECT_THROW(selection{text}, input_error) << text;
}

TEST(selection, patterns_have_stars_and_question_marks) {
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*b?c", "axxbyc"));
  EXPECT_FALSE(matches("a*b?c", "axxbc"));
  EXPECT_FALSE(matches("abc", "abcd"));
}

}  // namespace
}  // namespace gt200::cudart
