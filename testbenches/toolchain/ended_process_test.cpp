// Whether the owner of something that was left behind still lives (toolchain/ended_process.h).
#include "toolchain/ended_process.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <ctime>

namespace gt200 {
namespace {

TEST(has_ended, is_false_for_a_process_that_runs) { EXPECT_FALSE(has_ended(getpid())); }

TEST(has_ended, is_true_for_one_that_nobody_has_collected_yet) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  siginfo_t ended{};
  ASSERT_EQ(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  ASSERT_EQ(kill(child, 0), 0);  // it still has its number
  EXPECT_TRUE(has_ended(child));
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(has_ended(child));
}

// Numbers are given again.
TEST(has_ended, is_true_if_the_number_belongs_to_a_younger_process) {
  const std::time_t now = std::time(nullptr);
  EXPECT_FALSE(has_ended(getpid(), now));
  EXPECT_TRUE(has_ended(getpid(), now - 24 * 3600));
}

TEST(has_ended, is_false_for_what_is_no_process_number) {
  EXPECT_FALSE(has_ended(0));
  EXPECT_FALSE(has_ended(-1));
}

}  // namespace
}  // namespace gt200
