// Parameters of the units and the register file are effective: micro-benchmarks change as the mechanism says.
#include <gtest/gtest.h>

#include "testbenches/support/assembly_run.h"
#include "testbenches/timing/microbenchmark.h"
#include "testbenches/timing/sm_figures.h"

namespace gt200::timing {
namespace {

constexpr unsigned threads = 512;
constexpr unsigned warps = threads / 32;
const char* const ones =
    "  mov b32 $r6 0x3f800000\n  mov b32 $r7 0x3f800000\n  mov b32 $r8 0x3f800000\n  mov b32 $r9 0x3f800000\n";
const std::string multiply_add = "add f32 $r6 (mul $r9 $r7) $r6";  // three registers
const std::string multiply = "mul rn f32 $r8 $r8 $r7";

// Shader cycles per warp instruction, with a full block.
double interval(const std::vector<std::string>& body, const std::vector<std::string>& overrides = {}) {
  const sequence s{ones, body, 128};
  return cycles_per_operation(support::configuration("gt200_small", overrides), s, threads) /
         static_cast<double>(body.size()) / warps;
}

TEST(read_ports, feed_mad_and_mul_at_once_with_80) {
  EXPECT_NEAR(interval({multiply_add, multiply}, {"tpc.sm.sfu.multiply_interval_cycles=4"}), 2, 0.1);
}
TEST(read_ports, slow_mad_and_mul_down_when_there_are_fewer) {
  // 5 operands of 32 words for two instructions: 160 words, at 48 per core cycle 6.7 shader cycles.
  EXPECT_NEAR(interval({multiply_add, multiply},
                       {"tpc.sm.sfu.multiply_interval_cycles=4", "tpc.sm.register_file.read_ports=48"}),
              160. / 48 * 2 / 2, 0.1);
}
TEST(read_ports, of_which_48_are_enough_for_mad_alone) {
  EXPECT_NEAR(interval({multiply_add}, {"tpc.sm.register_file.read_ports=48"}), 4, 0.1);
  EXPECT_NEAR(interval({multiply_add}, {"tpc.sm.register_file.read_ports=40"}), 96. / 40 * 2, 0.1);
}
TEST(write_ports, take_one_result_per_core_cycle_with_32) {
  EXPECT_NEAR(interval({multiply_add}, {"tpc.sm.register_file.write_ports=16"}), 4, 0.1);
  EXPECT_NEAR(interval({multiply_add}, {"tpc.sm.register_file.write_ports=8"}), 8, 0.1);
}

TEST(register_banks, of_16_24_or_64_do_not_slow_mad) {
  for (const char* banks : {"16", "24", "64"})
    EXPECT_NEAR(interval({multiply_add}, {std::string("tpc.sm.register_file.banks=") + banks}), 4, 0.1) << banks;
}
TEST(register_banks, serve_four_words_per_shader_cycle_each) {
  // Three operands of 32 words: 24 accesses of four words.
  EXPECT_NEAR(interval({multiply_add}, {"tpc.sm.register_file.banks=1"}), 24, 0.5);
  EXPECT_NEAR(interval({multiply_add}, {"tpc.sm.register_file.banks=4"}), 6, 0.3);
}
TEST(register_banks, have_no_conflicts_where_these_are_idealised_away) {
  EXPECT_NEAR(interval({multiply_add}, {"tpc.sm.register_file.banks=1", "idealisations.no_bank_conflicts=true"}), 4,
              0.1);
}

// Four cycles of the SPs and of the port, or the issue cycle alone.
TEST(guards, that_are_false_in_every_lane_free_the_port_where_unexecuted_instructions_are_dropped) {
  const std::vector<std::string> held = {"tpc.sm.issue.sp_hold_cycles=2"};
  const std::vector<std::string> dropped = {"tpc.sm.issue.sp_hold_cycles=2", "tpc.sm.issue.drops_unexecuted=true"};
  const std::string never = "(e $c1) add b32 $r8 $r8 $r7";  // $c1 says "not equal"
  EXPECT_NEAR(interval({"set $c1 # e u32 $r6 $r6", multiply_add}, dropped), 4, 0.1) << "these execute";
  EXPECT_NEAR(interval({never}, held), 4, 0.1);
  EXPECT_NEAR(interval({never}, dropped), 2, 0.4);
  EXPECT_NEAR(interval({never, multiply_add}, dropped), 3, 0.4);
}
TEST(bank_conflicts, repeat_the_access_of_the_warp_where_a_repetition_has_its_own_time) {
  // All lanes of the first half-warp in one bank: 16 steps, 15 of them further ones.
  const std::string setup = "  cvt u32 $r6 u16 $r0l\n  shl b32 $r6 $r6 0x6\n  shl $a1 $r6 0x0\n";
  const auto cycles = [&](const std::vector<std::string>& overrides) {
    return cycles_per_operation(support::configuration("gt200_small", overrides),
                                sequence{setup, {"mov b32 $r8 b32 s[$a1+0x40]"}, 64}, 32);
  };
  const double without = cycles({"idealisations.no_bank_conflicts=true"});
  const std::string in_banks = "tpc.sm.shared_memory.replay_latency_cycles=0";
  EXPECT_NEAR(cycles({in_banks}) - without, 2 * 2 * 15, 1) << "two half-warps, two cycles for each step";
  EXPECT_NEAR(cycles({in_banks, "tpc.sm.shared_memory.replay_cycles=6"}) - without, 6 * 15, 1);
  EXPECT_NEAR(cycles({}) - without, 38 * 15 * 63.0 / 64, 1)
      << "a latency for each further step, but of the last access";
}

TEST(dp, excludes_sp_instructions) {
  const std::vector<std::string> body = {"add rn f64 $r10d $r10d $r12d", multiply_add, multiply_add, multiply_add,
                                         multiply_add};
  EXPECT_NEAR(5 * interval(body), 32 + 4 * 4, 1);
  EXPECT_NEAR(5 * interval(body, {"tpc.sm.dp.shares_sp=false"}), 32, 1);
}

TEST(barrier, is_cheaper_by_the_read_of_its_counter_where_warps_arrive_in_a_row) {
  const sequence s{"", {"bar inc wait 0x0 0xfff"}, 128};
  const auto cycles = [&](unsigned n) {
    const auto windows = run(support::configuration("gt200_small"), s, 32 * n);
    return static_cast<double>(windows[0].end - windows[0].begin) / s.operations;
  };
  EXPECT_NEAR(cycles(1), 20, 0.25);
  for (const unsigned n : {2u, 4u, 8u}) EXPECT_NEAR(cycles(n), 14 + 4. * n, 0.25) << n << " warps";
}

// Shader cycles per barrier of n warps.
double barrier_cycles(unsigned n, const std::vector<std::string>& overrides) {
  const sequence s{"", {"bar inc wait 0x0 0xfff"}, 128};
  const auto windows = run(support::configuration("gt200_small", overrides), s, 32 * n);
  return static_cast<double>(windows[0].end - windows[0].begin) / s.operations;
}
TEST(barrier, takes_as_long_whatever_passes_between_issue_and_collector) {
  for (const char* latency : {"1", "2", "4"}) {
    const std::vector<std::string> overrides = {std::string("tpc.sm.issue.latency_cycles=") + latency,
                                                "tpc.sm.sfu.reduced_saves_cycles=0"};
    EXPECT_NEAR(barrier_cycles(1, overrides), 20, 0.25) << latency;
    EXPECT_NEAR(barrier_cycles(8, overrides), 14 + 4. * 8, 0.25) << latency;
  }
}
TEST(barrier, takes_what_the_configuration_says_to_the_cycle) {
  for (const unsigned base : {6u, 8u, 30u})
    for (const unsigned read : {0u, 2u, 6u})
      for (const unsigned per_warp : {2u, 6u}) {
        const auto set = [](const char* key, unsigned value) {
          return std::string("tpc.sm.barrier.") + key + "_cycles=" + std::to_string(value);
        };
        const std::vector<std::string> overrides = {set("base", base), set("counter_read", read),
                                                    set("per_warp", per_warp)};
        EXPECT_NEAR(barrier_cycles(1, overrides), base + read + per_warp, 0.25)
            << base << " " << read << " " << per_warp;
      }
}

// Shader cycles per iteration of a loop in one warp.
double branch_cycles(const std::vector<std::string>& overrides) {
  const sequence s{
      "",
      {"mov b32 $r6 0x40", "again:", "sub b32 $r6 $r6 0x1", "set $c0 # lg u32 $r6 $r124", "(lg $c0) bra again"},
      1};
  return latency(support::configuration("gt200_small", overrides), s) / 64;
}
TEST(branch, delays_its_warp_by_its_latency) {
  const double preset = branch_cycles({});
  EXPECT_NEAR(branch_cycles({"tpc.sm.branch.latency_cycles=6"}), preset + 2, 0.1);
  EXPECT_NEAR(branch_cycles({"tpc.sm.branch.latency_cycles=24"}), preset + 20, 0.1);
}
TEST(branch, unit_takes_one_instruction_per_interval) {
  std::vector<std::string> body;
  for (unsigned i = 0; i < 32; ++i) {
    body.push_back("bra next" + std::to_string(i));
    body.push_back("next" + std::to_string(i) + ":");
  }
  const sequence s{"", body, 1};
  const auto cycles = [&](const char* interval) {
    return cycles_per_operation(
               support::configuration("gt200_small", {std::string("tpc.sm.branch.interval_cycles=") + interval}), s,
               threads) /
           32 / warps;
  };
  EXPECT_NEAR(cycles("8"), 8, 0.4);
  EXPECT_NEAR(cycles("20"), 20, 0.8);
}

// -- the figures can fail --

const validation::figure& figure_of(const validation::figure_set& set, const std::string& id) {
  for (const validation::figure& f : set.figures)
    if (f.id == id) return f;
  throw std::out_of_range(id);
}
bool holds_with(const std::string& id, const std::vector<std::string>& overrides) {
  const validation::figure_set set = sm_figures();
  validation::figure f = figure_of(set, id);
  f.overrides = overrides;
  return validation::holds(f, f.measure(configuration_of(set, f)));
}

TEST(the_figures, miss_bank_conflicts_that_are_not_charged) {
  EXPECT_TRUE(holds_with("shared_stride_8", {}));
  EXPECT_FALSE(holds_with("shared_stride_8", {"idealisations.no_bank_conflicts=true"}));
}
TEST(the_figures, miss_an_sp_that_is_late_by_one_core_cycle) {
  EXPECT_FALSE(holds_with("float_add_latency", {"tpc.sm.sp.latency_cycles=26"}));
}
TEST(the_figures, miss_a_barrier_that_takes_longer_per_warp) {
  EXPECT_FALSE(holds_with("barrier_16_warps", {"tpc.sm.barrier.per_warp_cycles=6"}));
}
TEST(the_figures, miss_multiplications_that_stay_on_the_sps) {
  EXPECT_FALSE(holds_with("float_multiply_throughput", {"tpc.sm.sfu.multiply_enabled=false"}));
}

}  // namespace
}  // namespace gt200::timing
