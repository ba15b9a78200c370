// Single precision: where the rules agree with IEEE 754 the host is the reference, elsewhere values computed by
// hand or measured on the hardware.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

#include "testbenches/toolchain/isa/semantics_operation.h"

namespace gt200::isa::tesla {
namespace {

constexpr std::uint32_t one = 0x3f800000, minus_one = 0xbf800000, infinity = 0x7f800000, nan = 0x7fffffff;
constexpr std::uint32_t signalling_nan = 0x7f800001, smallest = 0x00800000, denormal = 0x007fffff,
                        sign = 0x80000000;
constexpr std::uint32_t largest = 0x7f7fffff;

float number(std::uint64_t bits) {
  const std::uint32_t word = static_cast<std::uint32_t>(bits);
  float f;
  std::memcpy(&f, &word, sizeof f);
  return f;
}
std::uint32_t bits(float f) {
  std::uint32_t word;
  std::memcpy(&word, &f, sizeof word);
  return word;
}

// Numbers with exponents around one, so that nothing over- or underflows.
std::uint32_t moderate(random_words& random) {
  const std::uint32_t word = random.word();
  return (word & 0x807fffffu) | (0x70 + (word >> 23 & 31)) << 23;
}

// Compares with the host for random moderate operands; the host's result must be final (no NaN, no denormal).
template <class host>
void expect_host_result(const std::string& text, int host_rounding, host compute) {
  operation op(text);
  random_words random(7);
  for (int round = 0; round < 300; ++round) {
    for (int lane = 0; lane < warp_size; ++lane) {
      for (std::size_t k = 0; k < 3; ++k) op.set_source(k, lane, moderate(random));
    }
    op.run();
    for (int lane = 0; lane < warp_size; ++lane) {
      const float x = number(op.bundle.source[0][0].lane[lane]);
      const float y = number(op.bundle.source[1][0].lane[lane]);
      std::fesetround(host_rounding);
      const volatile float expected = compute(x, y);
      std::fesetround(FE_TONEAREST);
      ASSERT_EQ(op.result(lane).value, bits(expected)) << text << ": " << x << " " << y;
    }
  }
}

float add(volatile float x, volatile float y) { return x + y; }
float multiply(volatile float x, volatile float y) { return x * y; }

TEST(semantics_float32, sums_and_products_are_rounded_as_asked) {
  expect_host_result("add rn f32 $r0 $r1 $r2", FE_TONEAREST, add);
  expect_host_result("add rz f32 $r0 $r1 $r2", FE_TOWARDZERO, add);
  expect_host_result("mul rn f32 $r0 $r1 $r2", FE_TONEAREST, multiply);
  expect_host_result("mul rz f32 $r0 $r1 $r2", FE_TOWARDZERO, multiply);
}

TEST(semantics_float32, results_do_not_depend_on_the_callers_rounding_mode) {
  operation sum("add rn f32 $r0 $r1 $r2");
  operation mad("add f32 $r0 (mul $r1 $r2) $r3");
  const auto expected_sum = sum(one, 0x33c00000);  // 1 + 1.5 * 2^-24
  const auto expected_mad = mad(0x3f8ccccd, 0x3f8ccccd, one);
  std::fesetround(FE_TOWARDZERO);
  const auto other_sum = sum(one, 0x33c00000);
  const auto other_mad = mad(0x3f8ccccd, 0x3f8ccccd, one);
  const int mode_after = std::fegetround();
  std::fesetround(FE_TONEAREST);
  EXPECT_EQ(expected_sum.value, 0x3f800001u);
  EXPECT_EQ(other_sum, expected_sum);
  EXPECT_EQ(other_mad, expected_mad);
  EXPECT_EQ(mode_after, FE_TOWARDZERO);
}

TEST(semantics_float32, operands_are_negated_as_written) {
  EXPECT_EQ(operation("add rn f32 $r0 neg $r1 $r2")(one, 0x40000000).value, one);
  EXPECT_EQ(operation("add rn f32 $r0 $r1 neg $r2")(one, 0x40000000).value, minus_one);
  EXPECT_EQ(operation("mul rn f32 $r0 neg $r1 $r2")(one, 0x40000000).value, 0xc0000000u);
  EXPECT_EQ(operation("add f32 $r0 neg (mul $r1 $r2) $r3")(one, one, 0x40000000).value, one);
  EXPECT_EQ(operation("add f32 $r0 (mul $r1 $r2) neg $r3")(one, one, 0x40000000).value, minus_one);
}

TEST(semantics_float32, denormal_operands_count_as_zeros_of_their_sign) {
  operation sum("add rn f32 $r0 $r1 $r2");
  EXPECT_EQ(sum(denormal, denormal).value, 0u);
  EXPECT_EQ(sum(sign | denormal, sign | denormal).value, sign);
  EXPECT_EQ(sum(sign | denormal, denormal).value, 0u);
  operation product("mul rn f32 $r0 $r1 $r2");
  EXPECT_EQ(product(denormal, 0x7f000000).value, 0u);
  EXPECT_EQ(product(sign | denormal, 0x7f000000).value, sign);
  EXPECT_EQ(product(denormal, infinity).value, nan);
}

TEST(semantics_float32, denormal_results_become_zeros_of_their_sign) {
  operation sum("add rn f32 $r0 $r1 $r2");
  EXPECT_EQ(sum(0x01000000, 0x80800001).value, 0u);  // 2^-125 - (2^-126 + 2^-149)
  EXPECT_EQ(sum(0x81000000, 0x00800001).value, sign);
  EXPECT_EQ(sum(0x01000000, 0x80800000).value, smallest);
}

TEST(semantics_float32, products_underflow_after_rounding_to_24_bits) {
  operation nearest("mul rn f32 $r0 $r1 $r2");
  // 0xb50f52 * 0xb4fa95 = 2^47 - 326 rounds up to 2^47 in 24 bits
  EXPECT_EQ(nearest(0x20350f52, 0x1fb4fa95).value, smallest);
  // 0xb504f4 * 0xb504f2 = 2^47 - 1.15 * 2^22 does not, though it would on the coarser grid of denormals
  EXPECT_EQ(nearest(0x203504f4, 0x1fb504f2).value, 0u);
  EXPECT_EQ(nearest(0x00ffffff, 0x3f000000).value, 0u) << "2^-126 (1 - 2^-24) has 24 bits already";
  EXPECT_EQ(operation("mul rz f32 $r0 $r1 $r2")(0x00ffffff, 0x3f000001).value, smallest);
}

TEST(semantics_float32, products_rounded_towards_zero_stay_within_the_range) {
  operation toward_zero("mul rz f32 $r0 $r1 $r2");
  EXPECT_EQ(toward_zero(smallest, one).value, smallest);
  EXPECT_EQ(toward_zero(0x00ffffff, 0x3f000000).value, 0u) << "2^-126 (1 - 2^-24)";
  EXPECT_EQ(toward_zero(sign | 0x00ffffff, 0x3f000000).value, sign);
  EXPECT_EQ(toward_zero(0x00ffffff, 0x20000000).value, 0u);
  EXPECT_EQ(toward_zero(largest, 0x40000000).value, largest);
  EXPECT_EQ(toward_zero(largest, 0xff000000).value, sign | largest);
  EXPECT_EQ(toward_zero(infinity, minus_one).value, sign | infinity);
  EXPECT_EQ(toward_zero(infinity, 0).value, nan);
  EXPECT_EQ(toward_zero(signalling_nan, one).value, nan);
}

TEST(semantics_float32, every_nan_result_is_the_canonical_one) {
  operation sum("add rn f32 $c0 $r0 $r1 $r2");
  operation mad("add f32 $c0 $r0 (mul $r1 $r2) $r3");
  const outcome canonical = {nan, 3};
  EXPECT_EQ(sum(signalling_nan, one), canonical);
  EXPECT_EQ(sum(one, 0xffffffff), canonical);
  EXPECT_EQ(sum(infinity, sign | infinity), canonical);
  EXPECT_EQ(mad(0, infinity, one), canonical);
  EXPECT_EQ(mad(infinity, one, sign | infinity), canonical);
  EXPECT_EQ(mad(one, one, signalling_nan), canonical);
}

TEST(semantics_float32, overflow_gives_infinity_or_when_truncating_the_largest_number) {
  EXPECT_EQ(operation("add rn f32 $r0 $r1 $r2")(largest, largest).value, infinity);
  EXPECT_EQ(operation("add rz f32 $r0 $r1 $r2")(largest, largest).value, largest);
  EXPECT_EQ(operation("mul rz f32 $r0 $r1 $r2")(sign | largest, largest).value, sign | largest);
  EXPECT_EQ(operation("mul rz f32 $r0 $r1 $r2")(infinity, largest).value, infinity);
}

TEST(semantics_float32, truncating_sums_see_what_is_far_below) {
  operation sum("add rz f32 $r0 $r1 $r2");
  EXPECT_EQ(sum(one, 0x80800000).value, 0x3f7fffffu);  // 1 - 2^-126
  EXPECT_EQ(sum(one, 0x00800000).value, one);
  EXPECT_EQ(sum(minus_one, 0x00800000).value, 0xbf7fffffu);
}

TEST(semantics_float32, flags_compare_the_result_with_zero) {
  operation sum("add rn f32 $c0 $r0 $r1 $r2");
  EXPECT_EQ(sum(one, one).flags, 0u);
  EXPECT_EQ(sum(one, minus_one).flags, 1u);
  EXPECT_EQ(sum(sign, sign), (outcome{sign, 1}));
  EXPECT_EQ(sum(minus_one, minus_one).flags, 2u);
}

TEST(semantics_float32, saturation_clamps_to_zero_and_one) {
  operation sum("add sat rn f32 $r0 $r1 $r2");
  EXPECT_EQ(sum(one, one).value, one);
  EXPECT_EQ(sum(minus_one, 0).value, 0u);
  EXPECT_EQ(sum(sign, sign).value, 0u);
  EXPECT_EQ(sum(0x3e800000, 0x3e800000).value, 0x3f000000u);
  EXPECT_EQ(sum(nan, one).value, 0u);
  EXPECT_EQ(sum(infinity, sign | infinity).value, nan) << "a NaN made from numbers stays on GT200";
  EXPECT_EQ(operation("add sat f32 $r0 (mul $r1 $r2) $r3")(one, one, one).value, one);
  EXPECT_EQ(operation("mul sat rn f32 $r0 $r1 $r2")(minus_one, one).value, 0u);
}

TEST(semantics_float32, mad_truncates_its_product) {
  operation mad("add f32 $r0 (mul $r1 $r2) $r3");
  EXPECT_EQ(mad(0x3f800001, 0x3f800001, minus_one).value, 0x34800000u) << "(1 + 2^-23)^2 - 1";
  EXPECT_EQ(mad(0x40400000, 0x3eaaaaab, minus_one).value, 0u) << "3 * (1/3) - 1";
  EXPECT_EQ(mad(0x3f8ccccd, 0x3f8ccccd, 0).value, 0x3f9ae148u) << "1.1 * 1.1 + 0: the product is rounded";
  EXPECT_EQ(mad(0x3f8ccccd, 0x3f8ccccd, one).value, 0x400d70a4u) << "1.1 * 1.1 + 1";
}

TEST(semantics_float32, mad_with_a_zero_addend_is_a_product) {
  operation mad("add f32 $r0 (mul $r1 $r2) $r3");
  operation mul("mul rn f32 $r0 $r1 $r2");
  random_words random(11);
  for (int k = 0; k < 2000; ++k) {
    const std::uint32_t x = k % 2 == 0 ? moderate(random) : (random.word() & 0x87ffffffu) + 0x1c000000u;
    const std::uint32_t y = k % 2 == 0 ? moderate(random) : (random.word() & 0x87ffffffu) + 0x1c000000u;
    const std::uint64_t product = mul(x, y).value;
    if ((product & ~sign) == 0) continue;  // the sign of a zero is that of a sum
    EXPECT_EQ(mad(x, y, 0).value, product);
    EXPECT_EQ(mad(x, y, sign | denormal).value, product);
  }
  EXPECT_EQ(mad(0x80800000, smallest, 0).value, 0u);
  EXPECT_EQ(mad(0x80800000, smallest, sign).value, sign);
}

TEST(semantics_float32, mad_does_not_flush_a_small_product_before_the_sum) {
  operation mad("add f32 $r0 (mul $r1 $r2) $r3");
  // 2^-127 + 2^-126 and 2^-126 - 2^-150 (rounds up to 2^-126)
  EXPECT_EQ(mad(smallest, 0x3f000000, smallest).value, 0x00c00000u);
  EXPECT_EQ(mad(smallest, 0xb3800000, smallest).value, smallest);
  EXPECT_EQ(mad(smallest, 0xb4000000, smallest).value, 0u);
}

TEST(semantics_float32, mad_agrees_with_the_hardware_on_four_million_operands) {
  operation mad("add f32 $r0 (mul $r1 $r2) $r3");
  std::array<std::uint32_t, 256> table;
  for (std::uint32_t n = 0; n < 256; ++n) {
    std::uint32_t crc = n;
    for (int k = 0; k < 8; ++k) crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0xedb88320u : 0u);
    table[n] = crc;
  }
  std::uint32_t state = 12345;
  std::uint32_t crc = ~0u;
  for (int warp = 0; warp < 4000000 / warp_size; ++warp) {
    for (int lane = 0; lane < warp_size; ++lane) {
      for (std::size_t k = 0; k < 3; ++k) {
        state = state * 1664525u + 1013904223u;
        mad.set_source(k, lane, (state & 0x807fffffu) | (0x70 + (state >> 23 & 31)) << 23);
      }
    }
    mad.run();
    for (int lane = 0; lane < warp_size; ++lane) {
      const std::uint32_t r = mad.bundle.destination[0].lane[lane];
      for (int shift = 0; shift < 32; shift += 8) crc = (crc >> 8) ^ table[(crc ^ r >> shift) & 0xffu];
    }
  }
  EXPECT_EQ(~crc, 0xa7147293u);
}

TEST(semantics_float32, sixteen_conditions) {
  const std::string names[16] = {"never", "l",  "e",  "le",  "g",  "lg",  "ge",  "lge",
                                 "u",     "lu", "eu", "leu", "gu", "lgu", "geu", "always"};
  struct pair {
    std::uint32_t x, y;
    unsigned relation;
  };
  const pair pairs[] = {{minus_one, one, 1},
                        {one, one, 2},
                        {0, sign, 2},
                        {denormal, sign | denormal, 2},
                        {one, minus_one, 4},
                        {minus_one, 0xc0000000, 4},
                        {infinity, largest, 4},
                        {nan, one, 8},
                        {one, signalling_nan, 8},
                        {nan, nan, 8},
                        {sign | infinity, 0, 1}};
  for (unsigned condition = 0; condition < 16; ++condition) {
    operation set("set $c0 $r0 " + names[condition] + " f32 $r1 $r2");
    for (const pair& p : pairs) {
      const bool holds = (condition & p.relation) != 0;
      EXPECT_EQ(set(p.x, p.y), (outcome{holds ? 0xffffffffu : 0u, holds ? 2u : 1u}))
          << set.text() << p.x << " " << p.y;
    }
  }
  EXPECT_EQ(operation("set $r0 e f32 neg abs $r1 $r2")(one, minus_one).value, 0xffffffffu);
}

TEST(semantics_float32, minimum_and_maximum_prefer_numbers_and_order_zeros) {
  operation min("min f32 $c0 $r0 $r1 $r2");
  operation max("max f32 $c0 $r0 $r1 $r2");
  EXPECT_EQ(min(one, minus_one), (outcome{minus_one, 2}));
  EXPECT_EQ(max(one, minus_one), (outcome{one, 0}));
  EXPECT_EQ(min(minus_one, 0xc0000000).value, 0xc0000000u);
  EXPECT_EQ(max(nan, minus_one).value, minus_one);
  EXPECT_EQ(min(one, signalling_nan).value, one);
  EXPECT_EQ(min(signalling_nan, 0xffffffff), (outcome{nan, 3}));
  EXPECT_EQ(max(0, sign), (outcome{0, 1}));
  EXPECT_EQ(min(0, sign), (outcome{sign, 1}));
  EXPECT_EQ(max(denormal, minus_one).value, 0u);
  EXPECT_EQ(operation("max f32 $r0 abs $r1 $r2")(0xc0000000, one).value, 0x40000000u);
}

TEST(semantics_float32, slct_takes_the_first_unless_the_selector_is_negative_or_nan) {
  operation slct("slct b32 $c0 $r0 $r1 $r2 f32 $r3");
  EXPECT_EQ(slct(5, 6, one).value, 5u);
  EXPECT_EQ(slct(5, 6, 0).value, 5u);
  EXPECT_EQ(slct(5, 6, sign).value, 5u);
  EXPECT_EQ(slct(5, 6, sign | denormal).value, 5u);
  EXPECT_EQ(slct(5, 6, minus_one).value, 6u);
  EXPECT_EQ(slct(5, 6, nan).value, 6u);
  EXPECT_EQ(slct(denormal, 6, one), (outcome{denormal, 0})) << "values pass unchanged";
  EXPECT_EQ(slct(0xffffffff, 6, one), (outcome{0xffffffff, 2}));
  EXPECT_EQ(slct(sign, 6, one), (outcome{sign, 1}));
  EXPECT_EQ(operation("slct b32 $r0 $r1 $r2 f32 neg $r3")(5, 6, one).value, 6u);
}

TEST(semantics_float32, quadop_works_across_the_quad) {
  operation op("quadop f32 add subr sub mov2 $r0 l1 $r1 $r2");
  for (int lane = 0; lane < warp_size; ++lane) {
    op.set_source(0, lane, bits(static_cast<float>(lane)));
    op.set_source(1, lane, bits(100.0f));
  }
  op.run();
  EXPECT_EQ(op.result(4).value, bits(105.0f));  // 100 + lane 5
  EXPECT_EQ(op.result(5).value, bits(95.0f));   // 100 - lane 5
  EXPECT_EQ(op.result(6).value, bits(-95.0f));
  EXPECT_EQ(op.result(7).value, bits(100.0f));
}

}  // namespace
}  // namespace gt200::isa::tesla
