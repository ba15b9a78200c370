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

TEST(summary, a_small_peak_has_digits_enough) {
  EXPECT_EQ(rate_of_peak(45.2, "GB/s", 141.696), "45.20 GB/s of 141.7");
  EXPECT_EQ(rate_of_peak(0.5, "GB/s", 1), "0.50 GB/s of 1.0");
  EXPECT_EQ(rate_of_peak(0.0123456, "GB/s", 0.032), "0.0123 GB/s of 0.032");
}

}  // namespace
}  // namespace gt200::observe
