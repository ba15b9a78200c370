// Conversions: rounding, clamping, special values and flags.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

#include "testbenches/toolchain/isa/semantics_operation.h"

namespace gt200::isa::tesla {
namespace {

constexpr std::uint32_t infinity = 0x7f800000, nan = 0x7fffffff, sign = 0x80000000;

std::uint32_t bits(float f) {
  std::uint32_t word;
  std::memcpy(&word, &f, sizeof word);
  return word;
}
std::uint64_t bits(double f) {
  std::uint64_t word;
  std::memcpy(&word, &f, sizeof word);
  return word;
}
float number(std::uint32_t word) {
  float f;
  std::memcpy(&f, &word, sizeof f);
  return f;
}

struct mode {
  const char* name;
  int host;
};
constexpr mode modes[] = {{"rn", FE_TONEAREST}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}, {"rz", FE_TOWARDZERO}};

template <class function>
auto rounded_by_host(const mode& m, function f) {
  std::fesetround(m.host);
  const volatile auto r = f();  // volatile: computed before the mode changes back
  std::fesetround(FE_TONEAREST);
  return r;
}

TEST(semantics_convert, integers_to_floats_in_four_roundings) {
  random_words random(3);
  for (const mode& m : modes) {
    operation from_signed(std::string("cvt ") + m.name + " f32 $r0 s32 $r1");
    operation from_unsigned(std::string("cvt ") + m.name + " f32 $r0 u32 $r1");
    for (int k = 0; k < 3000; ++k) {
      const std::uint32_t x = random.word() >> random.below(32) ^ (k % 2 == 0 ? 0u : ~0u);
      EXPECT_EQ(from_signed(x).value, bits(rounded_by_host(m,
                                                           [=] {
                                                             const volatile auto value =
                                                                 static_cast<std::int32_t>(x);
                                                             return static_cast<float>(value);
                                                           })))
          << m.name << std::hex << x;
      EXPECT_EQ(from_unsigned(x).value, bits(rounded_by_host(m,
                                                             [=] {
                                                               const volatile std::int64_t value = x;
                                                               return static_cast<float>(value);
                                                             })))
          << m.name << std::hex << x;
    }
  }
}

TEST(semantics_convert, narrow_integers_are_extended_first) {
  EXPECT_EQ(operation("cvt rn f32 $r0 u8 $r1")(0xffffff80).value, bits(128.0f));
  EXPECT_EQ(operation("cvt rn f32 $r0 s8 $r1")(0x80).value, bits(-128.0f));
  EXPECT_EQ(operation("cvt rn f32 $r0 u16 $r1l")(0xffff8000).value, bits(32768.0f));
  EXPECT_EQ(operation("cvt rn f32 $r0 s16 $r1l")(0x8000).value, bits(-32768.0f));
}

TEST(semantics_convert, absolute_comes_before_negate) {
  EXPECT_EQ(operation("cvt abs rn f32 $r0 s32 $r1")(static_cast<std::uint32_t>(-5)).value, bits(5.0f));
  EXPECT_EQ(operation("cvt neg abs rn f32 $r0 s32 $r1")(static_cast<std::uint32_t>(-5)).value, bits(-5.0f));
  EXPECT_EQ(operation("cvt neg rn f32 $c0 $r0 s32 $r1")(0), (outcome{sign, 1}));
  EXPECT_EQ(operation("cvt neg abs s32 $r0 s32 $r1")(static_cast<std::uint32_t>(-7)).value, 0xfffffff9u);
  EXPECT_EQ(operation("cvt neg f32 $r0 f32 $r1")(bits(2.5f)).value, bits(-2.5f));
  EXPECT_EQ(operation("cvt abs f32 $r0 f32 $r1")(bits(-2.5f)).value, bits(2.5f));
}

TEST(semantics_convert, floats_to_integers_in_four_roundings) {
  const float values[] = {0.5f,        1.5f,   2.5f,    -0.5f, -1.5f,      -2.5f,
                          0.49999997f, 1e-30f, -1e-30f, 3.0f,  8388607.5f, 16777216.0f};
  for (const mode& m : modes) {
    operation to_signed(std::string("cvt ") + m.name + "i s32 $r0 f32 $r1");
    for (const float v : values) {
      const float expected = rounded_by_host(m, [=] {
        const volatile float value = v;
        return std::nearbyint(value);
      });
      EXPECT_EQ(to_signed(bits(v)).value, static_cast<std::uint32_t>(static_cast<std::int32_t>(expected)))
          << m.name << " " << v;
    }
    EXPECT_EQ(to_signed(0x00000001).value, 0u) << "denormals count as zero in every mode";
  }
}

TEST(semantics_convert, floats_out_of_range_are_clamped) {
  operation s32("cvt rzi s32 $c0 $r0 f32 $r1");
  operation u32("cvt rzi u32 $c0 $r0 f32 $r1");
  operation s16("cvt rzi s16 $c0 $r0l f32 $r1");
  operation u16("cvt rzi u16 $c0 $r0l f32 $r1");
  EXPECT_EQ(s32(bits(2147483648.0f)), (outcome{0x7fffffff, 0}));
  EXPECT_EQ(s32(bits(2147483520.0f)), (outcome{0x7fffff80, 0}));
  EXPECT_EQ(s32(bits(-2147483648.0f)), (outcome{0x80000000, 2}));
  EXPECT_EQ(s32(bits(-3e9f)), (outcome{0x80000000, 2}));
  EXPECT_EQ(s32(infinity), (outcome{0x7fffffff, 0}));
  EXPECT_EQ(s32(sign | infinity), (outcome{0x80000000, 2}));
  EXPECT_EQ(s32(nan), (outcome{0, 1}));
  EXPECT_EQ(u32(bits(-1.0f)), (outcome{0, 1}));
  EXPECT_EQ(u32(bits(4294967040.0f)), (outcome{0xffffff00, 2}));
  EXPECT_EQ(u32(bits(4294967296.0f)), (outcome{0xffffffff, 2}));
  EXPECT_EQ(u32(nan), (outcome{0, 1}));
  EXPECT_EQ(s16(bits(-40000.0f)), (outcome{0x8000, 2}));
  EXPECT_EQ(s16(bits(40000.0f)), (outcome{0x7fff, 0}));
  EXPECT_EQ(u16(bits(70000.0f)), (outcome{0xffff, 2}));
}

TEST(semantics_convert, integers_out_of_range_are_clamped) {
  EXPECT_EQ(operation("cvt u8 $c0 $r0 s32 $r1")(300), (outcome{255, 0}));
  EXPECT_EQ(operation("cvt u8 $c0 $r0 s32 $r1")(static_cast<std::uint32_t>(-3)), (outcome{0, 1}));
  EXPECT_EQ(operation("cvt s8 $c0 $r0 s32 $r1")(static_cast<std::uint32_t>(-300)), (outcome{0xffffff80, 2}));
  EXPECT_EQ(operation("cvt s8 $c0 $r0l s32 $r1")(static_cast<std::uint32_t>(-300)), (outcome{0xff80, 2}));
  EXPECT_EQ(operation("cvt s16 $c0 $r0l s32 $r1")(70000), (outcome{0x7fff, 0}));
  EXPECT_EQ(operation("cvt s32 $c0 $r0 u32 $r1")(0x80000001), (outcome{0x7fffffff, 0}));
  EXPECT_EQ(operation("cvt u32 $c0 $r0 s32 $r1")(0x80000001), (outcome{0, 1}));
  EXPECT_EQ(operation("cvt s32 $c0 $r0 s16 $r1l")(0x8000), (outcome{0xffff8000, 2}));
  EXPECT_EQ(operation("cvt abs s32 $c0 $r0 s32 $r1")(0x80000000), (outcome{0x7fffffff, 0}));
}

TEST(semantics_convert, floats_to_integral_floats) {
  for (const mode& m : modes) {
    operation op(std::string("cvt ") + m.name + "i f32 $r0 f32 $r1");
    random_words random(5);
    for (int k = 0; k < 3000; ++k) {
      const std::uint32_t x = (random.word() & 0x807fffffu) | (120 + random.below(40)) << 23;
      EXPECT_EQ(op(x).value, bits(rounded_by_host(m,
                                                  [=] {
                                                    const volatile float value = number(x);
                                                    return std::nearbyint(value);
                                                  })))
          << m.name << std::hex << x;
    }
    EXPECT_EQ(op(sign).value, sign);
    EXPECT_EQ(op(infinity).value, infinity);
    EXPECT_EQ(op(0x7f800001).value, nan);
  }
}

TEST(semantics_convert, saturation_to_zero_and_one) {
  operation op("cvt sat f32 $c0 $r0 f32 $r1");
  EXPECT_EQ(op(bits(1.5f)), (outcome{bits(1.0f), 0}));
  EXPECT_EQ(op(bits(-0.5f)), (outcome{0, 1}));
  EXPECT_EQ(op(bits(0.25f)), (outcome{bits(0.25f), 0}));
  EXPECT_EQ(op(nan), (outcome{0, 1}));
}

TEST(semantics_convert, half_precision) {
  operation widen("cvt f32 $r0 f16 $r1l");
  operation narrow("cvt rn f16 $c0 $r0l f32 $r1");
  for (std::uint32_t h = 0; h < 0x7c00; ++h) {
    const std::uint64_t single = widen(h).value;
    ASSERT_EQ(number(static_cast<std::uint32_t>(single)),
              std::ldexp(h < 0x400 ? h : (h & 0x3ffu) | 0x400u, h < 0x400 ? -24 : static_cast<int>(h >> 10) - 25));
    ASSERT_EQ(narrow(single).value, h) << "every half comes back";
  }
  EXPECT_EQ(widen(0xfc00).value, sign | infinity);
  EXPECT_EQ(widen(0x7c01).value, nan);
  EXPECT_EQ(narrow(nan), (outcome{0x7fff, 3}));
  EXPECT_EQ(narrow(bits(1e6f)).value, 0x7c00u);
  EXPECT_EQ(narrow(bits(65519.0f)).value, 0x7bffu);
  EXPECT_EQ(narrow(bits(65520.0f)).value, 0x7c00u);
  EXPECT_EQ(narrow(bits(0x1p-25f)).value, 0u) << "tie to even";
  EXPECT_EQ(narrow(bits(0x1.8p-25f)).value, 1u);
  EXPECT_EQ(operation("cvt rz f16 $r0l f32 $r1")(bits(1e6f)).value, 0x7bffu);
  EXPECT_EQ(operation("cvt rp f16 $r0l f32 $r1")(bits(0x1p-33f)).value, 1u);
  EXPECT_EQ(operation("cvt rp f16 $r0l f32 $r1")(bits(0x1p-34f)).value, 0u) << "too small for any rounding";
}

TEST(semantics_convert, doubles_and_singles) {
  operation widen("cvt f64 $c0 $r0d f32 $r2");
  EXPECT_EQ(widen(bits(-1.5f)), (outcome{bits(-1.5), 2}));
  EXPECT_EQ(widen(0x00000001).value, bits(0x1p-149)) << "denormals are not flushed";
  EXPECT_EQ(widen(0xff800001), (outcome{0xfff8000020000000u, 3})) << "NaNs keep sign and payload";
  for (const mode& m : modes) {
    operation narrow(std::string("cvt ") + m.name + " f32 $r0 f64 $r2d");
    random_words random(9);
    for (int k = 0; k < 2000; ++k) {
      const std::uint64_t x = (random.wide() & 0x800fffffffffffffu) | std::uint64_t{860 + random.below(300)} << 52;
      EXPECT_EQ(narrow(x).value, bits(rounded_by_host(m,
                                                      [=] {
                                                        double d;
                                                        std::memcpy(&d, &x, sizeof d);
                                                        const volatile double value = d;
                                                        return static_cast<float>(value);
                                                      })))
          << m.name << std::hex << x;
    }
    operation integral(std::string("cvt ") + m.name + "i f64 $r0d f64 $r2d");
    for (const double v : {0.5, 1.5, -0.5, -2.5, 4503599627370495.5, 1e300, -0.0}) {
      EXPECT_EQ(integral(bits(v)).value, bits(rounded_by_host(m, [=] {
                  const volatile double value = v;
                  return std::nearbyint(value);
                })));
    }
  }
}

TEST(semantics_convert, sixty_four_bit_integers) {
  for (const mode& m : modes) {
    operation to_double(std::string("cvt ") + m.name + " f64 $r0d s64 $r2d");
    operation to_single(std::string("cvt ") + m.name + " f32 $r0 u64 $r2d");
    random_words random(13);
    for (int k = 0; k < 2000; ++k) {
      const std::uint64_t x = random.wide() >> random.below(64) ^ (k % 2 == 0 ? 0u : ~std::uint64_t{0});
      EXPECT_EQ(to_double(x).value, bits(rounded_by_host(m, [=] {
                  const volatile auto value = static_cast<std::int64_t>(x);
                  return static_cast<double>(value);
                })));
      const std::uint64_t positive = x >> 1;  // the host has an instruction for signed numbers only
      EXPECT_EQ(to_single(positive).value, bits(rounded_by_host(m, [=] {
                  const volatile auto value = static_cast<std::int64_t>(positive);
                  return static_cast<float>(value);
                })));
    }
  }
  operation from_double("cvt rzi s64 $c0 $r0d f64 $r2d");
  EXPECT_EQ(from_double(bits(-1e15)), (outcome{static_cast<std::uint64_t>(-1000000000000000), 2}));
  EXPECT_EQ(from_double(bits(1e19)), (outcome{0x7fffffffffffffffu, 8})) << "O marks values out of range";
  EXPECT_EQ(from_double(bits(std::nan(""))), (outcome{0x8000000000000000u, 10}));
  operation to_u32("cvt rni u32 $c0 $r0 f64 $r2d");
  EXPECT_EQ(to_u32(bits(4294967294.5)), (outcome{0xfffffffe, 2}));
  EXPECT_EQ(to_u32(bits(-1.0)), (outcome{0, 9}));
  EXPECT_EQ(to_u32(bits(-0.25)), (outcome{0, 1}));
}

TEST(semantics_convert, saturation_is_ignored_with_a_64_bit_side) {
  EXPECT_EQ(operation("cvt sat rn f64 $c0 $r0d u32 $r2")(5), (outcome{bits(5.0), 0}));
  EXPECT_EQ(operation("cvt sat rn f64 $c0 $r0d s32 $r2")(0xfffffffb), (outcome{bits(-5.0), 2}));
  EXPECT_EQ(operation("cvt sat rn f32 $c0 $r0 u64 $r2d")(7), (outcome{bits(7.0f), 0}));
}

TEST(semantics_convert, integral_rounding_between_single_and_half) {
  EXPECT_EQ(operation("cvt rni f16 $c0 $r0l f32 $r1")(bits(1.5f)), (outcome{0x4000, 0}));
  EXPECT_EQ(operation("cvt rzi f16 $r0l f32 $r1")(bits(-1.5f)).value, 0xbc00u);
  EXPECT_EQ(operation("cvt rpi f16 $r0l f32 $r1")(bits(2049.0f)).value, 0x6800u) << "to 11 bits it is truncated";
  EXPECT_EQ(operation("cvt rmi f32 $c0 $r0 f16 $r1l")(0xbe00), (outcome{bits(-2.0f), 2})) << "-1.5";
}

// Whole warps of usual values take a shorter way.
TEST(semantics_convert, a_lane_does_not_depend_on_the_values_of_the_others) {
  const char* const texts[] = {
      "cvt rn f32 $c0 $r0 s32 $r1",  "cvt rz f32 $r0 u32 $r1",      "cvt rp f32 $c0 $r0 s32 $r1",
      "cvt neg rm f32 $r0 s16 $r1l", "cvt sat rn f32 $r0 u8 $r1",   "cvt abs rz f32 $c0 $r0 s32 $r1",
      "cvt rzi s32 $c0 $r0 f32 $r1", "cvt rzi u32 $c0 $r0 f32 $r1", "cvt neg rzi s32 $r0 f32 $r1"};
  const std::uint32_t values[] = {0,           1,           0x80000000,  0xffffffff, 0x00ffffff,    0x01000001,
                                  bits(0.75f), bits(-0.5f), bits(-3.9f), bits(7e8f), bits(-2.2e9f), 0x007fffff,
                                  0x4effffff,  0x4f000000,  0xcf000000,  0x7f800000, 0xffc00000,    0x41200000};
  for (const char* text : texts) {
    operation alone(text), among(text);
    for (const std::uint32_t value : values) {
      for (int lane = 0; lane < warp_size; ++lane) alone.set_source(0, lane, value);
      alone.run();
      EXPECT_EQ(alone.result(13), among(value)) << text << " of " << std::hex << value;
      for (int lane = 0; lane < warp_size; ++lane) among.set_source(0, lane, lane == 13 ? value : 0x7fc0f00d);
      among.run();
      EXPECT_EQ(alone.result(13), among.result(13)) << text << " of " << std::hex << value;
    }
  }
}

}  // namespace
}  // namespace gt200::isa::tesla
