// What operations of sm_70 compute, against plain C++ on random operands and on the ends of the ranges.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "toolchain/isa/volta/codec.h"
#include "toolchain/isa/volta/semantics/semantics.h"

namespace gt200::isa::volta {
namespace {

using words = std::array<std::uint32_t, 6>;  // two for each source

template <class to, class from>
to bits_as(from value) {
  to result;
  static_assert(sizeof(to) == sizeof(from));
  std::memcpy(&result, &value, sizeof result);
  return result;
}
float f(std::uint32_t x) { return bits_as<float>(x); }
std::uint64_t pair(std::uint32_t low, std::uint32_t high) { return std::uint64_t{high} << 32 | low; }
double d(std::uint32_t low, std::uint32_t high) { return bits_as<double>(pair(low, high)); }

struct results {
  std::uint64_t value;
  bool p0, p1;
};

class operation {
 public:
  explicit operation(const std::string& text) {
    std::string label;
    decode_error error;
    const auto parsed = parse(text, 0, label, error);
    EXPECT_TRUE(parsed) << text << ": " << error.reason;
    if (parsed) i_ = *parsed;
  }
  results operator()(const words& w, std::array<bool, 3> predicates = {true, true, true}) {
    for (unsigned slot = 0; slot < 3; ++slot)
      for (unsigned k = 0; k < 2; ++k)
        for (std::uint32_t& lane : b_.source[slot][k].lane) lane = w[2 * slot + k];
    for (unsigned k = 0; k < 3; ++k) std::memset(b_.predicate_in[k], predicates[k] ? 1 : 0, warp_size);
    i_.execute(i_, b_, ~lane_mask{0});
    return {pair(b_.destination[0].lane[5], b_.destination[1].lane[5]), b_.predicate_out[0][5] != 0,
            b_.predicate_out[1][5] != 0};
  }

 private:
  instruction i_;
  lane_bundle b_{};
};

// Random words among which the ends of ranges are frequent.
class operands {
 public:
  std::uint32_t word() {
    static constexpr std::uint32_t special[] = {
        0,          1,          2,          31,         32,         33,         0x7fffffff, 0x80000000,
        0xffffffff, 0x3f800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00000001, 0x80000001, 0x7f7fffff};
    return random_() % 4 == 0 ? special[random_() % 16] : static_cast<std::uint32_t>(random_());
  }
  words all() {
    words w;
    for (std::uint32_t& x : w) x = word();
    return w;
  }

