#include "apps/sweep/jobs.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>

#include "toolchain/error.h"

namespace gt200::apps::sweep {
namespace {

class jobs : public testing::Test {
 protected:
  job shell(const std::string& script) const { return {{"/bin/sh", "-c", script}, messages_}; }
  std::string messages() const {
    std::ifstream file(messages_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void TearDown() override { std::remove(messages_.c_str()); }

  const std::string messages_ = testing::TempDir() + "jobs_test." + std::to_string(getpid());
  volatile std::sig_atomic_t stop_ = 0;
  std::map<std::size_t, int> codes_;
  const std::function<void(std::size_t, int)> note_ = [this](std::size_t number, int code) {
    codes_[number] = code;
  };
};

TEST_F(jobs, every_one_runs_and_tells_its_exit_code) {
  run_jobs({shell("exit 0"), shell("exit 3"), shell("kill -9 $$"), shell("exit 1")}, 2, &stop_, note_);
  EXPECT_EQ(codes_, (std::map<std::size_t, int>{{0, 0}, {1, 3}, {2, 128 + 9}, {3, 1}}));
}

TEST_F(jobs, standard_error_is_kept) {
  run_jobs({shell("echo nothing; echo why >&2")}, 1, &stop_, note_);
  EXPECT_EQ(messages(), "why\n");
}

TEST_F(jobs, what_goes_wrong_with_one_ends_the_others) {
  const auto began = std::chrono::steady_clock::now();
  EXPECT_THROW(run_jobs({shell("exit 0"), shell("trap 'exit 130' INT; while :; do sleep 0.01; done")}, 2, &stop_,
                        [](std::size_t, int) { throw input_error("the disk is full"); }),
               input_error);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(30));
}

TEST_F(jobs, a_stop_interrupts_what_runs_and_starts_nothing_more) {
  const auto began = std::chrono::steady_clock::now();
  // The first job asks for the stop as soon as it ends; the second would last a minute.
  run_jobs({shell("exit 0"), shell("trap 'exit 130' INT; while :; do sleep 0.01; done"), shell("exit 0")}, 2,
           &stop_, [this](std::size_t number, int code) {
             codes_[number] = code;
             stop_ = 1;
           });
  EXPECT_EQ(codes_.count(2), 0u);
  EXPECT_EQ(codes_.count(1), 1u);
  EXPECT_NE(codes_[1], 0);
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(20));
}

TEST_F(jobs, a_program_that_does_not_exist_is_an_error) {
  EXPECT_THROW(run_jobs({{{"/no/such/program"}, messages_}}, 1, &stop_, note_), input_error);
}

}  // namespace
}  // namespace gt200::apps::sweep
