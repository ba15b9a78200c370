// Warps that take threads of several blocks: shared memory, barriers, locks, local memory and faults stay those of
// the thread's block, and a block ends when nothing of it is left in slots of others.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

#include "testbenches/system/checked/checked_board.h"

namespace gt200::support {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> one_sm(bool across, const std::string& heuristic = "majority") {
  return {"tpc.sm.warp_formation=dynamic",
          std::string("tpc.sm.warp_former.across_blocks=") + (across ? "true" : "false"),
          "tpc.sm.warp_former.heuristic=" + heuristic,
          "chip.tpcs=1",
          "chip.sms_per_tpc=1",
          "tpc.texture.l1.instances=1"};
}

// $r6 = 1 in every other lane, in even blocks the others than in odd blocks: threads of two blocks fill a warp.
const std::string alternating =
    "  cvt u32 $r6 u16 u16 s[%ctaid.x]\n  add b32 $r6 $r6 $r1\n  and b32 $r6 $r6 0x1\n  mov b32 $r7 0x0\n"
    "  set $c0 # lg u32 $r6 $r7\n";

std::string way(unsigned instructions) {
  std::string text;
  for (unsigned n = 0; n < instructions; ++n) text += "  add b32 $r5 $r5 0x3\n";
  return text;
}

// Half of the threads go a way of 40 instructions.
std::string half_goes() {
  return checked_program("  mov b32 $r5 $r1\n" + alternating + "  joinat meet\n  (lg $c0) bra meet\n" + way(40) +
                         "meet:\n  join nop\n  st b32 g14[$r4] $r5\n  exit nop\n");
}

class warps_across_blocks : public checked_board {
 protected:
  std::vector<std::uint32_t> stored(unsigned words) {
    std::vector<std::uint32_t> result(words);
    board->peek(out, reinterpret_cast<std::uint8_t*>(result.data()), 4 * words);
    return result;
  }
  double lanes() {
    return static_cast<double>(sm().issue.thread_instructions.value()) /
           static_cast<double>(sm().issue.issued.value());
  }
};

TEST_F(warps_across_blocks, are_filled_by_threads_that_one_block_does_not_have) {
  build(half_goes(), one_sm(true, "time_stamp"));
  run_alike(8, 64);
  EXPECT_GT(sm().warp_former->regrouped.value(), 0u);
  EXPECT_GT(lanes(), 27) << "alone, a warp of a block is half empty on the way";
}
TEST_F(warps_across_blocks, are_an_option) {
  build(half_goes(), one_sm(false, "time_stamp"));
  run_alike(8, 32);
  EXPECT_EQ(sm().warp_former->regrouped.value(), 0u) << "a block has one warp";
  EXPECT_LT(lanes(), 21);
}

// More blocks than fit, of several warps: slots go from block to block.
TEST_F(warps_across_blocks, let_every_block_end_once) {
  build(half_goes(), one_sm(true));
  run_alike(40, 96);
  EXPECT_EQ(sm().block_control.blocks_retired.value(), 40u);
  EXPECT_EQ(sm().block_control.resident_blocks(), 0u);
}

// Each thread writes to its block's shared memory on one of two ways, and reads what its neighbour wrote.
std::string exchange_in_blocks() {
  return checked_program("  shl $a1 $r1 0x2\n  mov b32 $r5 $r0\n" + alternating +
                             "  joinat meet\n  (lg $c0) bra second\n" + way(10) +
                             "  st b32 s[$a1+cells] $r5\n  bar inc wait 0x0 0xfff\n  bra meet\n"
                             "second:\n  st b32 s[$a1+cells] $r5\n  bar inc wait 0x0 0xfff\n"
                             "meet:\n  join nop\n  xor b32 $r8 $r1 0x1\n  shl $a1 $r8 0x2\n"
                             "  ld $r9 b32 s[$a1+cells]\n  st b32 g14[$r4] $r9\n  exit nop\n",
                         ".shared cells 512\n");
}

TEST_F(warps_across_blocks, leave_shared_memory_and_barriers_to_the_block) {
  build(exchange_in_blocks(), one_sm(true));
  run_alike(8, 64);
  const std::vector<std::uint32_t> words = stored(8 * 64);
  for (unsigned n = 0; n < words.size(); ++n) {
    const unsigned neighbour = n ^ 1;
    const bool goes = (neighbour / 64 + neighbour % 64) % 2 == 0;
    EXPECT_EQ(words[n], neighbour + (goes ? 30 : 0)) << "thread " << n;
  }
  EXPECT_EQ(sm().barrier.releases.value(), 8u);
  EXPECT_GT(sm().warp_former->regrouped.value(), 0u);
}

// s[] of a block lies in words of its own: what one block broadcasts takes a step for each block.
std::string reads_parameters() {
  return checked_program(alternating + "  joinat meet\n  (lg $c0) bra meet\n" + way(40) +
                         "  add b32 $r5 b32 s[in] $r5\n  add b32 $r5 b32 s[in] $r5\n"
                         "meet:\n  join nop\n  st b32 g14[$r4] $r1\n  exit nop\n");
}
TEST_F(warps_across_blocks, read_parameters_of_each_block_from_its_own_words) {
  build(reads_parameters(), one_sm(true, "time_stamp"));
  run_alike(8, 32);
  EXPECT_GT(sm().shared_memory.conflict_cycles.value(), 0u);
}
TEST_F(warps_across_blocks, meet_no_other_block_in_the_banks_when_formed_within_blocks) {
  build(reads_parameters(), one_sm(false, "time_stamp"));
  run_alike(8, 32);
  EXPECT_EQ(sm().shared_memory.conflict_cycles.value(), 0u);
}

// The threads of the first way end at once; those of the second store much later, from slots of any block.
TEST_F(warps_across_blocks, keep_a_block_until_its_last_store_is_done) {
  build(checked_program("  mov b32 $r5 $r1\n" + alternating + "  joinat meet\n  (lg $c0) bra meet\n" + way(60) +
                        "meet:\n  join nop\n  st b32 g14[$r4] $r5\n  st b32 g14[$r4] $r5\n  exit nop\n"),
        one_sm(true, "time_stamp"));
  run_alike(24, 64);
  EXPECT_EQ(sm().block_control.blocks_retired.value(), 24u);
  EXPECT_EQ(stored(2)[0], 180u);
}

TEST_F(warps_across_blocks, name_the_block_of_a_thread_that_faults) {
  build(checked_program(alternating + "  joinat meet\n  (lg $c0) bra meet\n"
                                      "  mov b32 $r8 0xab\n  mov b32 $r9 0x4\n  set $c1 # e u32 $r0 $r8\n"
                                      "  (lg $c1) mov b32 $r4 $r9\n  st b32 g14[$r4] $r1\n"
                                      "meet:\n  join nop\n  exit nop\n"),
        one_sm(true));
  const launch_result result = run(8, 32);  // thread 0xab: lane 11 of block 5
  EXPECT_EQ(difference(), "no difference");
  ASSERT_EQ(result.reason, end_reason::fault);
  EXPECT_EQ(result.fault.block_x, 5u) << arch_state::describe(result.fault);
  EXPECT_EQ(result.fault.warp, 0u);
  EXPECT_EQ(result.fault.lanes, 1u << 11);
}

// Takes a thread of another block into a lane of the first warp that has threads of several.
class block_exchange final : public model::formation_observer {
 public:
  explicit block_exchange(model::warp_former& former) : former_(former) { former.observers().attach(*this); }
  ~block_exchange() override { former_.observers().detach(*this); }
  void formed(model::warp_slot, model::waiting_warp& warp) override {
    if (done) return;
    const auto lane = static_cast<unsigned>(__builtin_ctz(warp.lanes));
    for (unsigned other = lane + 1; other < 32; ++other) {
      if ((warp.lanes >> other & 1) == 0 || warp.threads.block[other] == warp.threads.block[lane]) continue;
      std::swap(warp.threads.slot[lane], warp.threads.slot[other]);
      std::swap(warp.threads.number[lane], warp.threads.number[other]);
      std::swap(warp.threads.block[lane], warp.threads.block[other]);
      done = true;
      return;
    }
  }
  bool done = false;

