// The threads of a block on one thread of the host: barriers, votes, ends and faults.
#include "cuda/worker/cpu/block_runner.h"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <functional>

#include "cuda/worker/cpu/signals.h"

namespace gt200::cudart {
namespace {

using end = block_runner::end;

// What a thread does; the test is the device code.
struct test_kernel {
  std::function<void(unsigned thread)> body;
  gt200_cpu_place place{};
};

void enter(const void* kernel) {
  const auto* const own = static_cast<const test_kernel*>(kernel);
  own->body(own->place.tid.x);
}

class block : public testing::Test {
 protected:
  end run(unsigned threads, const std::function<void(unsigned)>& body) {
    kernel_.body = body;
    kernel_.place.ntid = {threads, 1, 1};
    kernel_.place.nctaid = {9, 9, 9};
    kernel_.place.ctaid = {1, 2, 3};
    return runner_.run({enter, &kernel_, &kernel_.place});
  }
  unsigned meet(gt200_cpu_meeting what, int value, std::uintptr_t call) {
    return runner_.meet(what, value, reinterpret_cast<const void*>(call));
  }
  void barrier(std::uintptr_t call = 1) { meet(gt200_cpu_barrier, 0, call); }

  test_kernel kernel_;
  block_runner runner_{64 * 1024};
  std::string log_;
};

TEST_F(block, threads_run_in_the_order_of_their_numbers) {
  EXPECT_EQ(run(5, [&](unsigned t) { log_ += std::to_string(t); }), end::done);
  EXPECT_EQ(log_, "01234");
}

TEST_F(block, at_a_barrier_all_wait_for_the_last) {
  EXPECT_EQ(run(3,
                [&](unsigned t) {
                  log_ += static_cast<char>('a' + t);
                  barrier();
                  log_ += static_cast<char>('A' + t);
                  barrier(2);
                  log_ += static_cast<char>('a' + t);
                }),
            end::done);
  EXPECT_EQ(log_, "abcABCabc");
}

TEST_F(block, a_barrier_combines_values) {
  std::array<unsigned, 40> counts{}, alls{}, ones{};
  run(40, [&](unsigned t) {
    counts[t] = meet(gt200_cpu_barrier_count, t % 4 == 0, 1);
    alls[t] = meet(gt200_cpu_barrier_and, t < 40, 2);
    ones[t] = meet(gt200_cpu_barrier_or, t == 40, 3);
  });
  for (unsigned t = 0; t < 40; ++t) {
    EXPECT_EQ(counts[t], 10u);
    EXPECT_EQ(alls[t], 1u);
    EXPECT_EQ(ones[t], 0u);
  }
}

TEST_F(block, a_barrier_does_not_wait_for_threads_that_have_ended) {
  EXPECT_EQ(run(64,
                [&](unsigned t) {
                  if (t % 3 != 0) return;
                  barrier();
                  log_ += 'x';
                }),
            end::done);
  EXPECT_EQ(log_.size(), 22u);
}

TEST_F(block, warps_may_wait_at_different_barriers) {
  EXPECT_EQ(run(64, [&](unsigned t) { barrier(1 + t / 32); }), end::done);
}

TEST_F(block, threads_of_a_warp_at_different_barriers_are_a_fault) {
  EXPECT_EQ(run(64, [&](unsigned t) { barrier(t == 40 ? 2 : 1); }), end::fault);
  EXPECT_EQ(runner_.report(),
            "threads of a warp wait at different barriers: barrier in divergent code, thread (32, 0, 0) of block "
            "(1, 2, 3)");
}

TEST_F(block, a_vote_is_that_of_a_warp) {
  std::array<unsigned, 70> alls{}, anys{}, ballots{};
  run(70, [&](unsigned t) {
    alls[t] = meet(gt200_cpu_vote_all, t < 64, 1);
    anys[t] = meet(gt200_cpu_vote_any, t == 33, 2);
    ballots[t] = meet(gt200_cpu_ballot, t % 2, 3);
  });
  EXPECT_EQ(alls[0], 1u);
  EXPECT_EQ(alls[69], 0u);
  EXPECT_EQ(anys[0], 0u);
  EXPECT_EQ(anys[63], 1u);
  EXPECT_EQ(ballots[31], 0xaaaaaaaau);
  EXPECT_EQ(ballots[69], 0x2au) << "of the six threads of the last warp";
}

TEST_F(block, threads_of_a_branch_vote_before_the_others_go_on_to_a_later_vote) {
  std::array<unsigned, 32> last{};
  run(32, [&](unsigned t) {
    if (t < 8) {
      EXPECT_EQ(meet(gt200_cpu_ballot, 1, 1), 0xffu);
    }
    last[t] = meet(gt200_cpu_ballot, 1, 2);
  });
  EXPECT_EQ(last[0], 0xffffffffu);
  EXPECT_EQ(last[20], 0xffffffffu);
}

TEST_F(block, a_thread_that_yields_lets_the_others_run) {
  bool set = false;
  EXPECT_EQ(run(2,
                [&](unsigned t) {
                  if (t == 1) set = true;
                  while (!set) runner_.yield();
                  log_ += std::to_string(t);
                }),
            end::done);
  EXPECT_EQ(log_, "10");
}

TEST_F(block, a_fault_ends_it_and_the_next_one_runs) {
  EXPECT_EQ(run(4,
                [&](unsigned t) {
                  if (t == 2) runner_.fail(end::fault, "trap instruction");
                  barrier();
                }),
            end::fault);
  EXPECT_EQ(runner_.report(), "trap instruction, thread (2, 0, 0) of block (1, 2, 3)");
  EXPECT_EQ(run(4, [&](unsigned) { log_ += 'x'; }), end::done);
  EXPECT_EQ(log_, "xxxx");
}

TEST_F(block, accesses_outside_memory_and_divisions_by_zero_are_faults) {
  catch_faults();
  const signal_stack own;
  EXPECT_EQ(run(2, [](unsigned t) { *reinterpret_cast<volatile int*>(std::uintptr_t{0x1234} + t) = 1; }),
            end::fault);
  EXPECT_EQ(runner_.report(),
            "access to memory that is not there at address 0x1234, thread (0, 0, 0) of block (1, 2, 3)");
  // What the processor does when it divides whole numbers by zero; a compiler may do something else.
  EXPECT_EQ(run(2, [](unsigned) { std::raise(SIGFPE); }), end::fault);
  EXPECT_NE(runner_.report().find("division of whole numbers by zero"), std::string::npos) << runner_.report();
}

// Every call needs a kilobyte of the stack, which the next one adds to.
int deep(volatile char* above, int calls) {
  volatile char room[1000];
  room[0] = *above;
  return calls == 0 ? room[0] : deep(room, calls - 1) + room[0];
}

TEST_F(block, a_full_stack_is_a_fault) {
  catch_faults();
  const signal_stack own;
  volatile char first = 1;
  volatile int result = 0;
  EXPECT_EQ(run(1, [&](unsigned) { result = deep(&first, 1000); }), end::fault);
  EXPECT_NE(runner_.report().find("no room for local variables"), std::string::npos) << runner_.report();
}

// The threads of a warp meet at a volatile access. The one with the lock comes there while the others spin.
TEST_F(block, lets_a_thread_go_on_that_others_of_its_warp_spin_for) {
  bool locked = false;
  int count = 0;
  EXPECT_EQ(run(64,
                [&](unsigned) {
                  while (locked) runner_.yield();
                  locked = true;
                  meet(gt200_cpu_warp, 0, 7);
                  const int before = count;
                  meet(gt200_cpu_warp, 0, 8);
                  count = before + 1;
                  locked = false;
                }),
            end::done);
  EXPECT_EQ(count, 64);
}

// The same where each turn of the loop is a place to meet, in front of that of the thread with the lock.
TEST_F(block, lets_a_thread_go_on_that_others_meet_again_and_again_for) {
  unsigned turn = 0;
  int count = 0;
  EXPECT_EQ(run(64,
                [&](unsigned thread) {
                  do meet(gt200_cpu_warp, 0, 6);
                  while (turn != thread);
                  meet(gt200_cpu_warp, 0, 7);
                  ++count;
                  meet(gt200_cpu_warp, 0, 8);
                  ++turn;
                }),
            end::done);
  EXPECT_EQ(count, 64);
}

// As long as somebody gets on, nobody is let go: what a warp exchanges is complete.
TEST_F(block, lets_nobody_go_on_while_others_are_on_their_way) {
  std::array<bool, 32> written{};
  EXPECT_EQ(run(32,
                [&](unsigned thread) {
                  for (unsigned k = 0; k < 20 * thread; ++k) runner_.yield();
                  written.at(thread) = true;
                  meet(gt200_cpu_warp, 0, 7);
                  for (const bool w : written) EXPECT_TRUE(w) << thread;
                }),
            end::done);
}

}  // namespace
}  // namespace gt200::cudart
