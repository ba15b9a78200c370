// The special function unit: exact special values, error bounds on samples, and tables that equal their fit.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "testbenches/toolchain/isa/semantics_operation.h"
#include "toolchain/isa/tesla/semantics/sfu_tables/fit.h"
#include "toolchain/isa/tesla/semantics/sfu_tables/tables.h"

namespace gt200::isa::tesla {
namespace {

using namespace semantics;

double number(std::uint64_t bits) {
  const std::uint32_t word = static_cast<std::uint32_t>(bits);
  float f;
  std::memcpy(&f, &word, sizeof f);
  return static_cast<double>(f);
}

// A function with its range reduction.
class sfu {
 public:
  explicit sfu(const std::string& name)
      : reduction_(name == "ex2" ? "preex2 f32 $r1 $r1" : "presin f32 $r1 $r1"),
        unit_(name + " f32 $r0 $r1"),
        reduced_(name == "ex2" || name == "sin" || name == "cos") {}
  std::uint32_t operator()(std::uint32_t x) {
    return static_cast<std::uint32_t>(unit_(reduced_ ? reduction_(x).value : x).value);
  }

 private:
  operation reduction_, unit_;
  bool reduced_;
};

TEST(semantics_sfu, special_values) {
  struct row {
    std::uint32_t x, rcp, rsqrt, lg2, ex2, sin, cos;
  };
  constexpr std::uint32_t n = 0x7fffffff;
  const row rows[] = {
      {0x007fffff, 0x7f800000, 0x7f800000, 0xff800000, 0x3f800000, 0x00000000, 0x3f800000},
      {0x00000000, 0x7f800000, 0x7f800000, 0xff800000, 0x3f800000, 0x00000000, 0x3f800000},
      {0x80000000, 0xff800000, 0xff800000, 0xff800000, 0x3f800000, 0x80000000, 0x3f800000},
      {0x7f800000, 0x00000000, 0x00000000, 0x7f800000, 0x7f800000, n, n},
      {0xff800000, 0x80000000, n, n, 0x00000000, n, n},
      {0x7fc00000, n, n, n, n, n, n},
      {0xff800001, n, n, n, n, n, n},
      {0x7f7fffff, 0x00000000, 0x1f800000, 0x42ffffff, 0x7f800000, 0x00000000, 0x3f800000},
      {0x00800000, 0x7e800000, 0x5f000000, 0xc2fbffff, 0x3f800000, 0x00000000, 0x3f800000},
  };
  for (const row& r : rows) {
    EXPECT_EQ(sfu("rcp")(r.x), r.rcp) << std::hex << r.x;
    EXPECT_EQ(sfu("rsqrt")(r.x), r.rsqrt) << std::hex << r.x;
    EXPECT_EQ(sfu("lg2")(r.x), r.lg2) << std::hex << r.x;
    EXPECT_EQ(sfu("ex2")(r.x), r.ex2) << std::hex << r.x;
    EXPECT_EQ(sfu("sin")(r.x), r.sin) << std::hex << r.x;
    EXPECT_EQ(sfu("cos")(r.x), r.cos) << std::hex << r.x;
  }
}

TEST(semantics_sfu, exact_results_stay_exact) {
  EXPECT_EQ(sfu("lg2")(0x3f800000), 0u);
  EXPECT_EQ(sfu("lg2")(0x40000000), 0x3f800000u);
  EXPECT_EQ(sfu("rcp")(0x3f800000), 0x3f800000u);
  EXPECT_EQ(sfu("rcp")(0xc0000000), 0xbf000000u);
  EXPECT_EQ(sfu("rsqrt")(0x40800000), 0x3f000000u);
  for (int k = -126; k < 128; ++k) {
    const float x = static_cast<float>(k);
    std::uint32_t word;
    std::memcpy(&word, &x, sizeof word);
    EXPECT_EQ(sfu("ex2")(word), static_cast<std::uint32_t>(k + 127) << 23) << k;
  }
  EXPECT_EQ(sfu("ex2")(0xc3000000), 0u) << "2^-128 underflows";
  EXPECT_EQ(sfu("ex2")(0x43000000), 0x7f800000u);
  EXPECT_EQ(sfu("rsqrt")(0xbf800000), 0x7fffffffu);
  EXPECT_EQ(sfu("lg2")(0xbf800000), 0x7fffffffu);
}

// Results of the hardware, whose coefficients differ from ours: ordinary values are as close as the error bounds of
// both allow; zeros and powers of two are equal.
TEST(semantics_sfu, values_are_close_to_those_of_the_hardware) {
  struct row {
    std::uint32_t x, rcp, rsqrt, lg2, ex2, sin, cos;
  };
  const row rows[] = {
      {0x3f800000, 0x3f800000, 0x3f800000, 0x00000000, 0x40000000, 0x3f576aa3, 0x3f0a5141},
      {0x3f800001, 0x3f7ffffe, 0x3f7ffffe, 0x3495f600, 0x40000001, 0x3f576aa4, 0x3f0a513e},
      {0x40490fdb, 0x3ea2f983, 0x3f106eba, 0x3fd3643a, 0x410d331d, 0x00000000, 0xbf800000},
      {0x40000000, 0x3f000000, 0x3f3504f2, 0x3f800000, 0x40800000, 0x3f68c7b6, 0xbed51130},
      {0x3eaaaaab, 0x40400000, 0x3fddb3d7, 0xbfcae00c, 0x3fa14518, 0x3ea78608, 0x3f71e8b3},
  };
  const auto expect_beside = [](const std::string& name, std::uint32_t x, std::uint32_t hardware) {
    const std::uint32_t ours = sfu(name)(x);
    const bool exact = (hardware & 0x7fffff) == 0;
    if (exact) {
      EXPECT_EQ(ours, hardware) << name << std::hex << " " << x;
    }
    const double scale = std::max(1.0, std::fabs(number(hardware)));
    EXPECT_LE(std::fabs(number(ours) - number(hardware)), 2 * 0x1p-21 * scale) << name << std::hex << " " << x;
  };
  for (const row& r : rows) {
    expect_beside("rcp", r.x, r.rcp);
    expect_beside("rsqrt", r.x, r.rsqrt);
    expect_beside("lg2", r.x, r.lg2);
    expect_beside("ex2", r.x, r.ex2);
    expect_beside("sin", r.x, r.sin);
    expect_beside("cos", r.x, r.cos);
  }
}

TEST(semantics_sfu, operands_can_be_negated_and_made_absolute) {
  EXPECT_EQ(operation("rcp f32 $r0 neg $r1")(0x40000000).value, 0xbf000000u);
  EXPECT_EQ(operation("rsqrt f32 $r0 abs $r1")(0xc0800000).value, 0x3f000000u);
  EXPECT_EQ(operation("ex2 f32 sat $r0 $r1")(0x00800000).value, 0x3f800000u);
}

// The largest absolute error over evenly spaced inputs.
double largest_error(const std::string& name, std::uint32_t first, std::uint32_t last,
                     const std::function<double(double)>& exact) {
  operation reduction(name == "ex2" ? "preex2 f32 $r1 $r1" : "presin f32 $r1 $r1");
  operation unit(name + " f32 $r0 $r1");
  const bool reduced = name == "ex2" || name == "sin" || name == "cos";
  constexpr std::uint32_t samples = 1 << 16;
  const double step = static_cast<double>(last - first) / samples;
  double worst = 0;
  for (std::uint32_t k = 0; k < samples; k += warp_size) {
    std::uint32_t x[warp_size];
    for (int lane = 0; lane < warp_size; ++lane) {
      x[lane] = first + static_cast<std::uint32_t>(step * (k + static_cast<std::uint32_t>(lane)));
      reduction.set_source(0, lane, x[lane]);
    }
    reduction.run();
    for (int lane = 0; lane < warp_size; ++lane)
      unit.set_source(0, lane, reduced ? reduction.result(lane).value : x[lane]);
    unit.run();
    for (int lane = 0; lane < warp_size; ++lane) {
      worst = std::max(worst, std::fabs(number(unit.result(lane).value) - exact(number(x[lane]))));
    }
  }
  return worst;
}

TEST(semantics_sfu, errors_stay_below_the_published_bounds) {
  const double last_place = 0x1p-24;  // of results from one half to one
  EXPECT_LE(largest_error("rcp", 0x3f800000, 0x40000000, [](double x) { return 1 / x; }), 0.98 * last_place);
  EXPECT_LE(largest_error("rsqrt", 0x3f800000, 0x40800000, [](double x) { return 1 / std::sqrt(x); }),
            1.52 * last_place);
  const auto exp2 = [](double x) { return std::exp2(x); };
  EXPECT_LE(largest_error("ex2", 0x3f000000, 0x3f800000, exp2), 1.41 * 2 * last_place);
  EXPECT_LE(largest_error("ex2", 0x3f800000, 0x40000000, exp2), 1.3904 * 4 * last_place);
  EXPECT_LE(largest_error("ex2", 0xbf800000, 0xc0000000, exp2), 2.0551 / 2 * last_place);
  const auto log2 = [](double x) { return std::log2(x); };
  EXPECT_LE(largest_error("lg2", 0x3f800000, 0x40000000, log2), std::exp2(-22.57));
  EXPECT_LE(largest_error("lg2", 0x3f000000, 0x3f800000, log2), std::exp2(-22.148));
  EXPECT_LE(largest_error("lg2", 0x40000000, 0x40800000, log2), 1.3821 * 2 * last_place);
  const std::uint32_t pi = 0x40490fdb;
  EXPECT_LE(largest_error("sin", 0x3c000000, pi, [](double x) { return std::sin(x); }), std::exp2(-21.41));
  EXPECT_LE(largest_error("cos", 0x3c000000, pi, [](double x) { return std::cos(x); }), std::exp2(-21.19));
}

template <std::size_t n>
void expect_fit(const sfu_coefficients (&committed)[n], const sfu_fit& fit) {
  EXPECT_LE(fit.worst, 1.0);
  ASSERT_EQ(fit.table.size(), n);
  for (std::size_t k = 0; k < n; ++k) {
    EXPECT_EQ(committed[k].c0, fit.table[k].c0) << k;
    EXPECT_EQ(committed[k].c1, fit.table[k].c1) << k;
    EXPECT_EQ(committed[k].c2, fit.table[k].c2) << k;
  }
}

// The fit evaluates every argument, so these tests also prove the bounds named in fit.cpp exhaustively.
TEST(semantics_sfu_tables, rcp_equals_its_fit) { expect_fit(rcp_table, fit_rcp()); }
TEST(semantics_sfu_tables, rsqrt_equals_its_fit) { expect_fit(rsqrt_table, fit_rsqrt()); }
TEST(semantics_sfu_tables, sin_equals_its_fit) { expect_fit(sin_table, fit_sin()); }
TEST(semantics_sfu_tables, ex2_equals_its_fit) { expect_fit(ex2_table, fit_ex2()); }
TEST(semantics_sfu_tables, lg2_equals_its_fit) { expect_fit(lg2_table, fit_lg2()); }

}  // namespace
}  // namespace gt200::isa::tesla
