// sm_20: floats of 32 and 64 bits against the host's correctly rounded arithmetic, in all rounding modes.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>
#include <random>

#include "testbenches/toolchain/isa/fermi/semantics_operation.h"

namespace gt200::isa::fermi {
namespace {

std::uint32_t bits(float x) {
  std::uint32_t b;
  std::memcpy(&b, &x, 4);
  return b;
}
std::uint64_t bits(double x) {
  std::uint64_t b;
  std::memcpy(&b, &x, 8);
  return b;
}
float single(std::uint32_t b) {
  float x;
  std::memcpy(&x, &b, 4);
  return x;
}
double wide(std::uint64_t b) {
  double x;
  std::memcpy(&x, &b, 8);
  return x;
}

constexpr std::uint32_t canonical_nan = 0x7fffffff;

struct mode {
  const char* name;
  int host;
};
constexpr mode modes[] = {{"rn", FE_TONEAREST}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}, {"rz", FE_TOWARDZERO}};

// Runs f with the host in this rounding mode.
template <class function>
auto rounded(int host_mode, function f) {
  std::fesetround(host_mode);
  volatile auto result = f();  // calculated before the mode changes back
  std::fesetround(FE_TONEAREST);
  const auto copy = result;
  return copy;
}

// Random patterns: all exponents, near each other, denormals, specials.
class random_floats {
 public:
  explicit random_floats(unsigned seed) : random_(seed) {}
  std::uint32_t next() {
    const auto r = static_cast<std::uint32_t>(random_());
    switch (random_() % 8) {
      case 0: return r & 0x807fffff;                 // denormals
      case 1: return (r & 0x807fffff) | 0x3f800000;  // near one
      case 2: return (r & 0x80000003) | 0x3f800000;
      case 3: return (r & 0x80ffffff) | 0x00800000;  // near the smallest
      case 4: return specials[r % std::size(specials)];
      default: return r;
    }
  }

