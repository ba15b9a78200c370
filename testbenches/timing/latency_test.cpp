// Latencies and throughputs of the SM, measured as they were measured on silicon: by kernels that read $clock
// around long sequences of instructions. $clock counts core cycles, half the shader clock.
//
// Published values: Wong et al., ISPASS 2010 (GTX 280), as given in configs/gt200.toml.

#include <gtest/gtest.h>

#include <string>

#include "testbenches/support/assembly_run.h"

namespace gt200 {
namespace {

constexpr unsigned operations = 256;
constexpr double shader_cycles_per_count = 2;

// Repeats `first` and `second` in turn, twice 256 operations with a barrier before each pass; lane 0 of each warp
// stores begin and end of the second pass, when the instruction cache is warm.
std::string repeated(const std::string& setup, const std::string& first, const std::string& second) {
  std::string text =
      ".target sm_13\n.entry measure\n.param u32 out\n.shared words 256\n"
      "  cvt u32 $r1 u16 $r0l\n"
      "  shr u32 $r2 $r1 0x5\n"  // warp number
      "  shl b32 $r2 $r2 0x3\n"
      "  add b32 $r2 b32 s[out] $r2\n";
  text += setup;
  text += "  mov b32 $r3 0x0\n  mov b32 $r10 0x2\npass:\n  bar inc wait 0x0 0xfff\n  mov $r4 $clock\n";
  for (unsigned i = 0; i < operations; ++i) text += "  " + (i % 2 == 0 ? first : second) + "\n";
  text +=
      "  mov $r5 $clock\n"
      "  add b32 $r3 $r3 0x1\n"
      "  set $c0 # l u32 $r3 $r10\n"
      "  (lg $c0) bra pass\n"
      "  st b32 g14[$r2] $r4\n"
      "  add b32 $r2 $r2 0x4\n"
      "  exit st b32 g14[$r2] $r5\n.end\n";
  return text;
}

struct measurement {
  double latency = 0;     // shader cycles per operation, from the first warp
  double throughput = 0;  // operations of single threads per shader cycle over all warps
};

measurement measure(const std::string& program, unsigned threads) {
  const unsigned warps = (threads + 31) / 32;
  const auto run = support::run_assembly(support::configuration("gt200_small"), program, 1, threads, 2 * warps);
  EXPECT_EQ(run.result.reason, end_reason::done) << run.result.explanation << emulator::describe(run.result.fault);
  std::uint32_t first = ~0u;
  std::uint32_t last = 0;
  for (unsigned w = 0; w < warps; ++w) {
    first = std::min(first, run.out[2 * w]);
    last = std::max(last, run.out[2 * w + 1]);
  }
  measurement m;
  m.latency = (run.out[1] - run.out[0]) * shader_cycles_per_count / operations;
  m.throughput = operations * double(threads) / ((last - first) * shader_cycles_per_count);
  return m;
}

const char* const float_setup = "  mov b32 $r6 0x3f800000\n  mov b32 $r7 0x3f800001\n";

TEST(latency, integer_add_takes_24_shader_cycles) {
  EXPECT_NEAR(
      measure(repeated("  mov b32 $r6 0x1\n  mov b32 $r7 0x2\n", "add b32 $r6 $r6 $r7", "add b32 $r7 $r7 $r6"), 1)
          .latency,
      24, 0.25);
}

TEST(latency, float_add_takes_24_shader_cycles) {
  EXPECT_NEAR(measure(repeated(float_setup, "add rn f32 $r6 $r6 $r7", "add rn f32 $r7 $r7 $r6"), 1).latency, 24,
              0.25);
}

TEST(latency, reciprocal_square_root_takes_28_shader_cycles) {
  EXPECT_NEAR(measure(repeated(float_setup, "rsqrt f32 $r6 $r6", "rsqrt f32 $r6 $r6"), 1).latency, 28, 0.25);
}

TEST(latency, double_add_takes_48_shader_cycles) {
  const std::string setup =
      "  mov b32 $r6 0x0\n  mov b32 $r7 0x3ff00000\n  mov b32 $r8 0x0\n  mov b32 $r9 0x3ff00000\n";
  EXPECT_NEAR(measure(repeated(setup, "add rn f64 $r6d $r6d $r8d", "add rn f64 $r8d $r8d $r6d"), 1).latency, 48,
              0.5);
}

TEST(latency, shared_memory_chase_takes_38_shader_cycles) {
  // Every word holds 0, so the shifted word is the address again.
  const std::string setup = "  mov b32 $r6 0x0\n  st b32 s[0x40] $r6\n  shl $a1 $r6 0x0\n";
  EXPECT_NEAR(measure(repeated(setup, "shl $a1 b32 s[$a1+0x40] 0x0", "shl $a1 b32 s[$a1+0x40] 0x0"), 1).latency, 38,
              1);
}

TEST(latency, barrier_of_one_warp_takes_20_shader_cycles) {
  EXPECT_NEAR(measure(repeated("", "bar inc wait 0x0 0xfff", "bar inc wait 0x0 0xfff"), 32).latency, 20, 2);
}

// 78 were published; the linear model of the configuration, 16 + 4 W, misses that by 2.
TEST(latency, barrier_of_16_warps_takes_80_shader_cycles) {
  EXPECT_NEAR(measure(repeated("", "bar inc wait 0x0 0xfff", "bar inc wait 0x0 0xfff"), 512).latency, 80, 0.25);
}

TEST(throughput, eight_float_adds_per_shader_cycle) {
  EXPECT_NEAR(measure(repeated(float_setup, "add rn f32 $r6 $r6 $r7", "add rn f32 $r7 $r7 $r6"), 512).throughput,
              7.9, 0.12);
}

TEST(throughput, two_reciprocal_square_roots_per_shader_cycle) {
  EXPECT_NEAR(measure(repeated(float_setup, "rsqrt f32 $r6 $r6", "rsqrt f32 $r6 $r6"), 512).throughput, 2.0, 0.02);
}

TEST(throughput, one_double_add_per_shader_cycle) {
  const std::string setup =
      "  mov b32 $r6 0x0\n  mov b32 $r7 0x3ff00000\n  mov b32 $r8 0x0\n  mov b32 $r9 0x3ff00000\n";
  EXPECT_NEAR(measure(repeated(setup, "add rn f64 $r6d $r6d $r8d", "add rn f64 $r8d $r8d $r6d"), 512).throughput,
              1.0, 0.01);
}

// Six warps hide the latency of dependent additions: 24 / 4.
TEST(throughput, six_warps_fill_the_sps) {
  EXPECT_NEAR(measure(repeated(float_setup, "add rn f32 $r6 $r6 $r7", "add rn f32 $r7 $r7 $r6"), 192).throughput, 8,
              0.3);
}

TEST(throughput, five_warps_do_not_fill_the_sps) {
  EXPECT_NEAR(measure(repeated(float_setup, "add rn f32 $r6 $r6 $r7", "add rn f32 $r7 $r7 $r6"), 160).throughput,
              8. * 5 / 6, 0.2);
}

// Multiplications use the SFUs' multipliers as well (Wong: 11.2).
TEST(throughput, float_multiplications_exceed_the_rate_of_the_sps) {
  EXPECT_NEAR(measure(repeated(float_setup, "mul rn f32 $r6 $r6 $r7", "mul rn f32 $r7 $r7 $r6"), 512).throughput,
              11.2, 0.6);
}

}  // namespace
}  // namespace gt200
