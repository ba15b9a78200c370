// Execution must fail when it is broken: each test damages one thing in the running chip from outside, and the
// checked run or the hang report names it.

#include <functional>

#include "testbenches/system/checked/checked_board.h"
#include "toolchain/isa/tesla/instruction.h"

namespace gt200 {
namespace {

using model::collected_token;

// Acts on every token that enters a pipe.
template <class T>
class hook final : public tlm_bus::pipe_observer<T> {
 public:
  hook(tlm_bus::pipe_in<T>& pipe, std::function<void(const T&)> act) : act_(std::move(act)) {
    pipe.observers().attach(*this);
  }

 private:
  void token_sent(const sc_core::sc_object&, tlm_bus::femtoseconds, const T& token) override { act_(token); }
  void token_taken(const sc_core::sc_object&, tlm_bus::femtoseconds, const T&) override {}

  std::function<void(const T&)> act_;
};

class execution : public support::checked_board {
 protected:
  void finds(const std::string& what) {
    ASSERT_TRUE(checker->difference()) << "nothing found";
    EXPECT_NE(checker->difference()->what.find(what), std::string::npos) << difference();
  }
};

TEST_F(execution, a_missed_arrival_at_a_barrier_hangs_and_the_report_names_it) {
  build(support::checked_program("  bar inc wait 0x0 0xfff\n  st b32 g14[$r4] $r1\n  exit nop\n"));
  isa::tesla::instruction lost;
  hook<collected_token> damage(sm().barrier.in, [&](const collected_token& t) {
    if (t.operation->warp_in_block != 1) return;
    lost = isa::tesla::as_tesla(*t.operation->instruction);
    lost.barrier.arrives = false;
    t.operation->instruction = &lost;
  });
  const launch_result result = run(1, 96);
  EXPECT_EQ(result.reason, end_reason::hang);
  EXPECT_NE(result.explanation.find("waits at barrier 0 with 3 of 3 warps"), std::string::npos)
      << result.explanation;
}

TEST_F(execution, a_wrong_reconvergence_mask_is_found_after_reconvergence) {
  build(support::checked_program(R"(
  mov b32 $r5 0x4
  set $c0 # l u32 $r1 $r5
  joinat meet
  (lg $c0) bra other
  add b32 $r5 $r5 0x1
  bra meet
other:
  add b32 $r5 $r5 0x2
meet:
  join nop
  st b32 g14[$r4] $r5
  exit nop
)"));
  // Lane 9 does not return when the last path reaches the join.
  bool diverged = false;
  hook<model::redirect_token> damage(sm().fetch.redirect, [&](const model::redirect_token& t) {
    const bool together = sm().simt_stack.active_mask(t.warp) == ~0u;
    if (diverged && together) sm().simt_stack.start(t.warp, t.pc, ~0x200u);
    diverged = !together;
  });
  run(1, 32);
  finds("active lanes");
  EXPECT_EQ(checker->difference()->expected, "0xffffffff");
  EXPECT_EQ(checker->difference()->got, "0xfffffdff");
}

TEST_F(execution, a_lock_that_is_not_released_is_found_by_the_next_warp_that_takes_it) {
  build(support::checked_program(R"(
  set $c1 # e u32 $r1 $r124
  (lg $c1) st b32 s[cell] $r124
  bar inc wait 0x0 0xfff
  joinat done
again:
  ld lock $c0 $r5 b32 s[cell]
  (l $c0) add b32 $r5 $r5 $r1
  (l $c0) st unlock b32 s[cell] $r5
  (e $c0) bra again
done:
  join nop
  exit nop
)",
                                 ".shared cell 4\n"));
  isa::tesla::instruction kept;
  hook<collected_token> damage(sm().shared_memory.in, [&](const collected_token& t) {
    if (t.operation->instruction->access.kind != isa::access_kind::unlocking_store) return;
    kept = isa::tesla::as_tesla(*t.operation->instruction);
    kept.access.kind = isa::access_kind::store;
    t.operation->instruction = &kept;
  });
  run(1, 64);
  finds("$c0");
}

TEST_F(execution, a_stack_entry_that_memory_does_not_keep_ends_the_launch) {
  build(support::checked_program("  mov b32 $r5 0x6\n  call down\n  exit nop\ndown:\n"
                                 "  sub b32 $r5 $r5 0x1\n  set $c0 # e u32 $r5 $r124\n  (lg $c0) ret\n"
                                 "  call down\n  ret\n"),
        {"tpc.sm.simt_stack.entries=4"});
  hook<collected_token> damage(sm().memory_port.from_stack, [&](const collected_token& t) {
    t.operation->values.source[1][0].lane[0] ^= 0x100;  // a lane is lost on the way
  });
  const launch_result result = run(1, 32);
  EXPECT_EQ(result.reason, end_reason::fault);
  EXPECT_EQ(result.fault.kind, arch_state::fault_kind::stack_mismatch);
}

}  // namespace
}  // namespace gt200