 private:
  model::warp_former& former_;
};

TEST_F(warps_across_blocks, with_threads_of_two_blocks_exchanged_are_found) {
  build(half_goes(), one_sm(true));
  const block_exchange damage(*sm().warp_former);
  run(8, 32);
  EXPECT_TRUE(damage.done);
  EXPECT_THAT(difference(), HasSubstr("of thread ")) << difference();
}

// Gives a thread to a block that it is not of.
class wrong_block final : public model::formation_observer {
 public:
  explicit wrong_block(model::warp_former& former) : former_(former) { former.observers().attach(*this); }
  ~wrong_block() override { former_.observers().detach(*this); }
  void formed(model::warp_slot, model::waiting_warp& warp) override {
    const auto lane = static_cast<unsigned>(__builtin_ctz(warp.lanes));
    if (!done) warp.threads.block[lane] = warp.threads.block[lane] == 0 ? 1 : 0;
    done = true;
  }
  bool done = false;

 private:
  model::warp_former& former_;
};

TEST_F(warps_across_blocks, with_a_thread_in_a_wrong_block_are_found) {
  build(exchange_in_blocks(), one_sm(true));
  const wrong_block damage(*sm().warp_former);
  run(8, 64);
  EXPECT_TRUE(damage.done);
  EXPECT_NE(difference(), "no difference");
}

}  // namespace
}  // namespace gt200::support
