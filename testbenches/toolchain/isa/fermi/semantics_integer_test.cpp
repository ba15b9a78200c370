// sm_20: integer arithmetic, bits, comparisons, video instructions.
#include <gtest/gtest.h>

#include <random>

#include "testbenches/toolchain/isa/fermi/semantics_operation.h"

namespace gt200::isa::fermi {
namespace {

TEST(fermi_integer, sums_of_64_bits_by_carry) {
  std::mt19937_64 random(1);
  operation low("add b32 $r0 $c $r1 $r2");
  operation high("add b32 $r0 $r1 $r2 $c");
  operation low_difference("sub b32 $r0 $c $r1 $r2");
  operation high_difference("sub b32 $r0 $r1 $r2 $c");
  for (int k = 0; k < 10000; ++k) {
    const std::uint64_t x = random();
    const std::uint64_t y = k % 3 == 0 ? x + k % 7 : random();
    const std::uint64_t sum_low = low(x, y);
    EXPECT_EQ(high(x >> 32, y >> 32, 0, low.flags()) << 32 | sum_low, x + y);
    const std::uint64_t difference_low = low_difference(x, y);
    EXPECT_EQ(high_difference(x >> 32, y >> 32, 0, low_difference.flags()) << 32 | difference_low, x - y);
  }
}

TEST(fermi_integer, comparisons_of_64_bits_by_carry) {
  std::mt19937_64 random(2);
  operation low("sub b32 $r63 $c $r1 $r2");
  operation less("set $p0 $p7 lt s32 $r1 $r2 $c");
  operation less_or_equal("set $p0 $p7 le s32 $r1 $r2 $c");
  operation equal("set $p0 $p7 eq u32 $r1 $r2 $c");
  operation greater("set $p0 $p7 gt u32 $r1 $r2 $c");
  for (int k = 0; k < 10000; ++k) {
    const std::uint64_t x = random();
    const std::uint64_t y = k % 2 == 0 ? random() : x + static_cast<std::uint64_t>(k % 5) - 2;
    low(x, y);
    const auto holds = [&](operation& compare) {
      compare(x >> 32, y >> 32, 0, low.flags());
      return compare.predicate();
    };
    EXPECT_EQ(holds(less), static_cast<std::int64_t>(x) < static_cast<std::int64_t>(y)) << x << " " << y;
    EXPECT_EQ(holds(less_or_equal), static_cast<std::int64_t>(x) <= static_cast<std::int64_t>(y)) << x << " " << y;
    EXPECT_EQ(holds(equal), x == y) << x << " " << y;
    EXPECT_EQ(holds(greater), x > y) << x << " " << y;
  }
}

TEST(fermi_integer, flags_of_a_sum) {
  operation add("add b32 $r0 $c $r1 $r2");
  EXPECT_EQ(add(0xffffffff, 1), 0u);
  EXPECT_EQ(add.flags(), flag_zero | flag_carry);
  EXPECT_EQ(add(0x7fffffff, 1), 0x80000000u);
  EXPECT_EQ(add.flags(), flag_sign | flag_overflow);
  EXPECT_EQ(result_of("add sat b32 $r0 $r1 $r2", 0x7fffffff, 1), 0x7fffffffu);
  EXPECT_EQ(result_of("sub sat b32 $r0 $r1 $r2", 0x80000000, 1), 0x80000000u);
  EXPECT_EQ(result_of("addpo b32 $r0 $r1 $r2", 2, 3), 6u);
  EXPECT_EQ(result_of("subr b32 $r0 $r1 $r2", 2, 3), 1u);
}

TEST(fermi_integer, products) {
  EXPECT_EQ(result_of("mul high $r0 s32 $r1 s32 $r2", 0xffffffff, 5), 0xffffffffu);
  EXPECT_EQ(result_of("mul high $r0 u32 $r1 u32 $r2", 0xffffffff, 5), 4u);
  EXPECT_EQ(result_of("mul high $r0 s32 $r1 u32 $r2", 0xffffffff, 0xffffffff), 0xffffffffu);
  EXPECT_EQ(result_of("add $r0 (mul u32 $r1 u32 $r2) $r3", 6, 7, 8), 50u);
  EXPECT_EQ(result_of("sub $r0 (mul u32 $r1 u32 $r2) $r3", 6, 7, 8), 34u);
  EXPECT_EQ(result_of("subr $r0 (mul u32 $r1 u32 $r2) $r3", 6, 7, 8), static_cast<std::uint32_t>(-34));
  EXPECT_EQ(result_of("add b32 $r0 (shl $r1 0x4) $r2", 3, 1), 49u);
  EXPECT_EQ(result_of("sad s32 $r0 $r1 $r2 $r3", static_cast<std::uint32_t>(-3), 4, 10), 17u);
  EXPECT_EQ(result_of("min s32 $r0 $r1 $r2", 0xffffffff, 1), 0xffffffffu);
  EXPECT_EQ(result_of("min u32 $r0 $r1 $r2", 0xffffffff, 1), 1u);
  EXPECT_EQ(result_of("max s32 $r0 $r1 $r2", 0xffffffff, 1), 1u);
}

TEST(fermi_integer, shift_counts_stop_or_wrap) {
  EXPECT_EQ(result_of("shl b32 $r0 $r1 clamp $r2", 1, 33), 0u);
  EXPECT_EQ(result_of("shl b32 $r0 $r1 wrap $r2", 1, 33), 2u);
  EXPECT_EQ(result_of("shr s32 $r0 $r1 clamp $r2", 0x80000000, 40), 0xffffffffu);
  EXPECT_EQ(result_of("shr u32 $r0 $r1 clamp $r2", 0x80000000, 40), 0u);
  EXPECT_EQ(result_of("shr u32 $r0 $r1 wrap $r2", 0x80000000, 63), 1u);
  EXPECT_EQ(result_of("shr rev u32 $r0 $r1 clamp $r2", 1, 0), 0x80000000u);
}

TEST(fermi_integer, bit_fields) {
  EXPECT_EQ(result_of("ext u32 $r0 $r1 $r2", 0x12345678, 0x0804), 0x67u);
  EXPECT_EQ(result_of("ext s32 $r0 $r1 $r2", 0x12345f78, 0x0804), 0xfffffff7u);
  EXPECT_EQ(result_of("ext s32 $r0 $r1 $r2", 0x80000000, 0x1018), 0xffffff80u) << "beyond the end: the sign";
  EXPECT_EQ(result_of("ext u32 $r0 $r1 $r2", 0x12345678, 0x0008), 0u);
  EXPECT_EQ(result_of("ext rev u32 $r0 $r1 $r2", 0x00000001, 0x2000), 0x80000000u);
  EXPECT_EQ(result_of("ins b32 $r0 $r1 $r2 $r3", 0xff, 0x0408, 0x12345678), 0x12345f78u);
  EXPECT_EQ(result_of("ins b32 $r0 $r1 $r2 $r3", 0xff, 0x2000, 0x12345678), 0xffu);
  EXPECT_EQ(result_of("bfind u32 $r0 $r1", 0, 0x00010000), 16u);
  EXPECT_EQ(result_of("bfind shiftamt u32 $r0 $r1", 0, 0x00010000), 15u);
  EXPECT_EQ(result_of("bfind s32 $r0 $r1", 0, 0xfffffff0), 3u);
  EXPECT_EQ(result_of("bfind u32 $r0 $r1", 0, 0), 0xffffffffu);
  EXPECT_EQ(result_of("popc $r0 $r1 $r2", 0xff, 0x0ff0), 4u);
  EXPECT_EQ(result_of("popc $r0 $r1 not $r2", 0xff, 0x0ff0), 4u);
}

TEST(fermi_integer, permutations_of_bytes) {
  constexpr std::uint32_t x = 0x33221100;
  constexpr std::uint32_t z = 0x77665544;
  EXPECT_EQ(result_of("prmt b32 $r0 $r1 $r2 $r3", x, 0x7531, z), 0x77553311u);
  EXPECT_EQ(result_of("prmt b32 $r0 $r1 $r2 $r3", 0x80, 0x8888, 0), 0xffffffffu);
  EXPECT_EQ(result_of("prmt f4e b32 $r0 $r1 $r2 $r3", x, 1, z), 0x44332211u);
  EXPECT_EQ(result_of("prmt b4e b32 $r0 $r1 $r2 $r3", x, 1, z), 0x66770011u);
  EXPECT_EQ(result_of("prmt rc8 b32 $r0 $r1 $r2 $r3", x, 2, z), 0x22222222u);
  EXPECT_EQ(result_of("prmt ecl b32 $r0 $r1 $r2 $r3", x, 1, z), 0x33221111u);
  EXPECT_EQ(result_of("prmt ecr b32 $r0 $r1 $r2 $r3", x, 1, z), 0x11111100u);
  EXPECT_EQ(result_of("prmt rc16 b32 $r0 $r1 $r2 $r3", x, 1, z), 0x33223322u);
}

TEST(fermi_integer, comparisons_combine_with_a_predicate) {
  operation less("set $p0 $p1 lt s32 $r1 $r2 and $p2");
  less(1, 2);
  EXPECT_TRUE(less.predicate(0));
  EXPECT_FALSE(less.predicate(1));
  less.set_predicate(2, false);
  less(1, 2);
  EXPECT_FALSE(less.predicate(0));
  EXPECT_FALSE(less.predicate(1)) << "the second predicate combines as well";
  EXPECT_EQ(result_of("set b32 $r0 ge u32 $r1 $r2", 2, 2), 0xffffffffu);
  EXPECT_EQ(result_of("set f32 $r0 ge u32 $r1 $r2", 2, 2), 0x3f800000u);
  EXPECT_EQ(result_of("slct b32 $r0 $r1 $r2 lt s32 $r3", 1, 2, 0xffffffff), 1u);
  EXPECT_EQ(result_of("slct b32 $r0 $r1 $r2 lt u32 $r3", 1, 2, 0xffffffff), 2u);
}

TEST(fermi_integer, video_instructions) {
  EXPECT_EQ(result_of("vadd add u32 $r0 u32 $r1 u32 $r2 $r3", 1, 2, 10), 13u);
  EXPECT_EQ(result_of("vadd sat s32 $r0 s32 $r1 s32 $r2 $r3", 0x7fffffff, 1), 0x7fffffffu);
  EXPECT_EQ(result_of("vsub sat u32 $r0 u32 $r1 u32 $r2 $r3", 1, 2), 0u);
  EXPECT_EQ(result_of("vadd u32 $r0 b1 s32 $r1 h1 u32 $r2 $r3", 0x0000ff00, 0x00050000), 4u);
  EXPECT_EQ(result_of("vadd b2 u32 $r0 u32 $r1 u32 $r2 $r3", 0x10, 0x22, 0xaabbccdd), 0xaa32ccddu);
  EXPECT_EQ(result_of("vadd h0 u32 $r0 u32 $r1 u32 $r2 $r3", 0x10, 0x22, 0xaabbccdd), 0xaabb0032u);
  EXPECT_EQ(result_of("vmin add u32 $r0 u32 $r1 u32 $r2 $r3", 7, 9, 100), 107u);
  EXPECT_EQ(result_of("vmax max s32 $r0 s32 $r1 s32 $r2 $r3", static_cast<std::uint32_t>(-7), 9, 20), 20u);
  EXPECT_EQ(result_of("vabsdiff u32 $r0 u32 $r1 u32 $r2 $r3", 7, 9), 2u);
  EXPECT_EQ(result_of("vshl wrap add u32 $r0 u32 $r1 u32 $r2 $r3", 1, 33, 100), 102u);
  EXPECT_EQ(result_of("vshl clamp u32 $r0 u32 $r1 u32 $r2 $r3", 1, 33), 0u);
  EXPECT_EQ(result_of("vshr wrap add u32 $r0 u32 $r1 b0 u32 $r2 $r3", 0x80, 0xff04, 1), 9u);
  EXPECT_EQ(result_of("vset add $r0 lt u32 $r1 u32 $r2 $r3", 1, 2, 41), 42u);
  EXPECT_EQ(result_of("vmad add shr7 $r0 u32 $r1 u32 $r2 $r3", 256, 3, 128), 7u);
}

TEST(fermi_integer, conversions_between_integers) {
  EXPECT_EQ(result_of("cvt s32 $r0 s8 0x1 $r1", 0, 0x0000ff00), 0xffffffffu);
  EXPECT_EQ(result_of("cvt u32 $r0 u16 0x1 $r1", 0, 0xabcd0000), 0xabcdu);
  EXPECT_EQ(result_of("cvt sat u8 $r0 s32 $r1", 0, 300), 255u);
  EXPECT_EQ(result_of("cvt sat u8 $r0 s32 $r1", 0, 0xffffffff), 0u);
  EXPECT_EQ(result_of("cvt s8 $r0 s32 $r1", 0, 0x180), 0xffffff80u);
  EXPECT_EQ(result_of("cvt s32 $r0 neg s32 $r1", 0, 5), static_cast<std::uint32_t>(-5));
  EXPECT_EQ(result_of("cvt s32 $r0 neg abs s32 $r1", 0, static_cast<std::uint32_t>(-5)),
            static_cast<std::uint32_t>(-5));
  EXPECT_EQ(result_of("cvt s64 $r0d s32 $r1", 0, 0xfffffffe), ~std::uint64_t{1});
}

}  // namespace
}  // namespace gt200::isa::fermi
