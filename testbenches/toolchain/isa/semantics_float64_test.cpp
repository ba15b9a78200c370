// Double precision against the host in all four roundings, and the rules for NaNs.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

#include "testbenches/toolchain/isa/semantics_operation.h"

namespace gt200::isa::tesla {
namespace {

constexpr std::uint64_t infinity = 0x7ff0000000000000u, sign = 0x8000000000000000u, invalid = 0xfff8000000000000u;

double number(std::uint64_t word) {
  double d;
  std::memcpy(&d, &word, sizeof d);
  return d;
}
std::uint64_t bits(double d) {
  std::uint64_t word;
  std::memcpy(&word, &d, sizeof word);
  return word;
}

// Exponents that overflow, underflow, cancel and align; zeros and denormals.
std::uint64_t operand_value(random_words& random, unsigned kind) {
  const std::uint64_t word = random.wide();
  const std::uint64_t fraction = word & 0x800fffffffffffffu;
  switch (kind % 6) {
    case 0: return fraction | std::uint64_t{1000 + random.below(60)} << 52;
    case 1: return fraction | std::uint64_t{random.below(2047)} << 52;
    case 2: return fraction | std::uint64_t{1022 + random.below(3)} << 52;
    case 3: return fraction | std::uint64_t{490 + random.below(30)} << 52;
    case 4: return (word & sign) | (word & 0xfffffffffffffu) >> random.below(53);
    default: return (word & sign) | std::uint64_t{1023 - random.below(60)} << 52;
  }
}

struct mode {
  const char* name;
  int host;
};
constexpr mode modes[] = {{"rn", FE_TONEAREST}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}, {"rz", FE_TOWARDZERO}};

template <class host>
void expect_host_result(const std::string& before, const std::string& after, host compute) {
  for (const mode& m : modes) {
    operation op(before + m.name + after);
    random_words random(17);
    for (unsigned round = 0; round < 220; ++round) {
      for (int lane = 0; lane < warp_size; ++lane) {
        op.set_source(0, lane, operand_value(random, round));
        op.set_source(1, lane, operand_value(random, round / 6));
        op.set_source(2, lane, operand_value(random, round / 36));
      }
      op.run();
      for (int lane = 0; lane < warp_size; ++lane) {
        double v[3];
        for (std::size_t k = 0; k < 3; ++k) {
          v[k] = number(op.bundle.source[k][0].lane[lane] | std::uint64_t{op.bundle.source[k][1].lane[lane]} << 32);
        }
        std::fesetround(m.host);
        const volatile double computed = compute(v[0], v[1], v[2]);
        std::fesetround(FE_TONEAREST);
        const double expected = computed;
        const unsigned flags = expected == 0 ? 1 : (expected < 0 ? 2 : 0);
        ASSERT_EQ(op.result(lane), (outcome{bits(expected), flags}))
            << op.text() << v[0] << " " << v[1] << " " << v[2];
      }
    }
  }
}

double add(volatile double x, volatile double y, double) { return x + y; }
double multiply(volatile double x, volatile double y, double) { return x * y; }
double fused(volatile double x, volatile double y, volatile double z) { return std::fma(x, y, z); }

TEST(semantics_float64, sums_products_and_fused_sums_follow_ieee_754) {
  expect_host_result("add ", " f64 $c0 $r0d $r2d $r4d", add);
  expect_host_result("mul ", " f64 $c0 $r0d $r2d $r4d", multiply);
  expect_host_result("fma ", " f64 $c0 $r0d $r2d $r4d $r6d", fused);
}

TEST(semantics_float64, nan_operands_come_out_quiet_in_a_fixed_order) {
  const std::uint64_t a = 0x7ff0000000000001u, b = 0xfff0000000000002u, c = 0x7ff0000000000003u;
  const std::uint64_t quiet = 0x0008000000000000u;
  operation sum("add rn f64 $c0 $r0d $r2d $r4d");
  EXPECT_EQ(sum(a, b), (outcome{b | quiet, 3}));
  EXPECT_EQ(sum(a, 0), (outcome{a | quiet, 3}));
  operation fma("fma rn f64 $r0d $r2d $r4d $r6d");
  EXPECT_EQ(fma(a, b, c).value, b | quiet);
  EXPECT_EQ(fma(a, 0, c).value, c | quiet);
  EXPECT_EQ(fma(a, 0, 0).value, a | quiet);
  EXPECT_EQ(operation("add rn f64 $r0d neg $r2d $r4d")(a, 0).value, a | quiet) << "NaNs are not negated";
}

TEST(semantics_float64, invalid_operations_give_the_negative_quiet_nan) {
  for (const mode& m : modes) {
    const std::string name = m.name;
    EXPECT_EQ(operation("add " + name + " f64 $r0d $r2d $r4d")(infinity, sign | infinity).value, invalid);
    EXPECT_EQ(operation("mul " + name + " f64 $r0d $r2d $r4d")(infinity, 0).value, invalid);
    EXPECT_EQ(operation("fma " + name + " f64 $r0d $r2d $r4d $r6d")(infinity, bits(1), sign | infinity).value,
              invalid);
  }
}

TEST(semantics_float64, negation_of_product_and_addend) {
  EXPECT_EQ(operation("fma rn f64 $r0d neg $r2d $r4d $r6d")(bits(2), bits(3), bits(10)).value, bits(4));
  EXPECT_EQ(operation("fma rn f64 $r0d $r2d $r4d neg $r6d")(bits(2), bits(3), bits(10)).value, bits(-4));
  EXPECT_EQ(operation("mul rn f64 $r0d neg $r2d $r4d")(bits(2), bits(3)).value, bits(-6));
}

TEST(semantics_float64, minimum_maximum_and_comparison) {
  const std::uint64_t nan = 0x7ff0000000000001u;
  operation min("min f64 $c0 $r0d $r2d $r4d");
  operation max("max f64 $c0 $r0d $r2d $r4d");
  EXPECT_EQ(min(bits(-1), bits(2)), (outcome{bits(-1), 2}));
  EXPECT_EQ(max(bits(-1), bits(2)), (outcome{bits(2), 0}));
  EXPECT_EQ(max(0, sign), (outcome{0, 1}));
  EXPECT_EQ(min(nan, bits(2)).value, bits(2));
  EXPECT_EQ(min(bits(2), nan).value, bits(2));
  EXPECT_EQ(min(1, nan).value, 1u) << "denormals are numbers";
  EXPECT_EQ(operation("max f64 $r0d abs $r2d $r4d")(bits(-3), bits(2)).value, bits(3));
  operation less("set $c0 $r0 l f64 $r2d $r4d");
  EXPECT_EQ(less(bits(1), bits(2)), (outcome{0xffffffff, 2}));
  EXPECT_EQ(less(sign, 0), (outcome{0, 1}));
  EXPECT_EQ(less(sign | 1, 0).value, 0xffffffffu);
  EXPECT_EQ(less(nan, 0).value, 0u);
  EXPECT_EQ(operation("set $r0 u f64 $r2d $r4d")(nan, 0).value, 0xffffffffu);
}

}  // namespace
}  // namespace gt200::isa::tesla
