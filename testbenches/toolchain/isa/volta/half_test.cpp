// Half pairs: their words and text, and what they compute, against a rounding of exact results written down here.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>
#include <random>
#include <string>

#include "testbenches/toolchain/isa/volta/exact_half.h"
#include "toolchain/isa/volta/codec.h"
#include "toolchain/isa/volta/latency.h"
#include "toolchain/isa/volta/semantics/semantics.h"

namespace gt200::isa::volta {
namespace {

constexpr uint128 no_codes = uint128{0x7f0} << 105;  // stall 0, no barriers

std::optional<instruction> parsed(const std::string& line, std::string* reason = nullptr) {
  std::string label;
  decode_error error;
  auto i = parse("[B------:R-:W-:-:S00] " + line, 0, label, error);
  if (reason != nullptr) *reason = error.reason;
  return i;
}

// From the samples of CuAssembler.
TEST(volta_half, words_and_text_are_those_of_compiled_code) {
  struct example {
    std::uint64_t high, low;
    const char* text;
  };
  constexpr example examples[] = {
      {0x0000000000004800, 0xa00000ff100b7230, "HADD2.F32 R11, R16.H0_H0, -RZ.H0_H0"},
      {0x0000000000000000, 0x0000001d201d7230, "HADD2 R29, R32, R29"},
      {0x1000000000000c00, 0x2000001c171a1230, "@P1 HADD2 R26, R23.H1_H1, R28.reuse.H0_H0"},
      {0x0000000000000400, 0xa00000ff02027230, "HADD2 R2, R2.F32, -RZ.H0_H0"},
      {0x0000000000000a00, 0xa00000ff0e0e7230, "HADD2 R14, |R14|.H0_H0, -RZ.H0_H0"},
      {0x0400000000010800, 0x2000000000057230, "HADD2.FTZ R5, R0.reuse.H0_H0, R0.H0_H0"},
      {0x0000000000000900, 0x10800000ff087630, "HADD2 R8, -RZ.H0_H0, c[0x2][0x0].F32"},
      {0x0000000000000900, 0x60005b00ff007630, "HADD2 R0, -RZ.H0_H0, |c[0x0][0x16c].H0_H0|"},
      {0x0000000000000900, 0x3c003c00ff174430, "@P4 HADD2 R23, -RZ.H0_H0, 1, 1"},
      {0x0c00000000000c00, 0x2000000506129232, "@!P1 HMUL2 R18, R6.reuse.H1_H1, R5.reuse.H0_H0"},
      {0x0000000000000000, 0x30005a0018197a32, "HMUL2 R25, R24, c[0x0][0x168].H1_H1"},
      {0x0000000000000000, 0x3a003a0002027832, "HMUL2 R2, R2, 0.75, 0.75"},
      {0x1c00000000040805, 0x3000001508097231, "HFMA2 R9, R8.reuse.H0_H0, R21.reuse.H1_H1, R5.reuse.H0_H0"},
      {0x0000000000160805, 0x2000001508057231, "HFMA2 R5, R8.H0_H0, R21.H0_H0, -R5.H1_H1"},
      {0x0000000000090809, 0x20000000000b7231, "HFMA2.FTZ R11, R0.H0_H0, R0.H0_H0, |R9|"},
      {0x0000000000044804, 0x200000050d077231, "HFMA2.F32 R7, R13.H0_H0, R5.H0_H0, R4.H0_H0"},
      {0x0000000000140806, 0x20005a0008038a31, "@!P0 HFMA2 R3, R8.H0_H0, c[0x0][0x168].H0_H0, -R6.H0_H0"},
      {0x0000000000000011, 0xbc003c0018188831, "@!P0 HFMA2 R24, R24, -1, 1, R17"},
      {0x0000000000050800, 0x70005a0000067631, "HFMA2.FTZ R6, R0.H0_H0, R0.H0_H0, |c[0x0][0x168].H1_H1|"},
      {0x0000000003802080, 0x200000ff06067233, "HSET2.BF.EQ.AND R6, R6, RZ.H0_H0, PT"},
      {0x000000000380e000, 0x0000007e6c003233, "@P3 HSET2.GEU.AND R0, R108, R126, PT"},
      {0x0000000003e2e000, 0x2000a60004007634, "HSETP2.GEU.AND P1, P6, R4, c[0x0][0x298].H0_H0, PT"},
      {0x000000000470d820, 0x200000ff04007234, "HSETP2.NEU.OR P0, PT, R4.H0_H0, RZ.H0_H0, !P0"},
      {0x0000000003f04800, 0x3fff3fff08007434, "HSETP2.GT.AND P0, PT, R8.H0_H0, 1.9990234, 1.9990234, PT"},
  };
  for (const example& e : examples) {
    const uint128 words = (uint128{e.high} << 64 | e.low) | no_codes;
    decode_error error;
    const auto i = decode(words, error);
    ASSERT_TRUE(i) << e.text << ": " << error.reason;
    EXPECT_EQ(disassemble(*i), e.text);
    std::string reason;
    const auto again = parsed(e.text, &reason);
    ASSERT_TRUE(again) << e.text << ": " << reason;
    EXPECT_EQ(words_of(again->words), words) << e.text;
  }
}

TEST(volta_half, a_constant_or_a_number_may_be_the_third_source) {
  for (const char* line : {"HFMA2 R0, R2.H1_H1, -|R4|.H0_H0, c[0x3][0x8]", "HFMA2 R0, R2, R4.H1_H1, 1, -0.5"}) {
    const auto i = parsed(line);
    ASSERT_TRUE(i) << line;
    EXPECT_EQ(disassemble(*i), line);
  }
}

TEST(volta_half, numbers_are_pairs_of_halves) {
  EXPECT_EQ(parsed("HMUL2 R2, R2, 1, -2")->source[1].value, static_cast<std::int32_t>(0x3c00c000));
  EXPECT_EQ(parsed("HMUL2 R2, R2, 0x7fff, +INF")->source[1].value, 0x7fff7c00);
  EXPECT_EQ(parsed("HMUL2 R2, R2, 65519, 1")->source[1].value, 0x7bff3c00) << "rounded";
  std::string reason;
  EXPECT_FALSE(parsed("HMUL2 R2, R2, 65520, 1", &reason)) << "would be infinite";
  EXPECT_NE(reason.find("at most 65504"), std::string::npos) << reason;
  EXPECT_FALSE(parsed("HMUL2 R2, R2, 1", &reason));
  EXPECT_NE(reason.find("two numbers"), std::string::npos) << reason;
  EXPECT_FALSE(parsed("HMUL2 R2, R2, 0x10000, 1", &reason));
  EXPECT_NE(reason.find("two numbers"), std::string::npos) << reason;
}

TEST(volta_half, wrong_parts_are_refused) {
  std::string reason;
  EXPECT_FALSE(parsed("HADD2 R0, R2.B1, R4", &reason));
  EXPECT_NE(reason.find(".H0_H0, .H1_H1 or .F32"), std::string::npos) << reason;
  EXPECT_FALSE(parsed("HADD2 R0, ~R2, R4", &reason));
  EXPECT_NE(reason.find("~ is not possible"), std::string::npos) << reason;
  EXPECT_FALSE(parsed("F2F.F32.F16 R0, R2.H0_H0", &reason));
}

TEST(volta_half, latencies_are_those_of_the_pipe_of_halves) {
  const instruction add = *parsed("HADD2 R0, R2, R4");
  EXPECT_EQ(result_class_of(add, 0), result_class::fp16);
  EXPECT_EQ(reader_class_of(add, 0, 0), reader_class::fp16);
  EXPECT_FALSE(has_variable_latency(add));
  EXPECT_EQ(register_latency(result_class::fp16, reader_class::fp16), 6u);
  EXPECT_EQ(register_latency(result_class::fp16, reader_class::alu), 8u);
  EXPECT_EQ(register_latency(result_class::alu, reader_class::fp16), 6u);
  EXPECT_EQ(predicate_latency(result_class::fp16, reader_class::alu, false), 8u);
  EXPECT_EQ(predicate_latency(result_class::fp16, reader_class::alu, true), 14u);
}

// -- what they compute --

using three = std::array<std::uint32_t, 3>;

struct results {
  std::uint32_t value;
  bool low, high;
};

class operation {
 public:
  explicit operation(const std::string& text) {
    std::string reason;
    const auto i = parsed(text, &reason);
    EXPECT_TRUE(i) << text << ": " << reason;
    if (i) i_ = *i;
  }
  results operator()(const three& words, bool other = true) {
    for (unsigned slot = 0; slot < 3; ++slot)
      for (std::uint32_t& lane : b_.source[slot][0].lane) lane = words[slot];
    std::memset(b_.predicate_in[0], other ? 1 : 0, warp_size);
    i_.execute(i_, b_, ~lane_mask{0});
    return {b_.destination[0].lane[7], b_.predicate_out[0][7] != 0, b_.predicate_out[1][7] != 0};
  }

