// Random programs under front-end options and other configurations: model and emulator agree in every instruction
// and, without races, the results are those of the emulator alone. scripts/validate frontend runs more of them.
#include <gtest/gtest.h>

#include <sstream>

#include "testbenches/support/assembly_run.h"
#include "testbenches/support/own_process.h"
#include "testbenches/system/checked/checked_board.h"
#include "testbenches/system/checked/directed_programs.h"
#include "testbenches/system/checked/random_program.h"
#include "testbenches/system/checked/test_textures.h"
#include "testbenches/toolchain/module_difference.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/assembler/disassembler.h"

namespace gt200::support {
namespace {

class random_program_of_seed : public ::testing::TestWithParam<unsigned> {};

TEST_P(random_program_of_seed, runs_like_the_emulator) {
  const random_program p = make_random_program(GetParam());
  const front_end_combination c = front_end_combinations(GetParam() + 1).back();
  const front_end_outcome outcome = run_checked(p, c);
  EXPECT_EQ(outcome.error, "") << "front_end program " << GetParam() << " prints it; " << c.text();
  EXPECT_GT(outcome.instructions, 200u);
}

INSTANTIATE_TEST_SUITE_P(number, random_program_of_seed, ::testing::Range(0u, 16u));

class a_directed_program : public ::testing::TestWithParam<std::size_t> {};

TEST_P(a_directed_program, runs_like_the_emulator_with_every_mechanism) {
  const directed_program& p = directed_programs()[GetParam()];
  const auto all = all_policies_mechanisms_and_clockings();
  // Mechanism, policy and clocking mode vary together; scripts/validate frontend runs all combinations.
  for (std::size_t n = GetParam() % all.size(); n < all.size(); n += 37)
    EXPECT_EQ(in_own_process([&] { return run_checked(p.program, all[n]).error; }), "")
        << p.name << ": " << all[n].text();
}

INSTANTIATE_TEST_SUITE_P(number, a_directed_program, ::testing::Range<std::size_t>(0, 20),
                         [](const auto& of) { return directed_programs()[of.param].name; });

TEST(front_end_combinations, of_500_seeds_cover_all_pairs_of_values) {
  const auto [covered, pairs] = covered_pairs(front_end_combinations(500));
  EXPECT_EQ(covered, pairs);
}

std::string listing_of(const cubin::module& m) {
  std::ostringstream listing;
  assembler::disassemble_module(m, listing);
  return listing.str();
}

TEST(random_program_texts, assemble_to_the_same_from_their_own_listing) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const cubin::module first = assembler::assemble(make_random_program(seed).text, "random.s");
    const std::string listing = listing_of(first);
    EXPECT_EQ(listing.find(".word"), std::string::npos) << "seed " << seed;
    const cubin::module again = assembler::assemble(listing, "random.s");
    ASSERT_EQ(cubin::difference(first, again), "") << "seed " << seed;
    ASSERT_EQ(listing_of(again), listing) << "seed " << seed;
  }
}

// Several programs, one after the other on one board, with configurations that the combinations above do not have.
struct variant {
  const char* name;
  std::uint64_t seed;
  std::vector<std::string> overrides;
  std::uint64_t shuffle = 0;
};

void PrintTo(const variant& v, std::ostream* out) { *out << v.name; }

class random_programs : public checked_board, public ::testing::WithParamInterface<variant> {};

TEST_P(random_programs, run_like_the_emulator) {
  constexpr unsigned programs = 3;
  constexpr std::uint64_t faulting = 20;  // every so many of the seeds ends in a fault
  device_options options;
  options.clocking = clocking_of(configuration("gt200_small", GetParam().overrides).simulation);
  options.clocking.shuffle_seed = GetParam().shuffle;
  std::vector<cubin::module> more(programs);  // must outlive the board's launches
  for (unsigned n = 0; n < programs; ++n) {
    const random_program p = make_random_program(1000 * faulting + GetParam().seed * 7 + n * 5);
    if (p.faults) continue;
    if (!board) {
      build(p.text, GetParam().overrides, options);
      const test_textures textures(*board, out);
    }
    more[n] = assembler::assemble(p.text, "random.s");
    board->load(more[n], {});
    kernel = &more[n].kernels[0];
    const launch_result result = run(p.blocks, p.threads);
    ASSERT_EQ(difference(), "no difference") << p.text;
    ASSERT_EQ(result.reason, end_reason::done)
        << result.explanation << arch_state::describe(result.fault) << p.text;
  }
}

