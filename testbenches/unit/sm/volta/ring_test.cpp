#include "sc_models/sm/volta/ring.h"

#include <gtest/gtest.h>

#include <deque>

namespace gt200::model {
namespace {

// Against a deque, with all lengths up to 40 and the head at every place.
TEST(ring, is_a_queue_of_any_length) {
  ring<unsigned> queue;
  std::deque<unsigned> expected;
  unsigned next = 0;
  for (unsigned round = 0; round < 400; ++round) {
    const unsigned wanted = round * 7 % 41;
    while (expected.size() < wanted) {
      queue.push_back(next);
      expected.push_back(next++);
    }
    while (expected.size() > wanted) {
      ASSERT_EQ(queue.front(), expected.front());
      queue.pop_front();
      expected.pop_front();
    }
    ASSERT_EQ(queue.size(), expected.size());
    ASSERT_EQ(queue.empty(), expected.empty());
    for (std::size_t k = 0; k < expected.size(); ++k) ASSERT_EQ(queue[k], expected[k]) << "round " << round;
  }
}

}  // namespace
}  // namespace gt200::model
