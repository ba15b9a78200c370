// How many operations an SM of the GTX 480 starts per shader cycle, by kind. Expected: CUDA C Programming Guide,
// throughput of arithmetic instructions, compute capability 2.0 (GeForce: double precision 4); shared memory: 32
// banks of 32 bits per two shader cycles.
#include <gtest/gtest.h>

#include "testbenches/system/fermi/fermi_board.h"

namespace gt200::support {
namespace {

constexpr unsigned unrolled = 48;
constexpr unsigned rounds = 40;  // counted, behind those that wait for the first instructions
constexpr unsigned first_rounds = 10;
constexpr unsigned threads = 768;  // two blocks fill the SM: 48 warps

// `text` with # replaced by the numbers of registers that no other instruction of the loop writes.
double operations_per_shader_cycle(const std::string& text, const std::string& before = "") {
  std::string body;
  for (unsigned n = 0; n < unrolled; ++n) {
    std::string line = text;
    const std::string target = std::to_string(16 + 2 * (n % 12));
    for (std::size_t at = line.find('#'); at != std::string::npos; at = line.find('#')) line.replace(at, 1, target);
    body += "  " + line + "\n";
  }
  const auto core_cycles = [&](unsigned times) {
    const std::string program =
        ".target sm_20\n.entry rate\n.param u32 out\n.param u32 in\n.shared cells 8192\n"
        "  mov b32 $r0 $tidx\n  shl b32 $r2 $r0 clamp 0x2\n  mov b32 $r4 0x3f800000\n"
        "  mov b32 $r5 0x3ff00000\n  mov b32 $r1 " +
        std::to_string(times) + "\n" + before + "again:\n" + body +
        "  add b32 $r1 $r1 -0x1\n  set $p0 $p7 ne u32 $r1 0x0\n  $p0 bra again\n  exit\n.end\n";
    const std::string run = run_apart(program, {{2}, {threads, 1, 1}, 1}, {}, {"chip.tpcs=1"});
    EXPECT_EQ(run.front(), '\n') << run;
    return std::stod(run.substr(1));
  };
  const double operations = 2.0 * threads * rounds * unrolled;  // of two blocks
  return operations / (2.0 * (core_cycles(first_rounds + rounds) - core_cycles(first_rounds)));
}

TEST(fermi_rate, single_precision_multiply_add_32) {
  EXPECT_NEAR(operations_per_shader_cycle("fma rn f32 $r# $r4 $r4 $r4"), 32, 3.2);
}
TEST(fermi_rate, integer_addition_32) { EXPECT_NEAR(operations_per_shader_cycle("add b32 $r# $r4 $r5"), 32, 3.2); }
TEST(fermi_rate, integer_multiplication_16) {
  EXPECT_NEAR(operations_per_shader_cycle("mul $r# u32 $r4 u32 $r5"), 16, 1.6);
}
TEST(fermi_rate, shift_16) { EXPECT_NEAR(operations_per_shader_cycle("shl b32 $r# $r4 clamp 0x3"), 16, 1.6); }
TEST(fermi_rate, special_functions_4) { EXPECT_NEAR(operations_per_shader_cycle("rcp f32 $r# $r4"), 4, 0.4); }
TEST(fermi_rate, double_precision_4) {
  EXPECT_NEAR(operations_per_shader_cycle("fma rn f64 $r#d $r4d $r4d $r4d"), 4, 0.4);
}
TEST(fermi_rate, words_of_shared_memory_16) {
  EXPECT_NEAR(operations_per_shader_cycle("ld b32 $r# s[$r2+cells]"), 16, 1.6);
}
TEST(fermi_rate, words_of_shared_memory_16_also_in_pairs) {
  // 8 bytes per lane: half as many operations, as many bytes.
  EXPECT_NEAR(operations_per_shader_cycle("ld b64 $r#d s[$r2+cells]", "  shl b32 $r2 $r0 clamp 0x3\n"), 8, 0.8);
}
TEST(fermi_rate, words_of_shared_memory_8_with_conflicts_of_two) {
  EXPECT_NEAR(operations_per_shader_cycle("ld b32 $r# s[$r2+cells]", "  shl b32 $r2 $r0 clamp 0x3\n"), 8, 0.8);
}
// 16 bytes per lane, each request of a load in two steps: with as many loads as stores two thirds of the full rate,
// as on a GTX 480 (982 of 1,483 GB/s, ekondis/gpumembench).
constexpr auto quadruples = "  and b32 $r2 $r0 0x1ff\n  shl b32 $r2 $r2 clamp 0x4\n";
TEST(fermi_rate, words_of_shared_memory_8_in_loads_of_quadruples) {
  EXPECT_NEAR(operations_per_shader_cycle("ld b128 $r16q s[$r2+cells]", quadruples), 2, 0.2);
}
TEST(fermi_rate, words_of_shared_memory_16_in_stores_of_quadruples) {
  EXPECT_NEAR(operations_per_shader_cycle("st b128 s[$r2+cells] $r16q", quadruples), 4, 0.4);
}

constexpr auto from_zero = "  mov b32 $r2 0x0\n  st b32 s[cells] $r2\n";

// Core cycles of a warp that runs a chain of `links` dependent instructions `times` times, behind `before`.
double cycles_of(const std::string& text, const std::string& before, unsigned links, unsigned times) {
  std::string body;
  for (unsigned n = 0; n < links; ++n) body += "  " + text + "\n";
  const std::string program =
      ".target sm_20\n.entry chain\n.param u32 out\n.param u32 in\n.shared cells 4096\n" + before +
      "  mov b32 $r1 " + std::to_string(times) + "\nagain:\n" + body +
      "  add b32 $r1 $r1 -0x1\n  set $p0 $p7 ne u32 $r1 0x0\n  $p0 bra again\n  exit\n.end\n";
  const std::string run = run_apart(program, {{1}, {32, 1, 1}, 1}, {}, {"chip.tpcs=1"});
  EXPECT_EQ(run.front(), '\n') << run;
  return std::stod(run.substr(1));
}

// Shader cycles from issue to dependent issue: what 50 more links take, 20 times over. The code fits into the
// instruction cache.
double latency_of(const std::string& text, const std::string& before = from_zero) {
  const double longer = cycles_of(text, before, 100, 30) - cycles_of(text, before, 100, 10);
  const double shorter = cycles_of(text, before, 50, 30) - cycles_of(text, before, 50, 10);
  return 2 * (longer - shorter) / (20 * 50);
}

TEST(fermi_latency, of_a_dependent_multiply_add_is_18) {
  EXPECT_DOUBLE_EQ(latency_of("fma rn f32 $r2 $r2 $r2 $r2"), 18);
}
TEST(fermi_latency, of_a_dependent_integer_operation_is_18) {
  EXPECT_DOUBLE_EQ(latency_of("add b32 $r2 $r2 $r2"), 18);
  EXPECT_DOUBLE_EQ(latency_of("shl b32 $r2 $r2 clamp 0x1"), 18);
}
TEST(fermi_latency, of_a_dependent_load_from_shared_memory_is_52) {
  EXPECT_DOUBLE_EQ(latency_of("ld b32 $r2 s[$r2+cells]"), 52);
}
// Mei and Chu 2017: 87, 311 and 1209 cycles with conflicts of 2, 8 and 32 ways. Each lane loads its own address.
TEST(fermi_latency, of_a_load_with_bank_conflicts_grows_with_their_ways) {
  const auto with_stride = [](const std::string& log_of_bytes) {
    return latency_of("ld b32 $r2 s[$r2+cells]", "  mov b32 $r0 $tidx\n  shl b32 $r2 $r0 clamp " + log_of_bytes +
                                                     "\n  st b32 s[$r2+cells] $r2\n");
  };
  EXPECT_NEAR(with_stride("0x3"), 87, 4.4);
  EXPECT_NEAR(with_stride("0x5"), 311, 15.6);
  EXPECT_NEAR(with_stride("0x7"), 1209, 60.5);
}

}  // namespace
}  // namespace gt200::support
