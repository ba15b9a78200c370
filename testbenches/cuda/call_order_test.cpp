// The order of calls of several threads is kept and repeated.
#include "cuda/client/call_order.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace gt200::cudart {
namespace {

TEST(call_order, the_text_has_a_line_per_change_of_threads) {
  call_order order("");
  for (const char* name : {"0", "0", "0.1", "0.2", "0.2", "0"}) order.note(name);
  EXPECT_EQ(order.text(), "0 2\n0.1 1\n0.2 2\n0 1\n");
  call_order alone("");
  alone.note("0");
  EXPECT_EQ(alone.text(), "") << "one thread has one order";
}

TEST(call_order, threads_take_the_turns_of_the_text) {
  call_order order("a 2\nb 1\na 1\nc 3\n");
  ASSERT_TRUE(order.is_repeated());
  std::string taken;
  const auto call = [&](const std::string& name, unsigned times) {
    for (unsigned k = 0; k < times; ++k) {
      order.wait_for_turn(name);
      taken += name;
      order.end_turn();
    }
  };
  std::thread c(call, "c", 3), b(call, "b", 1), a(call, "a", 3);
  for (std::thread* t : {&a, &b, &c}) t->join();
  EXPECT_EQ(taken, "aabaccc");
  order.wait_for_turn("d");  // after the end of the text
  order.end_turn();
}

TEST(call_order, a_thread_that_does_not_call_ends_the_repetition) {
  call_order order("a 1\nb 1\n");
  testing::internal::CaptureStderr();
  order.wait_for_turn("b", 20);
  order.end_turn();
  order.wait_for_turn("c", 20);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "gt200: the order of calls cannot be repeated: thread a does not call\n");
}

// A call may take longer than others wait for one that does not come.
TEST(call_order, a_long_call_is_waited_for) {
  call_order order("a 1\nb 1\n");
  order.wait_for_turn("a");
  std::atomic<bool> done{false};
  testing::internal::CaptureStderr();
  std::thread b([&] {
    order.wait_for_turn("b", 10);
    EXPECT_TRUE(done);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  done = true;
  order.end_turn();
  b.join();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace gt200::cudart