INSTANTIATE_TEST_SUITE_P(
    with, random_programs,
    ::testing::Values(
        variant{"the_preset", 1, {}}, variant{"stalls", 2, {"simulation.stalls_per_1024=150"}},
        variant{"another_order_of_modules", 3, {}, 5},
        variant{"greedy_oldest_and_little_room",
                4,
                {"tpc.sm.scheduler.policy=gto", "tpc.sm.scoreboard.entries_per_warp=1",
                 "tpc.sm.operand_collector.sp_units=1", "tpc.sm.operand_collector.memory_units=1",
                 "tpc.memory.load_store_queue.load_entries=4", "tpc.memory.load_store_queue.store_entries=2"}},
        variant{"refetches",
                5,
                {"tpc.sm.scoreboard.when_full=discard", "tpc.sm.scoreboard.entries_per_warp=2",
                 "tpc.sm.fetch.instructions_per_fetch=2", "tpc.sm.instruction_buffer.entries_per_warp=3",
                 "tpc.sm.scheduler.policy=gto"}},
        variant{"stall_of_all_warps",
                6,
                {"tpc.sm.scoreboard.when_full=stall_all", "tpc.sm.scoreboard.entries_per_warp=2",
                 "tpc.sm.simt_stack.first_path=taken", "tpc.memory.coalescer.rule=1.0", "partition.hash=fold"}},
        variant{
            "a_small_stack_and_small_caches",
            7,
            {"tpc.sm.simt_stack.entries=4", "tpc.sm.simt_stack.first_path=fall_through", "tpc.sm.icache.bytes=1024",
             "tpc.sm.constant_cache.bytes=256", "tpc.texture.l1.mshrs=2", "partition.dram.scheduler=fifo"}},
        variant{"fixed_latency_and_fast_units",
                8,
                {"partition.dram.model=fixed_latency", "tpc.sm.sp.latency_cycles=6", "tpc.sm.sfu.lanes=8",
                 "tpc.sm.sfu.latency_cycles=10", "tpc.sm.sfu.reduced_saves_cycles=0",
                 "tpc.sm.shared_memory.latency_cycles=8", "tpc.sm.sp.lanes=32"}},
        variant{"join_before", 21, {"tpc.sm.simt_stack.join=before"}},
        variant{"join_before_the_taken_path_first_and_stalls",
                22,
                {"tpc.sm.simt_stack.join=before", "tpc.sm.simt_stack.first_path=taken",
                 "tpc.sm.fetch.instructions_per_fetch=2", "tpc.sm.scoreboard.when_full=discard",
                 "tpc.sm.scoreboard.entries_per_warp=2", "simulation.stalls_per_1024=100"}},
        variant{"join_before_the_fall_through_path_first_and_a_small_stack",
                23,
                {"tpc.sm.simt_stack.join=before", "tpc.sm.simt_stack.first_path=fall_through",
                 "tpc.sm.simt_stack.entries=4"},
                9},
        variant{"pdom", 31, {"tpc.sm.simt_stack.mechanism=pdom"}},
        variant{"pdom_and_join_before_and_a_small_stack",
                32,
                {"tpc.sm.simt_stack.mechanism=pdom", "tpc.sm.simt_stack.join=before",
                 "tpc.sm.simt_stack.first_path=taken", "tpc.sm.simt_stack.entries=4"},
                8},
        variant{"pdom_and_the_fall_through_path_first_and_stalls",
                33,
                {"tpc.sm.simt_stack.mechanism=pdom", "tpc.sm.simt_stack.first_path=fall_through",
                 "tpc.sm.simt_stack.entries=4", "simulation.stalls_per_1024=120"}},
        variant{"one_collector_unit_each_and_one_port",
                24,
                {"tpc.sm.operand_collector.sp_units=1", "tpc.sm.operand_collector.sfu_units=1",
                 "tpc.sm.operand_collector.dp_units=1", "tpc.sm.operand_collector.memory_units=1",
                 "tpc.sm.register_file.read_ports=1", "tpc.sm.register_file.memory_read_ports=1",
                 "tpc.sm.register_file.write_ports=1"}},
        variant{"sixteen_banks", 25, {"tpc.sm.register_file.banks=16", "simulation.stalls_per_1024=60"}},
        variant{"twenty_four_banks", 26, {"tpc.sm.register_file.banks=24"}, 11},
        variant{"one_bank", 27, {"tpc.sm.register_file.banks=1"}},
        variant{"a_dp_unit_of_its_own_and_fast_multiplications",
                28,
                {"tpc.sm.dp.shares_sp=false", "tpc.sm.sfu.multiply_interval_cycles=4"}},
        variant{"a_single_loop", 9, {"tpc.sm.scoreboard.mechanism=single_loop"}},
        variant{"a_register_bitmap",
                10,
                {"tpc.sm.scoreboard.mechanism=bitmap", "tpc.sm.instruction_buffer.entries_per_warp=4",
                 "tpc.sm.fetch.instructions_per_fetch=2", "tpc.sm.scheduler.policy=gto"}},
        variant{"few_probes_and_stalls",
                11,
                {"tpc.sm.scoreboard.mechanism=bitmap", "tpc.sm.scoreboard.probes_per_cycle=3",
                 "simulation.stalls_per_1024=100"}},
        variant{"entries_taken_at_issue",
                12,
                {"tpc.sm.scoreboard.allocate=at_issue", "tpc.sm.instruction_buffer.entries_per_warp=4",
                 "tpc.sm.fetch.instructions_per_fetch=2"},
                6},
        variant{"look_ups_answered_later",
                14,
                {"tpc.sm.scoreboard.lookup_latency_cycles=3", "tpc.sm.scoreboard.entries_per_warp=3",
                 "tpc.sm.instruction_buffer.entries_per_warp=4", "tpc.sm.fetch.instructions_per_fetch=2",
                 "simulation.stalls_per_1024=100"}},
        variant{"one_entry_taken_at_issue",
                13,
                {"tpc.sm.scoreboard.allocate=at_issue", "tpc.sm.scoreboard.entries_per_warp=1",
                 "tpc.sm.scoreboard.when_full=stall_all", "simulation.stalls_per_1024=100"}}),
    [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace gt200::support
