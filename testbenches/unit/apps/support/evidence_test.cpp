// The command that repeats a failed run, and the module that it records.
#include "apps/support/evidence.h"

#include <gtest/gtest.h>

#include "apps/support/repeated_run.h"

namespace gt200::apps {
namespace {

TEST(scope_of_failure, is_the_module_or_the_sm_that_a_message_names) {
  EXPECT_EQ(scope_of_failure("gt200.tpc_3.sm_1.issue at cycle 12: no grant", 3), "gt200.tpc_3.sm_1.*");
  EXPECT_EQ(scope_of_failure("gt200.partition_5.dram: illegal", 3), "gt200.partition_5.*");
  EXPECT_EQ(scope_of_failure("unmapped address in kernel 'k', instruction i7.120: ld", 3), "gt200.tpc_2.sm_1.*");
  EXPECT_EQ(scope_of_failure("something", 3), "*");
}

TEST(without_options, leaves_out_an_option_with_its_words_in_either_form) {
  const std::vector<std::string> command = {"run",      "k", "--out", "a",       "--json",
                                            "--record", "m", "f",     "--out=b", "--check"};
  EXPECT_EQ(without_options(command, {{"--out", 1}, {"--json", 0}, {"--record", 2}}),
            (std::vector<std::string>{"run", "k", "--check"}));
}

TEST(as_shell_words, are_what_a_shell_reads_back) {
  EXPECT_EQ(as_shell_words({"run", "a b", "it's", "*", ""}), "run 'a b' 'it'\\''s' '*' ''");
}

}  // namespace
}  // namespace gt200::apps