 private:
  std::mt19937_64 random_{70};
};

void expect_words(const std::string& text, const std::function<std::uint32_t(const words&)>& expected) {
  operation op(text);
  operands from;
  for (int k = 0; k < 20000; ++k) {
    const words w = from.all();
    ASSERT_EQ(static_cast<std::uint32_t>(op(w).value), expected(w))
        << text << " " << std::hex << w[0] << " " << w[2] << " " << w[4];
  }
}

TEST(volta_semantics, integers) {
  expect_words("IADD3 R0, R2, -R4, R6", [](const words& w) { return w[0] - w[2] + w[4]; });
  expect_words("IMAD R0, R2, R4, -R6", [](const words& w) { return w[0] * w[2] - w[4]; });
  expect_words("IABS R0, R4",
               [](const words& w) { return static_cast<std::int32_t>(w[2]) < 0 ? 0u - w[2] : w[2]; });
  expect_words("LEA R0, R2, R4, 0x5", [](const words& w) { return (w[0] << 5) + w[2]; });
  expect_words("LEA.HI R0, R2, R4, R6, 0x1b",
               [](const words& w) { return static_cast<std::uint32_t>(pair(w[0], w[4]) << 27 >> 32) + w[2]; });
  expect_words("LEA.HI.SX32 R0, R2, R4, 0x1b", [](const words& w) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(w[0]) >> 5) + w[2];
  });
  expect_words("LOP3.LUT R0, R2, R4, R6, 0x96, !PT", [](const words& w) { return w[0] ^ w[2] ^ w[4]; });
  expect_words("LOP3.LUT R0, R2, R4, R6, 0xca, !PT", [](const words& w) { return (w[0] & w[2]) | (~w[0] & w[4]); });
  expect_words("POPC R0, ~R4",
               [](const words& w) { return 32u - static_cast<std::uint32_t>(__builtin_popcount(w[2])); });
  expect_words("BMSK R0, R2, R4", [](const words& w) {
    std::uint32_t r = 0;
    for (std::uint64_t k = 0; k < 32; ++k)
      if (k >= w[0] && k < std::uint64_t{w[0]} + w[2]) r |= 1u << k;
    return r;
  });
  expect_words("SGXT R0, R2, R4", [](const words& w) {
    if (w[2] == 0) return 0u;
    if (w[2] >= 32) return w[0];
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(w[0] << (32 - w[2])) >> (32 - w[2]));
  });
  expect_words("PRMT R0, R2, R4, R6", [](const words& w) {
    std::uint32_t r = 0;
    for (unsigned k = 0; k < 4; ++k) {
      const std::uint32_t nibble = w[2] >> 4 * k & 15;
      const std::uint32_t from = (nibble & 4) != 0 ? w[4] : w[0];
      const std::uint32_t byte = from >> 8 * (nibble & 3) & 255;
      r |= ((nibble & 8) == 0 ? byte : byte > 127 ? 255u : 0u) << 8 * k;
    }
    return r;
  });
  expect_words("IDP.4A.S8.U8 R0, R2, R4, R6", [](const words& w) {
    std::uint32_t sum = w[4];
    for (int k = 0; k < 4; ++k)
      sum += static_cast<std::uint32_t>(static_cast<std::int8_t>(w[0] >> 8 * k) *
                                        static_cast<int>(w[2] >> 8 * k & 255));
    return sum;
  });
  expect_words("FLO.U32 R0, R4", [](const words& w) {
    return w[2] == 0 ? ~0u : 31u - static_cast<std::uint32_t>(__builtin_clz(w[2]));
  });
}

TEST(volta_semantics, shifts) {
  const auto count = [](std::uint32_t n) { return std::min(n, 32u); };
  expect_words("SHF.L.U32 R0, R2, R4, RZ", [&](const words& w) { return count(w[2]) == 32 ? 0 : w[0] << w[2]; });
  expect_words("SHF.R.U32.HI R0, RZ, R4, R6", [&](const words& w) { return count(w[2]) == 32 ? 0 : w[4] >> w[2]; });
  expect_words("SHF.R.S32.HI R0, RZ, R4, R6", [&](const words& w) {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(w[4]) >> std::min(w[2], 31u));
  });
  expect_words("SHF.L.W.U32.HI R0, R2, R4, R2", [](const words& w) {
    return w[4] << (w[2] & 31) | static_cast<std::uint32_t>(std::uint64_t{w[0]} >> (32 - (w[2] & 31)));
  });
  expect_words("SHF.R.U64 R0, R2, R4, R6",
               [](const words& w) { return w[2] > 63 ? 0 : static_cast<std::uint32_t>(pair(w[0], w[4]) >> w[2]); });
  expect_words("SHF.L.U64.HI R0, R2, R4, R6", [](const words& w) {
    return w[2] > 63 ? 0 : static_cast<std::uint32_t>(pair(w[0], w[4]) << w[2] >> 32);
  });
}

TEST(volta_semantics, carries_and_wide_products) {
  operation add("IADD3 R0, P0, P1, R2, R4, R6");
  operation subtract("IADD3 R0, P0, R2, -R4, RZ");
  operation extended("IADD3.X R0, P0, R2, ~R4, RZ, P2, P3");
  operation wide("IMAD.WIDE R0, R2, R4, R6");
  operation unsigned_wide("IMAD.WIDE.U32 R0, P0, R2, R4, R6");
  operands from;
  for (int k = 0; k < 20000; ++k) {
    words w = from.all();
    const std::uint64_t sum = std::uint64_t{w[0]} + w[2] + w[4];
    EXPECT_EQ(add(w).p0, sum >> 32 >= 1);
    EXPECT_EQ(add(w).p1, sum >> 32 >= 2);
    const std::uint64_t signed_sum = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(w[0])} *
                                                                static_cast<std::int32_t>(w[2])) +
                                     pair(w[4], w[5]);
    EXPECT_EQ(wide(w).value, signed_sum);
    const std::uint64_t product = std::uint64_t{w[0]} * w[2];
    EXPECT_EQ(unsigned_wide(w).value, product + pair(w[4], w[5]));
    EXPECT_EQ(unsigned_wide(w).p0, product + pair(w[4], w[5]) < product);
    w[4] = 0;
    EXPECT_EQ(subtract(w).p0, w[0] >= w[2]);
    const std::uint64_t x = std::uint64_t{w[0]} + static_cast<std::uint32_t>(~w[2]) + 1;
    EXPECT_EQ(static_cast<std::uint32_t>(extended(w, {true, false, true}).value), static_cast<std::uint32_t>(x));
    EXPECT_EQ(extended(w, {true, false, true}).p0, x >> 32 != 0);
  }
}

