// Divergence stacks that are deeper than their on-chip part: entries go to memory and return, which costs time and
// changes nothing else.
#include "testbenches/support/own_process.h"
#include "testbenches/system/checked/checked_board.h"

namespace gt200::support {
namespace {

// Every lane recurses as often as its number says, 11 to 42 times, and adds up on the way down.
const char* const recursion = R"(
  and b32 $r5 $r1 0x1f
  add b32 $r5 $r5 0xb
  mov b32 $r6 0x0
  call down
  st b32 g14[$r4] $r6
  exit nop
down:
  add b32 $r6 $r6 $r5
  sub b32 $r5 $r5 0x1
  set $c0 # e u32 $r5 $r124
  joinat bottom
  (lg $c0) bra bottom
  call down
bottom:
  join nop
  ret
)";

struct outcome {
  std::uint64_t cycles = 0, stored = 0, loaded = 0;
};

class stack_memory : public checked_board, public ::testing::WithParamInterface<const char*> {
 protected:
  std::vector<std::string> with(std::vector<std::string> overrides) const {
    overrides.push_back(std::string("tpc.sm.simt_stack.mechanism=") + GetParam());
    return overrides;
  }
  std::uint32_t word(unsigned index) {
    std::uint32_t value = 0;
    board->peek(out + 4 * index, reinterpret_cast<std::uint8_t*>(&value), 4);
    return value;
  }
  outcome run_recursion(const std::vector<std::string>& overrides) {
    build(checked_program(recursion), with(overrides));
    const launch_result result = run(2, 96);
    EXPECT_EQ(result.reason, end_reason::done) << result.explanation << arch_state::describe(result.fault);
    EXPECT_EQ(difference(), "no difference");
    for (unsigned thread = 0; thread < 2 * 96; ++thread) {
      const unsigned depth = thread % 96 % 32 + 11;
      EXPECT_EQ(word(thread), depth * (depth + 1) / 2) << "thread " << thread;
    }
    outcome o;
    o.cycles = result.cycles;
    for (model::sm_if* each : board->chip().sms()) {
      const model::tesla_sm& sm = tesla(*each);
      o.stored += sm.stack_memory.spilled.value();
      o.loaded += sm.stack_memory.filled.value();
      EXPECT_EQ(sm.instruction_pool.in_flight(), 0u);
    }
    return o;
  }
  // The cycles of a run in a process of its own, for comparisons.
  std::uint64_t cycles_with(const std::vector<std::string>& overrides) {
    return std::stoull(in_own_process([&] { return std::to_string(run_recursion(overrides).cycles); }));
  }
};

TEST_P(stack_memory, takes_what_a_deep_recursion_does_not_find_room_for) {
  const std::uint64_t with_room = cycles_with({"tpc.sm.simt_stack.entries=256"});
  const std::uint64_t with_fewer = cycles_with({"tpc.sm.simt_stack.entries=8"});
  const outcome o = run_recursion({});
  // A joinat and a call in each of 42 frames, and the first call: entries beyond 16 move, in 6 warps.
  EXPECT_EQ(o.stored, 6u * (2 * 42 - 16));
  EXPECT_EQ(o.loaded, o.stored);
  // The loads are sequential, each at least a memory latency.
  EXPECT_GT(o.cycles, with_room + (2 * 42 - 16) * 150);
  EXPECT_GT(with_fewer, o.cycles + 8 * 150);
}
TEST_P(stack_memory, is_not_used_where_there_is_room) {
  EXPECT_EQ(run_recursion({"tpc.sm.simt_stack.entries=256"}).stored, 0u);
}
TEST_P(stack_memory, works_with_stalls_and_join_before_its_instruction) {
  EXPECT_GT(run_recursion({"tpc.sm.simt_stack.entries=4", "tpc.sm.simt_stack.join=before",
                           "tpc.sm.simt_stack.first_path=taken", "simulation.stalls_per_1024=100"})
                .stored,
            0u);
}
TEST_P(stack_memory, ends_where_the_configuration_says) {
  build(checked_program(recursion), with({"tpc.sm.simt_stack.maximum_entries=64"}));
  const launch_result result = run(1, 32);
  EXPECT_EQ(difference(), "no difference");
  EXPECT_EQ(result.fault.kind, arch_state::fault_kind::stack_overflow);
}

INSTANTIATE_TEST_SUITE_P(of, stack_memory, ::testing::Values("typed_tokens", "pdom"),
                         [](const auto& of) { return std::string(of.param); });

}  // namespace
}  // namespace gt200::support
