// A function in a process of its own: what it returns, and every way in which it can fail.
#include "apps/support/isolated.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>

#include "toolchain/error.h"

namespace gt200::apps {
namespace {

TEST(isolated, returns_the_text_whatever_is_in_it) {
  std::string large(1'000'000, 'x');
  large[3] = '\0';
  const isolated_end end = run_isolated([&] { return large; }, 60, nullptr);
  EXPECT_TRUE(end.ok) << end.reason;
  EXPECT_EQ(end.text, large);
}

TEST(isolated, changes_nothing_here) {
  int value = 1;
  run_isolated(
      [&] {
        value = 2;
        return std::string();
      },
      60, nullptr);
  EXPECT_EQ(value, 1);
}

TEST(isolated, a_crash_is_told_by_its_signal) {
  const isolated_end end = run_isolated(
      []() -> std::string {
        std::signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
        return {};
      },
      60, nullptr);
  EXPECT_FALSE(end.ok);
  EXPECT_NE(end.reason.find("signal 11"), std::string::npos) << end.reason;
}

TEST(isolated, an_exception_is_told_by_its_text) {
  const isolated_end defect = run_isolated([]() -> std::string { throw std::logic_error("broken"); }, 60, nullptr);
  EXPECT_FALSE(defect.ok);
  EXPECT_FALSE(defect.refused);
  EXPECT_EQ(defect.reason, "broken");
  const isolated_end refusal = run_isolated([]() -> std::string { throw input_error("wrong"); }, 60, nullptr);
  EXPECT_TRUE(refusal.refused);
  EXPECT_EQ(refusal.reason, "wrong");
}

TEST(isolated, what_does_not_end_is_killed) {
  const isolated_end end = run_isolated(
      []() -> std::string {
        for (;;) pause();
      },
      0.2, nullptr);
  EXPECT_FALSE(end.ok);
  EXPECT_NE(end.reason.find("did not end within"), std::string::npos) << end.reason;
}

TEST(isolated, stops_when_told) {
  const volatile std::sig_atomic_t stop = 1;
  EXPECT_TRUE(run_isolated(
                  []() -> std::string {
                    pause();
                    return {};
                  },
                  60, &stop)
                  .stopped);
}

}  // namespace
}  // namespace gt200::apps
