// GT200_ENGINE says which launches run on the model.
#include "cuda/worker/selection.h"

#include <gtest/gtest.h>

#include "toolchain/error.h"

namespace gt200::cudart {
namespace {

std::string chosen(selection& s, const std::string& kernel, unsigned launches, bool has_cpu_code = false) {
  std::string text;
  for (unsigned k = 0; k < launches; ++k) text += name_of(s.next(kernel, has_cpu_code).engine)[0];
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

TEST(selection, code_for_the_processor_runs_there_unless_something_else_is_wanted) {
  selection nothing(""), processor("cpu"), model("model"), emulator("emulator"), some("cpu,k:2");
  EXPECT_EQ(chosen(nothing, "k", 2, true), "cc");
  EXPECT_EQ(chosen(processor, "k", 2, true), "cc");
  EXPECT_EQ(chosen(processor, "of_a_library", 2), "ee");
  EXPECT_EQ(chosen(model, "k", 2, true), "mm");
  EXPECT_EQ(chosen(emulator, "k", 2, true), "ee");
  EXPECT_EQ(chosen(some, "k", 3, true), "cmc");
}

TEST(selection, a_rule_takes_the_name_of_the_source_or_the_mangled_one) {
  selection by_source("Kernel2"), by_mangled("_Z7Kernel2PbS_i"), in_namespace("run"), in_unnamed("use");
  EXPECT_EQ(by_source.next("_Z7Kernel2PbS_i").engine, engine_kind::model);
  EXPECT_EQ(by_mangled.next("_Z7Kernel2PbS_i").engine, engine_kind::model);
  EXPECT_EQ(in_namespace.next("_ZN3lib3runIfEEvPT_").engine, engine_kind::model);
  EXPECT_EQ(in_unnamed.next("_ZN12_GLOBAL__N_13useEPh").engine, engine_kind::model);
}

TEST(selection, tells_where_the_next_launch_runs_and_counts_none) {
  selection s("k:2");
  EXPECT_EQ(s.peek("k").engine, engine_kind::emulator);
  EXPECT_EQ(s.next("k").engine, engine_kind::emulator);
  EXPECT_EQ(s.peek("k").engine, engine_kind::model);
  EXPECT_EQ(s.peek("k").engine, engine_kind::model);
  EXPECT_EQ(s.next("k").engine, engine_kind::model);
  EXPECT_EQ(s.peek("k").engine, engine_kind::emulator);
}

TEST(selection, launches_are_counted_for_every_kernel_from_one) {
  selection s("emulator");
  EXPECT_EQ(s.next("a").number, 1u);
  EXPECT_EQ(s.next("b").number, 1u);
  EXPECT_EQ(s.next("a").number, 2u);
}

TEST(selection, what_cannot_be_understood_is_named) {
  for (const char* text :
       {"bfs:", "bfs:0", "bfs:5-3", "bfs:x", ":3", "bfs,,", "mod el", "k!", "Model", "bfs,EMULATOR"})
    EXPECT_THROW(selection{text}, input_error) << text;
}

TEST(selection, parts_that_chose_no_launch_are_known) {
  selection s("modell,scan,sort:2"), first("auto"), all("model");
  s.next("scan");
  s.next("sort");
  EXPECT_EQ(s.unmatched(), (std::vector<std::string>{"modell", "sort:2"}));
  s.next("sort");
  EXPECT_EQ(s.unmatched(), std::vector<std::string>{"modell"});
  first.next("k");
  all.next("k");
  EXPECT_TRUE(first.unmatched().empty());
  EXPECT_TRUE(all.unmatched().empty());
}

TEST(selection, patterns_have_stars_and_question_marks) {
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("a*b?c", "axxbyc"));
  EXPECT_FALSE(matches("a*b?c", "axxbc"));
  EXPECT_FALSE(matches("abc", "abcd"));
}

}  // namespace
}  // namespace gt200::cudart