 private:
  instruction i_;
  lane_bundle b_{};
};

class operands {
 public:
  std::uint32_t half() {
    static constexpr std::uint32_t special[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x7c01,
                                                0x0001, 0x03ff, 0x0400, 0x7bff, 0xfbff, 0x3bff, 0x1000, 0x8001};
    return random_() % 4 == 0 ? special[random_() % 16] : static_cast<std::uint32_t>(random_() & 0xffff);
  }
  three pairs() { return {half() | half() << 16, half() | half() << 16, half() | half() << 16}; }

 private:
  std::mt19937_64 random_{16};
};

constexpr std::uint32_t low(std::uint32_t x) { return x & 0xffff; }
constexpr std::uint32_t high(std::uint32_t x) { return x >> 16; }

// `expected` gives one half of the result from halves.
void expect_halves(const std::string& text,
                   const std::function<std::uint32_t(std::uint32_t, std::uint32_t, std::uint32_t)>& expected) {
  operation op(text);
  operands from;
  for (int k = 0; k < 20000; ++k) {
    const three w = from.pairs();
    const std::uint32_t r = op(w).value;
    ASSERT_EQ(low(r), expected(low(w[0]), low(w[1]), low(w[2]))) << text << std::hex << " " << w[0] << " " << w[1];
    ASSERT_EQ(high(r), expected(high(w[0]), high(w[1]), high(w[2]))) << text << std::hex << " " << w[0];
  }
}

TEST(volta_half, each_half_is_computed_exactly_and_rounded_once) {
  expect_halves("HADD2 R0, R2, R4",
                [](auto a, auto b, auto) { return rounded_half(value_of_half(a) + value_of_half(b)); });
  expect_halves("HADD2 R0, -R2, |R4|",
                [](auto a, auto b, auto) { return rounded_half(-value_of_half(a) + std::fabs(value_of_half(b))); });
  expect_halves("HMUL2 R0, R2, -R4",
                [](auto a, auto b, auto) { return rounded_half(value_of_half(a) * -value_of_half(b)); });
  expect_halves("HFMA2 R0, R2, R4, R6", [](auto a, auto b, auto c) {
    return rounded_half(value_of_half(a) * value_of_half(b) + value_of_half(c));
  });
}

TEST(volta_half, ftz_makes_denormals_zero_on_both_sides) {
  expect_halves("HMUL2.FTZ R0, R2, R4", [](auto a, auto b, auto) {
    return flushed_half(rounded_half(value_of_half(flushed_half(a)) * value_of_half(flushed_half(b))));
  });
}

TEST(volta_half, saturated_results_lie_between_zero_and_one) {
  expect_halves("HADD2.SAT R0, R2, R4", [](auto a, auto b, auto) -> std::uint32_t {
    const exact v = value_of_half(a) + value_of_half(b);
    if (std::isnan(v) || std::signbit(v)) return 0;
    return v > 1 ? 0x3c00 : rounded_half(v);
  });
}

TEST(volta_half, a_source_gives_both_results_the_half_that_it_names) {
  const three w = {0x40003c00, 0x44004200, 0x48004600};                                   // {2, 1}, {4, 3}, {8, 6}
  EXPECT_EQ(operation("HADD2 R0, R2.H0_H0, R4.H1_H1")(w).value, 0x45004500u);             // 1 + 4
  EXPECT_EQ(operation("HMUL2 R0, R2, R4.H0_H0")(w).value, 0x46004200u);                   // {2 x 3, 1 x 3}
  EXPECT_EQ(operation("HFMA2 R0, R2.H1_H1, R4, R6.H0_H0")(w).value, 0x4b004a00u);         // {2 x 4 + 6, 2 x 3 + 6}
  EXPECT_EQ(operation("HADD2.F32 R0, R2.H1_H1, R4.H1_H1")(w).value, 0x40c00000u);         // 6 in single precision
  EXPECT_EQ(operation("HFMA2.F32 R0, R2, R4, R6")(w).value, 0x41100000u) << "1 x 3 + 6";  // the lower halves
}

TEST(volta_half, a_single_among_the_sources_is_not_rounded_first) {
  const std::uint32_t third = 0x3eaaaaab;  // 1 / 3
  EXPECT_EQ(operation("HADD2 R0, R2.F32, -RZ.H0_H0")({third, 0, 0}).value, 0x35553555u);
  // 2048 + 1.0000001 is above the middle of 2048 and 2050; rounded to a half first, it would be the middle.
  EXPECT_EQ(operation("HADD2 R0, R2.F32, R4")({0x3f800001, 0x68006800, 0}).value, 0x68016801u);
  EXPECT_EQ(operation("HADD2 R0, R2, R4")({0x3c003c00, 0x68006800, 0}).value, 0x68006800u);
}

TEST(volta_half, comparisons_of_halves_set_a_predicate_or_a_half_each) {
  const three w = {0x40007e00, 0x3c003c00, 0};  // {2, NaN}, {1, 1}
  const results greater = operation("HSETP2.GT.AND P0, P1, R2, R4, PT")(w);
  EXPECT_FALSE(greater.low);
  EXPECT_TRUE(greater.high);
  EXPECT_TRUE(operation("HSETP2.GTU.AND P0, P1, R2, R4, PT")(w).low) << "a NaN is unordered";
  EXPECT_FALSE(operation("HSETP2.GT.AND P0, P1, R2, R4, P2")(w, false).high);
  EXPECT_TRUE(operation("HSETP2.GT.XOR P0, P1, R2, R4, P2")(w, true).low);
  EXPECT_EQ(operation("HSET2.GT.AND R0, R2, R4, PT")(w).value, 0xffff0000u);
  EXPECT_EQ(operation("HSET2.BF.GT.AND R0, R2, R4, PT")(w).value, 0x3c000000u);
  EXPECT_EQ(operation("HSET2.BF.GT.OR R0, R2, R4, P2")(w, true).value, 0x3c003c00u);
}

TEST(volta_half, both_halves_for_one_predicate_are_known_but_not_executed) {
  EXPECT_FALSE(is_executable(*parsed("HSETP2.GT.H_AND.AND P0, PT, R2, R4, PT")));
  EXPECT_TRUE(is_executable(*parsed("HSETP2.GT.AND P0, PT, R2, R4, PT")));
}

}  // namespace
}  // namespace gt200::isa::volta
