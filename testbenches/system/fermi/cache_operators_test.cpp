// Cache operators and cache control of sm_20 as programs see them: which loads an old line of the L1 answers, what
// drops it, what is the first to give way, what a prefetch saves. Every run is checked by the emulator.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <sstream>

#include "testbenches/system/fermi/fermi_board.h"

namespace gt200::support {
namespace {

std::string program(const std::string& body, const std::string& declarations = "") {
  return ".target sm_20\n.entry test\n.param u32 out\n.param u32 in\n" + declarations +
         "  mov b32 $r2 c0[in]\n  mov b32 $r3 c0[out]\n" + body + "  exit\n.end\n";
}

// A run in a process of its own.
struct outcome {
  std::string error;
  std::vector<std::uint32_t> out;
};
outcome run(const std::string& text, const fermi_grid& grid, const std::vector<std::string>& overrides = {}) {
  std::istringstream lines(run_apart(text, grid, {}, overrides));
  outcome o;
  std::string line;
  while (std::getline(lines, line) && line.find(" cycles, ") == std::string::npos) o.error += line;
  while (std::getline(lines, line)) o.out.push_back(static_cast<std::uint32_t>(std::stoul(line, nullptr, 16)));
  o.out.resize(grid.out_words);
  return o;
}

// -- old lines --

// Block 0 reads in[0] by ca, lets block 1 write 7 there, does `between`, and stores what `load` finds to out[0],
// and what ca finds afterwards to out[1].
fermi_outcome after_another_sm_wrote(const std::string& between, const std::string& load) {
  return run_on_fermi(
      program("  mov b32 $r1 $ctaidx\n  mov b32 $r10 0x1\n"
              "  set $p0 $p7 ne u32 $r1 0x0\n  $p0 bra writer\n"
              "  ld b32 $r4 ca g[$r2]\n  st b32 wb g[$r3+0x300] $r4\n  membar gl\n"
              "  st b32 wb g[$r3+0x100] $r10\n"
              "wait:\n  ld b32 $r5 cv g[$r3+0x200]\n  set $p1 $p7 eq u32 $r5 0x0\n  $p1 bra wait\n" +
              (between.empty() ? "" : "  " + between + "\n") + "  membar sys\n  ld b32 $r6 " + load +
              " g[$r2]\n  ld b32 $r7 ca g[$r2]\n  st b32 wb g[$r3] $r6\n  st b32 wb g[$r3+0x4] $r7\n  exit\n"
              "writer:\n  ld b32 $r5 cv g[$r3+0x100]\n  set $p1 $p7 eq u32 $r5 0x0\n  $p1 bra writer\n"
              "  mov b32 $r4 0x7\n  st b32 wb g[$r2] $r4\n  membar gl\n  st b32 wb g[$r3+0x200] $r10\n"),
      {{2}, {1, 1, 1}, 256});
}

struct litmus {
  const char* name;
  const char* between;
  const char* load;
  bool load_is_current;
  bool line_is_current;  // for ca afterwards
};

class stale_lines : public testing::TestWithParam<litmus> {};

TEST_P(stale_lines, answer_loads_unless_they_are_passed_or_dropped) {
  const fermi_outcome o = after_another_sm_wrote(GetParam().between, GetParam().load);
  ASSERT_EQ(o.error, "");
  EXPECT_EQ(o.out[0], GetParam().load_is_current ? 7u : fermi_input(0));
  EXPECT_EQ(o.out[1], GetParam().line_is_current ? 7u : fermi_input(0));
}

INSTANTIATE_TEST_SUITE_P(
    fermi, stale_lines,
    testing::Values(litmus{"ca", "", "ca", false, false}, litmus{"cs", "", "cs", false, false},
                    litmus{"cg", "", "cg", true, false}, litmus{"cv", "", "cv", true, false},
                    litmus{"line_written_back", "cctl wb $r63 g[$r2]", "ca", false, false},
                    litmus{"line_prefetched", "cctl pf1 $r63 g[$r2]", "ca", false, false},
                    litmus{"line_invalidated", "cctl iv $r63 g[$r2]", "ca", true, true},
                    litmus{"next_line_invalidated", "cctl iv $r63 g[$r2+0x80]", "ca", false, false},
                    litmus{"all_invalidated", "cctl ivall $r63 g[0x0]", "ca", true, true},
                    litmus{"own_store_beside_it", "st b32 cs g[$r2+0x4] $r10", "ca", true, true}),
    [](const testing::TestParamInfo<litmus>& info) { return std::string(info.param.name); });

// -- what was stored in a line --

// Each thread stores to local memory, `between` happens, and it loads what it stored.
void expect_kept(const std::string& between, const std::string& load = "ca",
                 const std::vector<std::string>& overrides = {}) {
  const outcome o =
      run(program("  mov b32 $r0 $tidx\n  shl b32 $r1 $r0 clamp 0x2\n  add b32 $r3 $r3 $r1\n  mov b32 $r8 0x10\n"
                  "  st b32 wb l[$r8] $r0\n  " +
                      between + "\n  ld b32 $r5 " + load + " l[$r8]\n  st b32 wb g[$r3] $r5\n",
                  ".local 64\n"),
          {{1}, {64, 1, 1}, 64}, overrides);
  ASSERT_EQ(o.error, "") << between;
  for (std::uint32_t i = 0; i < 64; ++i) ASSERT_EQ(o.out[i], i) << between;
}

TEST(fermi_local_lines, are_written_back_before_they_go) {
  expect_kept("cctl iv $r63 l[$r8]");
  expect_kept("cctl wb $r63 l[$r8]");
  expect_kept("cctl ivall $r63 l[0x0]");
  expect_kept("cctl iv $r63 l[0x1000]");  // beyond the end: no line
}
TEST(fermi_local_lines, are_right_for_the_last_load) {
  expect_kept("membar cta", "cs");
  expect_kept("cctl iv $r63 l[$r8]", "cs");
  expect_kept("membar cta", "cs", {"tpc.memory.l1.enabled=false"});
}

// -- what gives way first --

// Core cycles of a load of in[0] by ca after `before`, in an L1 where lines 4 KB apart share a set.
std::uint32_t cycles_of_load(const std::string& before) {
  const outcome o =
      run(program(before + "  membar gl\n  mov b32 $r20 $clock\n  ld b32 $r6 ca g[$r2]\n  and b32 $r6 $r6 0x0\n"
                           "  mov b32 $r21 $clock\n  add b32 $r21 $r21 $r6\n  sub b32 $r21 $r21 $r20\n"
                           "  st b32 wb g[$r3] $r21\n"),
          {{1}, {1, 1, 1}, 1}, {"tpc.memory.l1.set_index=modulo", "tpc.memory.l1.replacement=lru"});
  EXPECT_EQ(o.error, "") << before;
  return o.out[0];
}
// One after the other: a line on its way gives no room.
std::string loads(const std::string& cache, unsigned first, unsigned count) {
  std::string all;
  for (unsigned n = first; n < first + count; ++n)
    all += fmt::format("  ld b32 $r{} {} g[$r2+{:#x}]\n  membar gl\n", 30 + n, cache, 4096 * n);
  return all;
}
constexpr std::uint32_t hit_at_most = 60;
constexpr std::uint32_t miss_at_least = 120;

TEST(fermi_streaming, lines_of_cs_make_room_for_each_other) {
  EXPECT_LE(cycles_of_load(loads("ca", 0, 1)), hit_at_most);
  EXPECT_LE(cycles_of_load(loads("ca", 0, 1) + loads("ca", 1, 3)), hit_at_most) << "four ways";
  EXPECT_GE(cycles_of_load(loads("ca", 0, 1) + loads("ca", 1, 8)), miss_at_least);
  EXPECT_LE(cycles_of_load(loads("ca", 0, 1) + loads("cs", 1, 8)), hit_at_most);
  EXPECT_GE(cycles_of_load(loads("cs", 0, 1) + loads("ca", 1, 4)), miss_at_least);
}

// -- prefetch --

constexpr const char* delay =
    "  mov b32 $r9 0x100\nagain:\n  add b32 $r9 $r9 -0x1\n"
    "  set $p0 $p7 ne u32 $r9 0x0\n  $p0 bra again\n";

TEST(fermi_prefetch, brings_the_line_as_near_as_it_says) {
  const std::string known_page = "  ld b32 $r7 cg g[$r2+0x1000]\n";
  const std::uint32_t none = cycles_of_load(known_page + delay);
  const std::uint32_t l2 = cycles_of_load(known_page + "  cctl pf2 $r63 g[$r2]\n" + delay);
  const std::uint32_t l1 = cycles_of_load(known_page + "  cctl pf1 $r63 g[$r2]\n" + delay);
  EXPECT_LE(l1, hit_at_most);
  EXPECT_GE(l2, miss_at_least);
  EXPECT_GE(none, l2 + 100) << "the DRAM";
}
TEST(fermi_prefetch, of_what_is_not_mapped_or_not_cached_does_nothing) {
  EXPECT_GE(
      cycles_of_load("  mov b32 $r8 0x10\n  cctl pf1 $r63 g[$r8]\n  cctl pf2 $r63 g[$r8]\n  cctl iv $r63 g[$r8]\n"
                     "  add b32 $r8 $r8 c0[0x0]\n  cctl pf1 $r63 g[$r8]\n  cctl wb $r63 g[$r8]\n"),
      miss_at_least);
}
TEST(fermi_prefetch, without_caches_costs_no_more_than_time) {
  const outcome o =
      run(program("  cctl pf1 $r63 g[$r2]\n  cctl iv $r63 g[$r2]\n  cctl wb $r63 g[$r2]\n  cctl ivall $r63 g[0x0]\n"
                  "  ld b32 $r6 ca g[$r2]\n  st b32 wb g[$r3] $r6\n"),
          {{1}, {32, 1, 1}, 1}, {"tpc.memory.l1.enabled=false", "partition.l2.enabled=false"});
  ASSERT_EQ(o.error, "");
  EXPECT_EQ(o.out[0], fermi_input(0));
}

// -- what cannot be executed --

TEST(fermi_cache_control, with_a_result_or_of_read_only_caches_is_a_fault) {
  for (const char* refused : {"cctl query1 $r4 g[$r2]", "cctl rs $r63 g[$r2]", "cctl iv c $r63 g[$r2]",
                              "cctl ivall i $r63 g[0x0]", "cctl iv $r4 g[$r2]"}) {
    const outcome o = run(program(std::string("  ") + refused + "\n"), {{1}, {1, 1, 1}, 1});
    EXPECT_NE(o.error.find("unsupported instruction"), std::string::npos) << refused << ": " << o.error;
  }
}

}  // namespace
}  // namespace gt200::support