TEST(volta_semantics, comparisons_of_one_and_two_words) {
  operation less("ISETP.LT.AND P0, P1, R2, R4, P2");
  operation upper("ISETP.GT.AND.EX P0, PT, R2, R4, PT, P3");
  operation lower("ISETP.GT.U32.AND P0, PT, R2, R4, PT");
  operands from;
  for (int k = 0; k < 20000; ++k) {
    words w = from.all();
    if (k % 3 == 0) w[2] = w[0];
    const bool truth = static_cast<std::int32_t>(w[0]) < static_cast<std::int32_t>(w[2]);
    EXPECT_EQ(less(w).p0, truth);
    EXPECT_EQ(less(w).p1, !truth);
    EXPECT_FALSE(less(w, {false, true, true}).p0);
    const bool low = lower({w[1], 0, w[3], 0, 0, 0}).p0;
    EXPECT_EQ(upper(w, {true, low, true}).p0,
              static_cast<std::int64_t>(pair(w[1], w[0])) > static_cast<std::int64_t>(pair(w[3], w[2])));
  }
}

// NaN results have one pattern.
std::uint32_t single(float x) { return std::isnan(x) ? 0x7fffffffu : bits_as<std::uint32_t>(x); }

TEST(volta_semantics, single_precision) {
  expect_words("FADD R0, R2, -R4", [](const words& w) { return single(f(w[0]) - f(w[2])); });
  expect_words("FMUL R0, R2, |R4|", [](const words& w) { return single(f(w[0]) * std::fabs(f(w[2]))); });
  expect_words("FFMA R0, -R2, R4, R6", [](const words& w) { return single(std::fma(-f(w[0]), f(w[2]), f(w[4]))); });
  expect_words("FSEL R0, R2, -R4, PT", [](const words& w) { return w[0]; });
  expect_words("FADD.FTZ R0, R2, R4", [](const words& w) {
    const auto flushed = [](std::uint32_t x) { return (x & 0x7f800000) == 0 ? x & 0x80000000 : x; };
    return flushed(single(f(flushed(w[0])) + f(flushed(w[2]))));
  });
  operation compare("FSETP.GTU.AND P0, P1, R2, R4, PT");
  operands from;
  for (int k = 0; k < 20000; ++k) {
    const words w = from.all();
    EXPECT_EQ(compare(w).p0, !(f(w[0]) <= f(w[2])));
  }
}

TEST(volta_semantics, double_precision) {
  operation add("DADD R0, R2, R6");
  operation multiply("DMUL R0, R2, R4");
  operation fused("DFMA R0, R2, R4, -R6");
  operation compare("DSETP.LE.AND P0, PT, R2, R4, PT");
  operands from;
  for (int k = 0; k < 20000; ++k) {
    const words w = from.all();
    const double x = d(w[0], w[1]);
    const double y = d(w[2], w[3]);
    const double z = d(w[4], w[5]);
    const auto same = [](std::uint64_t bits, double value) {
      return std::isnan(value) ? std::isnan(bits_as<double>(bits)) : bits == bits_as<std::uint64_t>(value);
    };
    EXPECT_TRUE(same(add(w).value, x + y));
    EXPECT_TRUE(same(multiply(w).value, x * y));
    EXPECT_TRUE(same(fused(w).value, std::fma(x, y, -z)));
    EXPECT_EQ(compare(w).p0, x <= y);
  }
}

