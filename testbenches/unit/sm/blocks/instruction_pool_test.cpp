// The pool of the warp instructions in flight: objects are reused, and it knows which are out.
#include "sc_models/sm/blocks/instruction_pool.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gt200::model {
namespace {

TEST(instruction_pool, knows_the_instructions_in_flight) {
  instruction_pool pool("pool");
  EXPECT_EQ(pool.in_flight(), 0u);
  warp_instruction* const first = pool.get();
  warp_instruction* const second = pool.get();
  EXPECT_NE(first, second);
  EXPECT_EQ(pool.in_flight(), 2u);
  pool.put(first);
  EXPECT_EQ(pool.in_flight(), 1u);
  EXPECT_EQ(pool.instructions_in_flight(), (std::vector<const warp_instruction*>{second}));
}
TEST(instruction_pool, uses_returned_instructions_again) {
  instruction_pool pool("pool");
  std::vector<warp_instruction*> out;
  for (int i = 0; i < 100; ++i) out.push_back(pool.get());
  for (warp_instruction* operation : out) pool.put(operation);
  for (int i = 0; i < 100; ++i) {
    warp_instruction* const again = pool.get();
    EXPECT_NE(std::find(out.begin(), out.end(), again), out.end());
  }
  EXPECT_EQ(pool.in_flight(), 100u);
}

}  // namespace
}  // namespace gt200::model
