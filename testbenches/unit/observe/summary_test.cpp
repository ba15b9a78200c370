// Lines of the summary.
#include "observe/summary.h"

#include <gtest/gtest.h>

namespace gt200::observe {
namespace {

TEST(summary, a_label_stands_apart_from_its_text) {
  EXPECT_EQ(labelled("IPC", "0.4"), "IPC           0.4\n");
  EXPECT_EQ(labelled("issue slots", "7"), "issue slots   7\n");
  EXPECT_EQ(labelled("bank conflicts", "7"), "bank conflicts 7\n");
}

}  // namespace
}  // namespace gt200::observe