TEST(volta_semantics, conversions) {
  expect_words("I2F R0, R4",
               [](const words& w) { return single(static_cast<float>(static_cast<std::int32_t>(w[2]))); });
  expect_words("I2F.U8 R0, R4.B2", [](const words& w) { return single(static_cast<float>(w[2] >> 16 & 255)); });
  expect_words("F2I.TRUNC.NTZ R0, R4", [](const words& w) {
    const float x = f(w[2]);
    if (std::isnan(x)) return 0u;
    if (x >= 2147483648.0f) return 0x7fffffffu;
    if (x < -2147483648.0f) return 0x80000000u;
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(x));
  });
  expect_words("FRND.FLOOR R0, R4", [](const words& w) { return single(std::floor(f(w[2]))); });
  operation widen("F2F.F64.F32 R0, R4");
  operation narrow("F2F.F32.F64 R0, R4");
  operation from_long("I2F.F64.S64 R0, R4");
  operation to_long("F2I.S64.F64.TRUNC R0, R4");
  operands from;
  for (int k = 0; k < 20000; ++k) {
    const words w = from.all();
    if (!std::isnan(f(w[2]))) {
      EXPECT_EQ(bits_as<double>(widen(w).value), static_cast<double>(f(w[2])));
    }
    const double x = d(w[2], w[3]);
    EXPECT_EQ(static_cast<std::uint32_t>(narrow(w).value), single(static_cast<float>(x)));
    EXPECT_EQ(bits_as<double>(from_long(w).value),
              static_cast<double>(static_cast<std::int64_t>(pair(w[2], w[3]))));
    if (std::fabs(x) < 9e18) {
      EXPECT_EQ(to_long(w).value, static_cast<std::uint64_t>(static_cast<std::int64_t>(x)));
    }
  }
}

TEST(volta_semantics, functions_are_near_their_values) {
  const auto near = [&](const char* text, double (*value)(double), double low, double high, double error) {
    operation op(text);
    std::mt19937_64 random(7);
    std::uniform_real_distribution<float> numbers(static_cast<float>(low), static_cast<float>(high));
    for (int k = 0; k < 5000; ++k) {
      const float x = numbers(random);
      const double r =
          static_cast<double>(f(static_cast<std::uint32_t>(op({0, 0, bits_as<std::uint32_t>(x), 0, 0, 0}).value)));
      ASSERT_NEAR(r, value(static_cast<double>(x)), error) << text << " " << x;
    }
  };
  constexpr double turn = 6.283185307179586;
  near(
      "MUFU.RCP R0, R4", [](double x) { return 1 / x; }, 0.5, 2, 4e-7);
  near(
      "MUFU.RSQ R0, R4", [](double x) { return 1 / std::sqrt(x); }, 0.5, 4, 4e-7);
  near(
      "MUFU.SQRT R0, R4", [](double x) { return std::sqrt(x); }, 0, 4, 2e-7);
  near(
      "MUFU.LG2 R0, R4", [](double x) { return std::log2(x); }, 0.1, 8, 1e-6);
  near(
      "MUFU.EX2 R0, R4", [](double x) { return std::exp2(x); }, -3, 1, 1e-6);
  near(
      "MUFU.SIN R0, R4", [](double x) { return std::sin(turn * x); }, -2, 2, 1e-6);
  near(
      "MUFU.COS R0, R4", [](double x) { return std::cos(turn * x); }, -2, 2, 1e-6);
}

TEST(volta_semantics, predicates) {
  operation either("PLOP3.LUT P0, P1, P2, P3, PT, 0xa8, 0x80");
  for (unsigned k = 0; k < 4; ++k) {
    const bool x = (k & 1) != 0;
    const bool y = (k & 2) != 0;
    EXPECT_EQ(either({}, {x, y, true}).p0, x || y);
    EXPECT_EQ(either({}, {x, y, true}).p1, x && y);
  }
  operation test("LOP3.LUT P0, RZ, R2, R4, RZ, 0xc0, !PT");
  EXPECT_TRUE(test({6, 0, 2, 0, 0, 0}, {false, true, true}).p0);
  EXPECT_FALSE(test({4, 0, 2, 0, 0, 0}, {false, true, true}).p0);
}

}  // namespace
}  // namespace gt200::isa::volta
