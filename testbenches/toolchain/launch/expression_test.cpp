// Integer expressions of launch descriptions.
#include <gtest/gtest.h>

#include "toolchain/launch/expression.h"

namespace gt200::launch {
namespace {

const named_values names = {{"N", 1000}, {"tile_size", 16}};

std::string value_of(const std::string& text) {
  std::string reason;
  const auto value = evaluate(text, names, reason);
  return value ? std::to_string(*value) : reason;
}

TEST(expression, arithmetic_with_the_usual_precedence) {
  EXPECT_EQ(value_of("1 + 2 * 3"), "7");
  EXPECT_EQ(value_of("(1 + 2) * 3"), "9");
  EXPECT_EQ(value_of("10 - 3 - 2"), "5");
  EXPECT_EQ(value_of("-7 / 2"), "-3") << "truncates towards zero";
  EXPECT_EQ(value_of("7 % 4"), "3");
  EXPECT_EQ(value_of("--3"), "3");
  EXPECT_EQ(value_of("0x10"), "16");
}

TEST(expression, names_of_parameters) {
  EXPECT_EQ(value_of("(N + 255) / 256"), "4");
  EXPECT_EQ(value_of("N*tile_size"), "16000");
}

TEST(expression, hexadecimal_digits_are_bits) {
  EXPECT_EQ(value_of("0xffffffff"), "4294967295");
  EXPECT_EQ(value_of("0xffffffffffffffff"), "-1");
}

TEST(expression, errors) {
  EXPECT_EQ(value_of("M + 1"), "in \"M + 1\": there is no parameter 'M'");
  EXPECT_EQ(value_of(""), "in \"\": a value is missing");
  EXPECT_EQ(value_of("1 +"), "in \"1 +\": a value is missing");
  EXPECT_EQ(value_of("(1"), "in \"(1\": ')' is missing");
  EXPECT_EQ(value_of("1 2"), "in \"1 2\": unexpected '2'");
  EXPECT_EQ(value_of("1 & 2"), "in \"1 & 2\": unexpected '&'");
  EXPECT_EQ(value_of("1 / (N - 1000)"), "in \"1 / (N - 1000)\": division by zero");
  EXPECT_EQ(
      value_of("9223372036854775808"),
      "in \"9223372036854775808\": '9223372036854775808' is more than 2^63 - 1; write bit patterns in hexadecimal");
  EXPECT_EQ(value_of("12ab"), "in \"12ab\": '12ab' is not a 64-bit number");
  EXPECT_EQ(value_of("9223372036854775807 + 1"), "in \"9223372036854775807 + 1\": the value does not fit 64 bits");
  EXPECT_EQ(value_of("(-9223372036854775807 - 1) / -1"),
            "in \"(-9223372036854775807 - 1) / -1\": the value does not fit 64 bits");
}

TEST(expression, depth_is_limited) {
  const std::string text(100000, '(');
  EXPECT_NE(value_of(text).find("nested too deeply"), std::string::npos);
}

}  // namespace
}  // namespace gt200::launch
