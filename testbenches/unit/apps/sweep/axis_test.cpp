#include "apps/sweep/axis.h"

#include <gtest/gtest.h>

#include "toolchain/error.h"

namespace gt200::apps::sweep {
namespace {

using values = std::vector<std::string>;

TEST(axis, lists_its_values) {
  const axis a = parse_axis("--set", "tpc.sm.scheduler.policy=gto,lrr");
  EXPECT_EQ(a.key, "tpc.sm.scheduler.policy");
  EXPECT_EQ(a.values, (values{"gto", "lrr"}));
  EXPECT_EQ(a.words(1), (values{"--set", "tpc.sm.scheduler.policy=lrr"}));
}

TEST(axis, a_range_includes_both_ends) {
  EXPECT_EQ(parse_axis("--set", "k=1..4").values, (values{"1", "2", "3", "4"}));
  EXPECT_EQ(parse_axis("--set", "k=-1..1").values, (values{"-1", "0", "1"}));
  EXPECT_EQ(parse_axis("--set", "k=1..6..2").values, (values{"1", "3", "5"}));
  EXPECT_EQ(parse_axis("--set", "k=7,1..2,9").values, (values{"7", "1", "2", "9"}));
}

TEST(axis, commas_in_quotes_and_brackets_divide_nothing) {
  EXPECT_EQ(parse_axis("--set", "k=[1, 2],[3]").values, (values{"[1, 2]", "[3]"}));
  EXPECT_EQ(parse_axis("--set", "k='a,b',c").values, (values{"'a,b'", "c"}));
}

TEST(axis, what_is_no_range_of_integers_is_a_value) {
  EXPECT_EQ(parse_axis("--set", "k=a..b").values, (values{"a..b"}));
  EXPECT_EQ(parse_axis("--config", "../my.toml,gt200").values, (values{"../my.toml", "gt200"}));
}

TEST(axis, configurations_have_no_key) {
  const axis a = parse_axis("--config", "gt200,g80");
  EXPECT_EQ(a.name(), "config");
  EXPECT_EQ(a.words(1), (values{"--config", "g80"}));
}

TEST(axis, mistakes_are_errors) {
  for (const char* text : {"k", "=1", "k=", "k=1,", "k=2..1", "k=1..2..0", "k=1,1", "k=1..3,2", "k=0..10000",
                           "k=-9223372036854775808..9223372036854775807"})
    EXPECT_THROW(parse_axis("--set", text), input_error) << text;
}

}  // namespace
}  // namespace gt200::apps::sweep
