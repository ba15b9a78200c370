// How a source file is cut into labels, instructions and comments.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "toolchain/assembler/source_line.h"

namespace gt200::assembler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(source_line, comment_and_blanks_are_dropped_and_lines_counted_from_one) {
  const auto lines = split_source("  exit nop  // done\r\n\n\t// only a comment\n.end");
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].text, "exit nop");
  EXPECT_EQ(lines[1].text, "");
  EXPECT_EQ(lines[2].text, "");
  EXPECT_EQ(lines[3].text, ".end");
  EXPECT_EQ(lines[3].number, 4u);
  EXPECT_TRUE(lines[3].is_directive());
}

TEST(source_line, the_bit_bucket_is_not_a_comment) {
  EXPECT_EQ(split_source("set $c0 # lg u32 $r1 $r2")[0].text, "set $c0 # lg u32 $r1 $r2");
}

TEST(source_line, labels_may_stand_alone_or_before_an_instruction) {
  const auto lines = split_source("loop:\na: b : exit nop\n");
  EXPECT_THAT(lines[0].labels, ElementsAre("loop"));
  EXPECT_EQ(lines[0].text, "");
  EXPECT_THAT(lines[1].labels, ElementsAre("a", "b"));
  EXPECT_EQ(lines[1].text, "exit nop");
}

TEST(source_line, a_colon_between_registers_is_no_label) {
  const auto line = split_source("texauto live $r0:#:#:# $t1 $s1 $r0:$r1 0x0 0x0 0x0")[0];
  EXPECT_THAT(line.labels, IsEmpty());
  EXPECT_EQ(line.text.substr(0, 7), "texauto");
}

TEST(source_line, identifiers) {
  EXPECT_TRUE(is_identifier("_Z6kernelPf"));
  EXPECT_TRUE(is_identifier("a.b_1"));
  EXPECT_FALSE(is_identifier(""));
  EXPECT_FALSE(is_identifier("1a"));
  EXPECT_FALSE(is_identifier(".a"));
  EXPECT_FALSE(is_identifier("$r0"));
  EXPECT_FALSE(is_identifier("a b"));
}

}  // namespace
}  // namespace gt200::assembler
