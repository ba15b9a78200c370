// Names and numbers in operands.
#include <gtest/gtest.h>

#include "toolchain/assembler/symbols.h"

namespace gt200::assembler {
namespace {

class symbols : public testing::Test {
 protected:
  symbols() {
    table_.define("tile", "s", 0x20);
    table_.define("mask", "c1", 8);
    table_.define("size", "", 64);
  }
  std::string resolved(std::string_view text) const {
    std::string reason;
    const auto result = table_.resolve(text, reason);
    return result ? *result : "error: " + reason;
  }
  symbol_table table_;
};

TEST_F(symbols, stand_for_addresses_inside_brackets) {
  EXPECT_EQ(resolved("mov b32 $r0 b32 s[tile]"), "mov b32 $r0 b32 s[0x20]");
  EXPECT_EQ(resolved("mov b32 $r0 b32 s[tile+4]"), "mov b32 $r0 b32 s[0x24]");
  EXPECT_EQ(resolved("mov b32 $r0 b32 s[tile + size - 0x4]"), "mov b32 $r0 b32 s[0x5c]");
  EXPECT_EQ(resolved("mov b32 $r0 b32 s[$a1+tile]"), "mov b32 $r0 b32 s[$a1+0x20]");
  EXPECT_EQ(resolved("mov b32 $r0 b32 s[$a1++size]"), "mov b32 $r0 b32 s[$a1++0x40]");
  EXPECT_EQ(resolved("and b32 $r0 $r0 c1[mask]"), "and b32 $r0 $r0 c1[0x8]");
  EXPECT_EQ(resolved("add $r0 (mul u16 u16 s[%ctaid.x] $r0h) $r1"), "add $r0 (mul u16 u16 s[0xc] $r0h) $r1");
}

TEST_F(symbols, leave_other_operands_alone) {
  for (const char* text : {"mov b32 $r0 b32 s[$a1+0x10]", "ld b32 $r0 g14[$r1]", "set $c0 # lg u16 $r5l c1[0x0]",
                           "ld $r0 b32 c0[$a1++0x4]", "(lg $c0) bra loop"})
    EXPECT_EQ(resolved(text), text);
}

TEST_F(symbols, stand_for_immediates_after_an_at_sign) {
  EXPECT_EQ(resolved("mov b32 $r0 @tile"), "mov b32 $r0 0x20");
  EXPECT_EQ(resolved("mov b32 $r0 @size-1"), "mov b32 $r0 0x3f");
  EXPECT_EQ(resolved("mov b32 $r0 @%ctaid.y"), "mov b32 $r0 0xe");
  EXPECT_EQ(resolved("mov b32 $r0 @tile-size"), "mov b32 $r0 -0x20");
}

TEST_F(symbols, numbers_with_a_point_are_float_bits) {
  EXPECT_EQ(resolved("mov b32 $r0 1.0"), "mov b32 $r0 0x3f800000");
  EXPECT_EQ(resolved("mov b32 $r0 -0.5"), "mov b32 $r0 0xbf000000");
  EXPECT_EQ(resolved("mov b32 $r0 2.5e-3"), "mov b32 $r0 0x3b23d70a");
  EXPECT_EQ(resolved("mov b32 $r0 1.0x"), "mov b32 $r0 1.0x") << "left for the instruction parser to refuse";
}

TEST_F(symbols, errors_say_what_is_missing) {
  EXPECT_EQ(resolved("mov b32 $r0 b32 s[tail]"), "error: 'tail' is not defined");
  EXPECT_EQ(resolved("mov b32 $r0 b32 s[mask]"), "error: 'mask' is not in s[]");
  EXPECT_EQ(resolved("mov b32 $r0 b32 s[tile+]"), "error: '' is not a number");
  EXPECT_EQ(resolved("mov b32 $r0 b32 s[tile"), "error: '[' without ']'");
  EXPECT_EQ(resolved("mov b32 $r0 @"), "error: '@' without a name");
  EXPECT_EQ(resolved("mov b32 $r0 @tail"), "error: 'tail' is not defined");
}

TEST_F(symbols, are_unique_over_all_spaces) {
  EXPECT_FALSE(table_.define("tile", "c0", 0));
  EXPECT_TRUE(table_.define("tile2", "c0", 0));
}

}  // namespace
}  // namespace gt200::assembler
