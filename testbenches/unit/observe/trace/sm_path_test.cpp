#include "observe/trace/sm_path.h"

#include <gtest/gtest.h>

namespace gt200::observe {
namespace {

TEST(sm_path, is_that_of_the_sm_alone) {
  EXPECT_EQ(sm_in("gt200.tpc_0.sm_1.issue.issued"), "gt200.tpc_0.sm_1");
  EXPECT_EQ(sm_in("board.gpu.tpc_9.sm_12"), "board.gpu.tpc_9.sm_12");
}

TEST(sm_path, is_empty_for_modules_whose_names_only_begin_so) {
  EXPECT_EQ(sm_in("gt200.tpc_0.memory.sm_controller.requests"), "");
  EXPECT_EQ(sm_in("gt200.partition_3.arbiter"), "");
  EXPECT_EQ(sm_in("gt200.tpc_0.sm_"), "");
}

}  // namespace
}  // namespace gt200::observe
