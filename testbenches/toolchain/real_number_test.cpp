#include "toolchain/real_number.h"

#include <gtest/gtest.h>

namespace gt200 {
namespace {

TEST(a_real_number, is_read_as_far_as_it_goes) {
  EXPECT_EQ(read_real<double>("1.5 GB/s").value, 1.5);
  EXPECT_EQ(read_real<double>("1.5 GB/s").length, 3u);
  EXPECT_EQ(read_real<double>("2e3ns").length, 3u);
  EXPECT_EQ(read_real<double>("2e").length, 1u);
  EXPECT_EQ(read_real<double>("-.5").value, -0.5);
}

TEST(a_real_number, is_decimal_and_has_nothing_in_front) {
  for (const char* text : {"", "+1", " 1", "\t1", "ns", "-", "- 1", "-+1", "."})
    EXPECT_EQ(read_real<double>(text).length, 0u) << text;
  EXPECT_EQ(read_real<double>("0x10").length, 1u);
  EXPECT_EQ(whole_real<double>("0x10").length, 0u);
  EXPECT_EQ(whole_real<double>("1 ").length, 0u);
  EXPECT_EQ(whole_real<float>("inf").value, std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(whole_real<float>("nan").value));
}

TEST(a_real_number, is_the_nearest_of_its_type) {
  // One ulp above 1 in single precision is reached by rounding once; rounding to double first would give 1.
  EXPECT_EQ(read_real<float>("1.00000005960464477541").value, 1.00000011920928955f);
  EXPECT_EQ(read_real<float>("1e-45").value, std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(read_real<double>("1e-400").value, 0.0);
  EXPECT_EQ(whole_real<double>("1e-400").length, 6u);
  EXPECT_TRUE(read_real<double>("1e-400").is_too_small);
  EXPECT_FALSE(read_real<double>("-0.0e7").is_too_small);
  EXPECT_FALSE(read_real<double>("1e-320").is_too_small);
}

TEST(a_real_number, is_too_large_when_only_its_digits_make_it_infinite) {
  EXPECT_TRUE(read_real<float>("1e39").is_too_large);
  EXPECT_TRUE(read_real<float>("-1e39").is_too_large);
  EXPECT_FALSE(read_real<double>("1e39").is_too_large);
  EXPECT_FALSE(read_real<double>("-inf").is_too_large);
  EXPECT_FALSE(read_real<double>("Infinity").is_too_large);
}

}  // namespace
}  // namespace gt200
