// gt200_as_described, sentence by sentence: what the published descriptions say of the chip, measured on the model.
// K = Kanter's article, B = GPGPU architectures book.
#include <gtest/gtest.h>

#include "testbenches/support/assembly_run.h"
#include "testbenches/timing/kernel_rate.h"
#include "testbenches/timing/microbenchmark.h"

namespace gt200::timing {
namespace {

constexpr unsigned threads = 512;
constexpr unsigned warps = threads / 32;
const char* const ones = "  mov b32 $r6 0x3f800000\n  mov b32 $r7 0x3f800000\n  mov b32 $r8 0x3f800000\n";
const std::string multiply_add = "add f32 $r6 (mul $r6 $r7) $r6";
const std::string multiply = "mul rn f32 $r8 $r8 $r7";

config::gpu_config described(std::vector<std::string> overrides = {}) {
  overrides.insert(overrides.begin(), {"chip.tpcs=1", "chip.partitions=2"});
  return support::configuration("gt200_as_described", overrides);
}
// Shader cycles per warp instruction, with a full block.
double interval(const std::vector<std::string>& body, const std::vector<std::string>& overrides = {}) {
  return cycles_per_operation(described(overrides), {ones, body, 128}, threads) / static_cast<double>(body.size()) /
         warps;
}

// K: the execution units run at the fast clock, fetch, scheduling, registers and shared memory at half of it; loads
// and stores are executed in an entirely different clock domain.
TEST(described, loads_and_stores_are_in_an_entirely_different_clock_domain) {
  const config::clocks_config clocks = described().clocks;
  EXPECT_EQ(clocks.core_period(), 2 * clocks.shader_period());
  EXPECT_NE(clocks.uncore_period() % clocks.shader_period(), 0u);
  const sequence add{ones, {"add rn f32 $r6 $r6 $r7"}, 128};
  EXPECT_EQ(latency(described(), add), latency(described({"clocks.uncore_mhz=301"}), add));
  EXPECT_GT(launch_seconds(described({"clocks.uncore_mhz=301"}), "vector_add", {"N=4096"})[0],
            1.1 * launch_seconds(described(), "vector_add", {"N=4096"})[0]);
}

// K: a warp with several ready instructions goes on issuing until the scoreboard or another warp stops it.
TEST(described, a_warp_with_several_ready_instructions_goes_on_issuing) {
  const sequence independent{"", {"add b32 $r6 $r1 $r1", "add b32 $r7 $r1 $r1", "add b32 $r8 $r1 $r1"}, 64};
  const double two_entries = cycles_per_operation(described(), independent, 32);
  EXPECT_LT(two_entries, 0.9 * cycles_per_operation(described({"tpc.sm.instruction_buffer.entries_per_warp=1"}),
                                                    independent, 32));
}

// K: an operation takes 4 fast clocks in the SPs, and most special functions 16. That is the time in the unit;
// issue, collector and write-back take another 6.
TEST(described, an_operation_takes_4_fast_clocks_in_the_sps_and_16_in_the_sfus) {
  EXPECT_NEAR(latency(described(), {ones, {"add rn f32 $r6 $r6 $r7"}, 128}), 4 + 6, 2);
  EXPECT_NEAR(latency(described(), {ones, {"rcp f32 $r6 $r6"}, 128}), 16 + 6, 2);
}

// K: shared memory without conflicts is as fast as a register.
TEST(described, an_operand_from_shared_memory_does_not_lengthen_the_interval) {
  EXPECT_NEAR(interval({"add f32 $r6 (mul b32 s[words] $r7) $r6"}), interval({multiply_add}), 0.1);
}
TEST(described, an_operand_from_shared_memory_comes_one_core_cycle_after_one_from_a_register) {
  const double from_register = latency(described(), {ones, {multiply_add}, 128});
  const double from_shared = latency(described(), {ones, {"add f32 $r6 (mul b32 s[words] $r7) $r6"}, 128});
  EXPECT_NEAR(from_shared, from_register + 2, 1) << "the way through shared memory";
}

// K: multiplications on the SFUs beside MADs on the SPs give 50 % more operations.
TEST(described, mad_and_mul_together_give_50_percent_more_operations) {
  const double mad = 2 / interval({multiply_add});
  const double both = 1.5 / interval({multiply_add, multiply});
  EXPECT_NEAR(both / mad, 1.5, 0.03);
}

// K: the branch unit executes comparisons.
TEST(described, comparisons_execute_beside_the_branch_unit_and_leave_the_sps_free) {
  const std::vector<std::string> body = {"set $r9 l u32 $r6 $r7", "add b32 $r10 $r6 $r7"};
  EXPECT_NEAR(interval(body), 2, 0.3);
  EXPECT_NEAR(interval(body, {"tpc.sm.branch.comparisons=false"}), 4, 0.1);
}

// B: when the scoreboard is full, fetch stalls for all warps. K: 4 to 128 registers; texture and load pipelines are
// not usable at once; a write to a texture invalidates the whole hierarchy of its caches. Tests of these:
// full_scoreboard_test.cpp, occupancy_test.cpp, sm_controller_test.cpp, texture_writes_test.cpp.

struct small_kernel {
  const char* name;
  std::vector<std::string> parameters;
};

void PrintTo(const small_kernel& kernel, std::ostream* out) { *out << kernel.name; }

class kernel_on_the_described_chip : public ::testing::TestWithParam<small_kernel> {};

// launch_seconds() throws when a result is wrong.
TEST_P(kernel_on_the_described_chip, computes_what_it_should) {
  EXPECT_FALSE(launch_seconds(described(), GetParam().name, GetParam().parameters).empty());
}

INSTANTIATE_TEST_SUITE_P(small, kernel_on_the_described_chip,
                         ::testing::Values(small_kernel{"vector_add", {"N=256"}},
                                           small_kernel{"reduce0", {"N=256"}}, small_kernel{"bfs", {"N=32"}},
                                           small_kernel{"histogram", {"N=128"}}, small_kernel{"scan", {"BLOCKS=2"}},
                                           small_kernel{"matrix_mul", {"N=16"}},
                                           small_kernel{"black_scholes", {"N=256"}},
                                           small_kernel{"texture_filter", {}}),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace gt200::timing
