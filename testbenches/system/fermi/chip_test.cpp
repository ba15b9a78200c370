// Programs of sm_20 on the chip: right, equal to the emulator in every instruction, and equal however they are
// simulated.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "testbenches/system/fermi/fermi_board.h"

namespace gt200::support {
namespace {

// The same cycles and bytes in every order and way of clocking; the same bytes with stalls.
void expect_alike_in_every_way(const std::string& program, const fermi_grid& grid) {
  const std::string plain = run_apart(program, grid);
  EXPECT_EQ(plain.front(), '\n') << plain;  // no error
  device_options options;
  for (unsigned seed = 1; seed <= 2; ++seed) {
    options.clocking.shuffle_seed = seed;
    EXPECT_EQ(run_apart(program, grid, options), plain) << "shuffled with " << seed;
  }
  options = {};
  options.clocking.mode = tlm_bus::clocking_options::way::reference;
  EXPECT_EQ(run_apart(program, grid, options), plain) << "reference clocking";
  options = {};
  options.clocking.audit = true;
  EXPECT_EQ(run_apart(program, grid, options), plain) << "audit";
  options = {};
  EXPECT_EQ(run_apart(program, grid, options, {"tpc.sm.units.detail=lane"}), plain) << "lane by lane";
  options.clocking.stalls = {3, 200};
  const auto results_of = [](const std::string& text) { return text.substr(text.find("instructions\n")); };
  EXPECT_EQ(results_of(run_apart(program, grid, options)), results_of(plain)) << "stalls";
}

TEST(fermi_chip, runs_a_program_without_divergence) {
  const std::string program =
      ".target sm_20\n.entry twice\n.param u32 out\n.param u32 in\n"
      "  mov b32 $r0 $tidx\n  mov b32 $r1 $ctaidx\n  add $r0 (mul u32 $r1 u32 c0[%ntid.x]) $r0\n"
      "  add b32 $r2 (shl $r0 0x2) c0[in]\n  ld b32 $r3 ca g[$r2]\n  add b32 $r3 $r3 $r3\n"
      "  add b32 $r2 (shl $r0 0x2) c0[out]\n  st b32 wb g[$r2] $r3\n  exit\n.end\n";
  const fermi_grid grid = {{12}, {160, 1, 1}, 12 * 160};
  const fermi_outcome o = run_on_fermi(program, grid);
  ASSERT_EQ(o.error, "");
  EXPECT_EQ(o.issued, 12u * 5 * 9);
  for (std::uint32_t i = 0; i < o.out.size(); ++i) ASSERT_EQ(o.out[i], 2 * fermi_input(i)) << i;
}

TEST(fermi_chip, adds_up_blocks_in_shared_memory) {
  const fermi_outcome o = run_on_fermi(fermi_program("block_sums"), {{6}, {1024, 1, 1}, 1});
  ASSERT_EQ(o.error, "");
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < 6 * 1024; ++i) sum += fermi_input(i);
  EXPECT_EQ(o.out[0], sum);
}

std::uint32_t collatz_steps(std::uint32_t n) {
  std::uint32_t steps = 0;
  for (; n > 1; ++steps) n = n % 2 != 0 ? 3 * n + 1 : n / 2;
  return steps;
}

TEST(fermi_chip, follows_lanes_that_part_in_loops_and_branches) {
  const fermi_outcome o = run_on_fermi(fermi_program("collatz"), {{4}, {96, 1, 1}, 4 * 96});
  ASSERT_EQ(o.error, "");
  for (std::uint32_t i = 0; i < o.out.size(); ++i)
    ASSERT_EQ(o.out[i], collatz_steps((fermi_input(i) & 0x3f) + 1)) << i;
}

TEST(fermi_chip, starts_grids_and_blocks_of_three_dimensions) {
  const fermi_grid grid = {{3, 2, 4}, {8, 5, 3}, 3 * 2 * 4 * 8 * 5 * 3};
  const fermi_outcome o = run_on_fermi(fermi_program("places"), grid);
  ASSERT_EQ(o.error, "");
  std::uint32_t i = 0;
  for (std::uint32_t block = 0; block < 24; ++block)
    for (std::uint32_t thread = 0; thread < 120; ++thread, ++i)
      ASSERT_EQ(o.out[i], thread % 8 + (thread / 8 % 5 << 5) + (thread / 40 << 10) + (block % 3 << 16) +
                              (block / 3 % 2 << 20) + (block / 6 << 24))
          << i;
}

TEST(fermi_chip, reaches_shared_and_local_memory_by_generic_addresses) {
  constexpr std::uint32_t threads = 192;
  const fermi_outcome o = run_on_fermi(fermi_program("memories"), {{3}, {threads, 1, 1}, 3 * threads});
  ASSERT_EQ(o.error, "");
  for (std::uint32_t block = 0; block < 3; ++block) {
    std::uint32_t held = 0;
    for (std::uint32_t t = 0; t < threads; ++t) held += fermi_input(block * threads + t) & 1;
    for (std::uint32_t t = 0; t < threads; ++t)
      ASSERT_EQ(o.out[block * threads + t], held + (fermi_input(block * threads + t) ^ t ^ 1) + 100 * (t % 4)) << t;
  }
}

TEST(fermi_chip, uses_every_kind_of_unit) {
  const fermi_outcome o = run_on_fermi(fermi_program("arithmetic"), {{2}, {256, 1, 1}, 512});
  EXPECT_EQ(o.error, "");
}

TEST(fermi_chip, block_sums_are_alike_in_every_way) {
  expect_alike_in_every_way(fermi_program("block_sums"), {{3}, {256, 1, 1}, 1});
}
TEST(fermi_chip, divergence_is_alike_in_every_way) {
  expect_alike_in_every_way(fermi_program("collatz"), {{3}, {96, 1, 1}, 3 * 96});
}
TEST(fermi_chip, memories_are_alike_in_every_way) {
  expect_alike_in_every_way(fermi_program("memories"), {{3}, {192, 1, 1}, 3 * 192});
}
TEST(fermi_chip, arithmetic_is_alike_in_every_way) {
  expect_alike_in_every_way(fermi_program("arithmetic"), {{2}, {256, 1, 1}, 512});
}

// -- barriers with results --

// out[t] = count + 65536 * predicate of a barrier to which the threads below `below` say yes.
std::string barrier_program(const std::string& operation, unsigned below) {
  return ".target sm_20\n.entry votes\n.param u32 out\n.param u32 in\n"
         "  mov b32 $r0 $tidx\n  mov b32 $r1 0x1\n"
         "  set $p0 $p7 lt u32 $r0 " +
         std::to_string(below) + "\n  bar " + operation +
         " $p1 $r5 $r63 $r63 $p0\n"
         "  selp b32 $r6 $r1 $r63 $p1\n"
         "  add b32 $r5 (shl $r6 0x10) $r5\n"
         "  add b32 $r4 (shl $r0 0x2) c0[out]\n  st b32 wb g[$r4] $r5\n  exit\n.end\n";
}

std::uint32_t barrier_result(const std::string& operation, unsigned below, unsigned threads) {
  std::uint32_t result = ~0u;
  const std::string text = run_apart(barrier_program(operation, below), {{1}, {threads, 1, 1}, threads});
  EXPECT_EQ(text.front(), '\n') << text;
  const std::string words = text.substr(text.find("instructions\n") + 13);
  EXPECT_EQ(words.size(), 9u * threads);
  for (unsigned t = 0; t < threads; ++t) {
    const auto word = static_cast<std::uint32_t>(std::stoul(words.substr(9u * t, 8), nullptr, 16));
    if (t == 0) result = word;
    EXPECT_EQ(word, result) << "thread " << t;
  }
  return result;
}

constexpr std::uint32_t yes = 65536;

TEST(fermi_chip, a_barrier_counts_the_threads_that_say_yes) {
  EXPECT_EQ(barrier_result("popc", 100, 250), 100 + yes);
  EXPECT_EQ(barrier_result("popc", 0, 250), 0u);
}
TEST(fermi_chip, a_barrier_says_whether_all_threads_say_yes) {
  EXPECT_EQ(barrier_result("and", 249, 250), 249u);
  EXPECT_EQ(barrier_result("and", 250, 250), 250 + yes);
}
TEST(fermi_chip, a_barrier_says_whether_any_thread_says_yes) {
  EXPECT_EQ(barrier_result("or", 0, 70), 0u);
  EXPECT_EQ(barrier_result("or", 1, 70), 1 + yes);
}

TEST(fermi_chip, rounds_of_one_barrier_do_not_mix) {
  // Round k counts the threads below k; the sum over 1 to 40 is 820.
  const std::string program =
      ".target sm_20\n.entry rounds\n.param u32 out\n.param u32 in\n"
      "  mov b32 $r0 $tidx\n  mov b32 $r1 0x1\n  mov b32 $r2 0x0\n"
      "again:\n  set $p0 $p7 lt u32 $r0 $r1\n  bar popc $p7 $r5 $r63 $r63 $p0\n"
      "  add b32 $r2 $r2 $r5\n  add b32 $r1 $r1 0x1\n  set $p1 $p7 le u32 $r1 0x28\n  $p1 bra again\n"
      "  add b32 $r4 (shl $r0 0x2) c0[out]\n  st b32 wb g[$r4] $r2\n  exit\n.end\n";
  const fermi_outcome o = run_on_fermi(program, {{1}, {320, 1, 1}, 320});
  ASSERT_EQ(o.error, "");
  for (const std::uint32_t word : o.out) EXPECT_EQ(word, 820u);
}

// -- .S under a guard --

// Lane t leaves the region after `rounds` of its guard: all at once, one by one, or after some lanes have exited.
std::string guarded_program(const std::string& before, const std::string& limit) {
  return ".target sm_20\n.entry guarded\n.param u32 out\n.param u32 in\n"
         "  mov b32 $r0 $tidx\n  mov b32 $r5 0x0\n" +
         before +
         "  joinat meet\n"
         "again:\n  set $p0 $p7 ge u32 $r5 " +
         limit +
         "\n  join $p0 nop\n  add b32 $r5 $r5 0x1\n  bra again\n"
         "meet:\n  vote any $r6 $p7 $p7\n  add b32 $r4 (shl $r0 0x2) c0[out]\n"
         "  add b32 $r5 (shl $r5 0x8) $r6\n  st b32 wb g[$r4] $r5\n  exit\n.end\n";
}

TEST(fermi_chip, a_join_whose_guard_is_true_for_all_lanes_ends_the_region_at_once) {
  const fermi_outcome o = run_on_fermi(guarded_program("", "0x3"), {{1}, {8, 1, 1}, 8});
  ASSERT_EQ(o.error, "");
  for (const std::uint32_t word : o.out) EXPECT_EQ(word, (3u << 8) + 0xff);
}
TEST(fermi_chip, a_join_whose_guard_is_true_for_some_lanes_leaves_the_others) {
  const fermi_outcome o = run_on_fermi(guarded_program("", "$r0"), {{1}, {8, 1, 1}, 8});
  ASSERT_EQ(o.error, "");
  for (std::uint32_t t = 0; t < 8; ++t) EXPECT_EQ(o.out[t], (t << 8) + 0xff);
}
TEST(fermi_chip, lanes_that_have_exited_do_not_come_to_the_end_of_a_region) {
  const fermi_outcome o =
      run_on_fermi(guarded_program("  set $p1 $p7 lt u32 $r0 0x3\n  $p1 exit\n", "$r0"), {{1}, {8, 1, 1}, 8});
  ASSERT_EQ(o.error, "");
  for (std::uint32_t t = 0; t < 8; ++t) EXPECT_EQ(o.out[t], t < 3 ? 0 : (t << 8) + 0xf8);
}

TEST(fermi_chip, a_stack_deeper_than_the_chip_holds_goes_to_memory_and_back) {
  // 24 nested regions, each with a divergent branch, on a chip with room for 4 entries.
  std::string body;
  std::string ends;
  for (unsigned n = 1; n <= 24; ++n) {
    const std::string level = std::to_string(n);
    body += "  joinat meet" + level + "\n  set $p0 $p7 gt u32 $r0 " + level + "\n  $p0 bra in" + level +
            "\n  join nop\nin" + level + ":\n  add b32 $r5 $r5 0x1\n";
    ends = "  join nop\nmeet" + level + ":\n" + ends;
  }
  const std::string program =
      ".target sm_20\n.entry deep\n.param u32 out\n.param u32 in\n  mov b32 $r0 $tidx\n  mov b32 $r5 0x0\n" + body +
      ends + "  add b32 $r4 (shl $r0 0x2) c0[out]\n  st b32 wb g[$r4] $r5\n  exit\n.end\n";
  const fermi_outcome o = run_on_fermi(program, {{2}, {32, 1, 1}, 32}, {}, {"tpc.sm.simt_stack.entries=4"});
  ASSERT_EQ(o.error, "");
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(o.out[t], t == 0 ? 0 : std::min(t - 1, 24u)) << t;
}

// -- generic addresses --

// Lanes 0 to 15 reach shared memory, 16 to 23 their local memory, the others the buffer `in`. Under the checker.
TEST(fermi_chip, lanes_of_one_access_reach_shared_local_and_global_memory) {
  const std::string program =
      ".target sm_20\n.entry mixed\n.param u32 out\n.param u32 in\n.shared cells 256\n.local 16\n"
      "  mov b32 $r0 $tidx\n  shl b32 $r1 $r0 clamp 0x2\n  long mov b32 $r4 0xff000008\n"
      "  set $p0 $p7 lt u32 $r0 0x10\n  set $p1 $p7 lt u32 $r0 0x18\n"
      "  add b32 $r2 $r1 c0[in]\n  $p1 mov b32 $r2 $r4\n  $p0 add b32 $r2 $r1 c0[0x0]\n"
      "  add b32 $r3 $r0 0x7\n  st b32 wb g[$r2] $r3\n  ld b32 $r5 ca g[$r2]\n"  // written and read in parts
      "  add b32 $r6 $r1 c0[in]\n  $p0 add b32 $r6 $r1 c0[0x0]\n  ld b32 $r7 ca g[$r6]\n"
      "  $p1 mov b32 $r7 $r5\n  $p0 ld b32 $r7 ca g[$r6]\n"
      "  shl b32 $r5 $r5 clamp 0x8\n  add b32 $r5 $r5 $r7\n"
      "  add b32 $r1 $r1 c0[out]\n  st b32 wb g[$r1] $r5\n  exit\n.end\n";
  const fermi_outcome o = run_on_fermi(program, {{1}, {32, 1, 1}, 32});
  ASSERT_EQ(o.error, "");
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(o.out[t], (t + 7) << 8 | (t + 7)) << t;
}

// -- what the chip refuses --

TEST(fermi_chip, a_part_of_an_access_faults_for_its_lanes) {
  const std::string program =
      ".target sm_20\n.entry mixed\n.param u32 out\n.param u32 in\n.shared cells 128\n"
      "  mov b32 $r0 $tidx\n  set $p0 $p7 lt u32 $r0 0x10\n  mov b32 $r2 c0[in]\n"
      "  $p0 add b32 $r2 $r2 0x1\n  set $p1 $p7 lt u32 $r0 0x8\n  $p1 mov b32 $r2 c0[0x0]\n"
      "  ld b32 $r3 ca g[$r2]\n  exit\n.end\n";
  const fermi_outcome o = run_on_fermi(program, {{1}, {32, 1, 1}, 1});
  EXPECT_EQ(o.fault, arch_state::fault_kind::misaligned_address) << o.error;
  EXPECT_EQ(o.error.find("differ"), std::string::npos) << o.error;
}

TEST(fermi_chip, an_address_beyond_the_memory_faults) {
  const std::string program =
      ".target sm_20\n.address_size 64\n.entry wild\n.param u32 out\n.param u32 in\n"
      "  mov b32 $r2 c0[in]\n  mov b32 $r3 0x1\n  ld b32 $r5 ca g[$r2d]\n  exit\n.end\n";
  const fermi_outcome o = run_on_fermi(program, {{1}, {32, 1, 1}, 1});
  EXPECT_EQ(o.fault, arch_state::fault_kind::unmapped_address) << o.error;
  EXPECT_EQ(o.error.find("differ"), std::string::npos) << o.error;
}

}  // namespace
}  // namespace gt200::support