 private:
  static constexpr std::uint32_t specials[] = {0,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
                                               0x7f7fffff, 0xff7fffff, 1,          0x80000001, 0x3f800000};
  std::mt19937_64 random_;
};

std::uint32_t expected_single(float x) { return std::isnan(x) ? canonical_nan : bits(x); }

TEST(fermi_float, sums_products_and_fused_products_are_correctly_rounded) {
  for (const mode& m : modes) {
    const std::string name = m.name;
    operation add("add " + name + " f32 $r0 $r1 $r2");
    operation mul("mul " + name + " f32 $r0 $r1 $r2");
    operation fma("fma " + name + " f32 $r0 $r1 $r2 $r3");
    random_floats random(3);
    for (int k = 0; k < 50000; ++k) {
      const std::uint32_t x = random.next();
      const std::uint32_t y = random.next();
      // Sums that nearly cancel, now and then.
      const std::uint32_t z =
          k % 4 == 0 ? bits(-single(x) * single(y)) ^ static_cast<std::uint32_t>(k % 3) : random.next();
      volatile float a = single(x);
      volatile float b = single(y);
      volatile float c = single(z);
      EXPECT_EQ(add(x, y), expected_single(rounded(m.host, [&] { return a + b; })))
          << name << std::hex << " " << x << " + " << y;
      EXPECT_EQ(mul(x, y), expected_single(rounded(m.host, [&] { return a * b; })))
          << name << std::hex << " " << x << " * " << y;
      EXPECT_EQ(fma(x, y, z), expected_single(rounded(m.host, [&] { return std::fmaf(a, b, c); })))
          << name << std::hex << " " << x << " * " << y << " + " << z;
    }
  }
}

TEST(fermi_float, denormals_are_kept_unless_ftz) {
  EXPECT_EQ(result_of("add rn f32 $r0 $r1 $r2", 1, 2), 3u);
  EXPECT_EQ(result_of("add ftz rn f32 $r0 $r1 $r2", 1, 2), 0u);
  EXPECT_EQ(result_of("mul rn f32 $r0 $r1 $r2", 0x00800000, 0x3f000000), 0x00400000u);
  EXPECT_EQ(result_of("mul ftz rn f32 $r0 $r1 $r2", 0x80800000, 0x3f000000), 0x80000000u);
  EXPECT_EQ(result_of("fma ftz rn f32 $r0 $r1 $r2 $r3", 0x3f800000, 0x00000001, 0x3f800000), 0x3f800000u);
}

TEST(fermi_float, modifiers) {
  EXPECT_EQ(result_of("mul mul4 rn f32 $r0 $r1 $r2", bits(3.0f), bits(2.0f)), bits(24.0f));
  EXPECT_EQ(result_of("mul div8 rn f32 $r0 $r1 $r2", bits(3.0f), bits(2.0f)), bits(0.75f));
  EXPECT_EQ(result_of("mul rn neg f32 $r0 $r1 $r2", bits(3.0f), bits(2.0f)), bits(-6.0f));
  EXPECT_EQ(result_of("mul fmz rn f32 $r0 $r1 $r2", 0x80000000, 0x7f800000), 0u);
  EXPECT_EQ(result_of("add sat rn f32 $r0 $r1 $r2", bits(0.75f), bits(0.5f)), bits(1.0f));
  EXPECT_EQ(result_of("add sat rn f32 $r0 $r1 $r2", 0x7fc00000, bits(0.5f)), 0u);
  EXPECT_EQ(result_of("add rn f32 $r0 neg abs $r1 abs $r2", bits(-3.0f), bits(-5.0f)), bits(2.0f));
  EXPECT_EQ(result_of("fma rn f32 $r0 neg $r1 $r2 neg $r3", bits(3.0f), bits(5.0f), bits(1.0f)), bits(-16.0f));
  EXPECT_EQ(result_of("add rn f32 $r0 $r1 0x3f800000", bits(1.0f)), bits(2.0f));
}

TEST(fermi_float, minimum_maximum_and_comparisons_with_nans) {
  EXPECT_EQ(result_of("min f32 $r0 $r1 $r2", 0x7fc00000, bits(2.0f)), bits(2.0f));
  EXPECT_EQ(result_of("max f32 $r0 $r1 $r2", bits(2.0f), 0xffc00000), bits(2.0f));
  EXPECT_EQ(result_of("min f32 $r0 $r1 $r2", 0x7fc00000, 0x7f812345), canonical_nan);
  EXPECT_EQ(result_of("min f32 $r0 $r1 $r2", 0x80000000, 0), 0x80000000u);
  const auto holds = [](const std::string& compare, std::uint32_t x, std::uint32_t y) {
    operation set("set $p0 $p7 " + compare + " f32 $r1 $r2");
    set(x, y);
    return set.predicate();
  };
  EXPECT_TRUE(holds("lt", bits(1.0f), bits(2.0f)));
  EXPECT_FALSE(holds("lt", 0x7fc00000, bits(2.0f)));
  EXPECT_TRUE(holds("ltu", 0x7fc00000, bits(2.0f)));
  EXPECT_TRUE(holds("eq", 0, 0x80000000));
  EXPECT_TRUE(holds("neu", 0x7fc00000, 0x7fc00000));
  EXPECT_FALSE(holds("num", 0x7fc00000, 0));
  EXPECT_TRUE(holds("nan", 0x7fc00000, 0));
}

TEST(fermi_float, double_precision_is_correctly_rounded) {
  std::mt19937_64 random(5);
  const auto next = [&] {
    const std::uint64_t r = random();
    return random() % 4 == 0 ? (r & 0x800fffffffffffff) | 0x3ff0000000000000 : r;
  };
  for (const mode& m : modes) {
    const std::string name = m.name;
    operation add("add " + name + " f64 $r0d $r2d $r4d");
    operation mul("mul " + name + " f64 $r0d $r2d $r4d");
    operation fma("fma " + name + " f64 $r0d $r2d $r4d $r6d");
    for (int k = 0; k < 20000; ++k) {
      const std::uint64_t x = next(), y = next(), z = next();
      volatile double a = wide(x), b = wide(y), c = wide(z);
      const auto check = [&](std::uint64_t result, double expected, const char* what) {
        if (std::isnan(expected))
          EXPECT_TRUE(std::isnan(wide(result))) << what;
        else
          EXPECT_EQ(result, bits(expected)) << name << " " << what << std::hex << " " << x << " " << y << " " << z;
      };
      check(add(x, y), rounded(m.host, [&] { return a + b; }), "add");
      check(mul(x, y), rounded(m.host, [&] { return a * b; }), "mul");
      check(fma(x, y, z), rounded(m.host, [&] { return std::fma(a, b, c); }), "fma");
    }
  }
}

TEST(fermi_float, conversions_round_as_the_mode_says) {
  std::mt19937_64 random(6);
  random_floats floats(7);
  for (const mode& m : modes) {
    const std::string name = m.name;
    operation narrow("cvt " + name + " f32 $r0 f64 $r2d");
    operation from_unsigned("cvt " + name + " f32 $r0 u32 $r1");
    operation from_long("cvt " + name + " f64 $r0d s64 $r2d");
    operation to_signed("cvt " + name + "i s32 $r0 f32 $r1");
    operation to_long("cvt " + name + "i s64 $r0d f64 $r2d");
    for (int k = 0; k < 20000; ++k) {
      const std::uint64_t r = random();
      const auto n = static_cast<std::uint32_t>(r);
      volatile double d = wide(k % 2 == 0 ? (r & 0x87ffffffffffffff) | 0x3000000000000000 : r);
      EXPECT_EQ(narrow(0, bits(d)), expected_single(rounded(m.host, [&] { return static_cast<float>(d); })));
      volatile std::uint32_t u = n;
      EXPECT_EQ(from_unsigned(0, n), bits(rounded(m.host, [&] { return static_cast<float>(u); })));
      volatile std::int64_t s = static_cast<std::int64_t>(r);
      EXPECT_EQ(from_long(0, r), bits(rounded(m.host, [&] { return static_cast<double>(s); })));
      const std::uint32_t f = floats.next();
      volatile float x = single(f);
      const float integral = rounded(m.host, [&] { return std::nearbyintf(x); });
      const std::int32_t expected = std::isnan(integral)        ? 0
                                    : integral >= 2147483648.0f ? 0x7fffffff
                                    : integral < -2147483648.0f ? INT32_MIN
                                                                : static_cast<std::int32_t>(integral);
      EXPECT_EQ(to_signed(0, f), static_cast<std::uint32_t>(expected)) << name << std::hex << " " << f;
    }
    EXPECT_EQ(to_long(0, bits(1e30)), 0x7fffffffffffffffu);
    EXPECT_EQ(to_long(0, bits(-1e30)), 0x8000000000000000u);
  }
  EXPECT_EQ(result_of("cvt rn f16 $r0 f32 $r1", 0, bits(1.5f)), 0x3e00u);
  EXPECT_EQ(result_of("cvt f32 $r0 f16 $r1 0x1", 0, 0x3e000000), bits(1.5f));
  EXPECT_EQ(result_of("cvt rni f32 $r0 f32 $r1", 0, bits(2.5f)), bits(2.0f));
}

// Bounds of the CUDA guide: 1 ulp for rcp (here of mufu: 1), 2 for rsqrt, 2 + for lg2 and ex2.
TEST(fermi_float, functions_stay_within_their_bounds) {
  operation rcp("rcp f32 $r0 $r1");
  operation rsqrt("rsqrt f32 $r0 $r1");
  operation lg2("lg2 f32 $r0 $r1");
  operation range("preex2 f32 $r0 $r1");
  operation ex2("ex2 f32 $r0 $r1");
  std::mt19937 random(8);
  for (int k = 0; k < 20000; ++k) {
    const auto x = static_cast<std::uint32_t>((random() & 0x007fffff) | (100 + random() % 60) << 23);
    const double value = single(x);
    const auto relative = [](std::uint64_t result, double exact) {
      return std::fabs(single(static_cast<std::uint32_t>(result)) - exact) / exact * 8388608;
    };
    EXPECT_LE(relative(rcp(x), 1 / value), 1.0);
    EXPECT_LE(relative(rsqrt(x), 1 / std::sqrt(value)), 2.0);
    EXPECT_NEAR(single(static_cast<std::uint32_t>(lg2(x))), std::log2(value), 1e-5);
    const double exponent = value > 64 ? 1.0 : value;
    EXPECT_LE(relative(ex2(range(0, bits(static_cast<float>(exponent)))), std::exp2(exponent)), 64.0);
  }
}

}  // namespace
}  // namespace gt200::isa::fermi
