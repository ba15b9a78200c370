// Programs in one warp, checked: in which cycle an instruction issues, and when its predecessors have written back.
// What writes back at t can be used at t + 1 and not before.
#include "testbenches/subsystem/sm/completions.h"
#include "testbenches/system/checked/checked_board.h"

namespace gt200 {
namespace {

struct mechanism {
  const char* name;
  std::vector<std::string> overrides;
};

void PrintTo(const mechanism& m, std::ostream* out) { *out << m.name; }

class dependencies : public support::checked_board, public ::testing::WithParamInterface<mechanism> {
 protected:
  bool single_loop() const { return std::string(GetParam().name) == "single_loop"; }
  void run_program(const std::string& body, const std::vector<std::string>& more = {}) {
    std::vector<std::string> overrides = GetParam().overrides;
    overrides.insert(overrides.end(), more.begin(), more.end());
    build(support::checked_program(body + "  exit nop\n", ".shared tile 256\n"), overrides);
    seen = std::make_unique<support::completions>(sm());
    run_alike(1, 32);
  }
  // `second` issues in the first cycle in which it can use what `first` has written.
  void expect_waits(const std::string& first, const std::string& second) const {
    EXPECT_EQ(seen->of(second).issued, seen->of(first).completed + 1) << second;
  }
  // Issue in order; in a single loop one after the other.
  void expect_does_not_wait(const std::string& first, const std::string& second) const {
    if (single_loop()) return expect_waits(first, second);
    EXPECT_EQ(seen->of(second).issued, seen->of(first).issued + 1) << "in order, one instruction per cycle";
    EXPECT_LT(seen->of(second).issued, seen->of(first).completed);
  }
  std::unique_ptr<support::completions> seen;
};

TEST_P(dependencies, an_addition_overtakes_an_independent_load_and_a_dependent_one_waits) {
  run_program(R"(
  ld b32 $r5 g14[$r3]
  add b32 $r6 $r1 $r1
  add b32 $r7 $r5 $r6
  st b32 g14[$r4] $r7
)");
  const std::string load = "ld b32 $r5 g14[$r3]", independent = "add b32 $r6 $r1 $r1",
                    dependent = "add b32 $r7 $r5 $r6";
  expect_does_not_wait(load, independent);
  if (single_loop()) return expect_waits(independent, dependent);
  EXPECT_LT(seen->of(independent).completed, seen->of(load).completed) << "completes first";
  expect_waits(load, dependent);
}

TEST_P(dependencies, a_second_write_waits_for_the_first) {
  run_program(R"(
  ld b32 $r5 g14[$r3]
  add b32 $r5 $r1 $r1
  st b32 g14[$r4] $r5
)");
  expect_waits("ld b32 $r5 g14[$r3]", "add b32 $r5 $r1 $r1");
}

TEST_P(dependencies, both_destinations_of_one_instruction_are_waited_for) {
  run_program(R"(
  add b32 $c0 $r6 $r1 $r1
  (lg $c0) mov b32 $r7 $r2
  add b32 $r8 $r6 $r7
  st b32 g14[$r4] $r8
)");
  expect_waits("add b32 $c0 $r6 $r1 $r1", "(lg $c0) mov b32 $r7 $r2");
  expect_waits("(lg $c0) mov b32 $r7 $r2", "add b32 $r8 $r6 $r7");
}

TEST_P(dependencies, a_write_passes_a_store_that_waits_in_its_collector) {
  run_program(support::write_past_a_store, support::narrow_way_to_memory());
  const std::string store = "st b32 g14[$r4] $r5", addition = "add b32 $r5 $r1 0x7";
  expect_does_not_wait(store, addition);
  if (!single_loop()) {
    EXPECT_LT(seen->of(addition).completed, seen->of(store).left_collector);
  }
}

TEST_P(dependencies, a_write_passes_an_instruction_that_waits_for_the_sfu) {
  run_program(R"(
  mov b32 $r5 0x3f800000
  rcp f32 $r8 $r5
  rsqrt f32 $r9 $r5
  rcp f32 $r10 $r5
  add b32 $r5 $r1 $r1
  xor b32 $r5 $r5 $r10
  st b32 g14[$r4] $r5
)");
  expect_does_not_wait("rcp f32 $r10 $r5", "add b32 $r5 $r1 $r1");
  if (!single_loop()) {
    EXPECT_LT(seen->of("add b32 $r5 $r1 $r1").completed, seen->of("rcp f32 $r10 $r5").completed);
  }
}

TEST_P(dependencies, an_s_operand_sees_the_store_before_it_without_waiting_at_issue) {
  run_program(R"(
  shl $a1 $r1 0x2
  st b32 s[$a1+tile] $r1
  add b32 $r5 b32 s[$a1+tile] $r1
  st b32 g14[$r4] $r5
)");
  const std::string store = "st b32 s[$a1+0x18] $r1", addition = "add b32 $r5 b32 s[$a1+0x18] $r1";
  expect_does_not_wait(store, addition);
  EXPECT_GT(seen->of(addition).completed, seen->of(store).completed);
}

TEST_P(dependencies, what_is_fetched_behind_a_taken_branch_leaves_nothing_to_wait_for) {
  run_program(R"(
  mov b32 $r6 0x10
again:
  sub b32 $r6 $r6 0x1
  set $c0 # l s32 $r124 $r6
  (lg $c0) bra again
  bra over
  ld b32 $r5 g14[$r3]
over:
  add b32 $r7 $r1 $r5
  st b32 g14[$r4] $r7
)",
              {"tpc.sm.fetch.instructions_per_fetch=2", "tpc.sm.instruction_buffer.entries_per_warp=4",
               "tpc.sm.scoreboard.entries_per_warp=1"});
  EXPECT_GE(sm().decode.discarded.value(), 16u) << "fetched behind a branch";
  EXPECT_FALSE(seen->saw("ld b32 $r5 g14[$r3]"));
  EXPECT_TRUE(seen->saw("add b32 $r7 $r1 $r5"));
}

INSTANTIATE_TEST_SUITE_P(with, dependencies,
                         ::testing::Values(mechanism{"coon", {}},
                                           mechanism{"coon_at_issue", {"tpc.sm.scoreboard.allocate=at_issue"}},
                                           mechanism{"bitmap", {"tpc.sm.scoreboard.mechanism=bitmap"}},
                                           mechanism{"single_loop", {"tpc.sm.scoreboard.mechanism=single_loop"}}),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace gt200
