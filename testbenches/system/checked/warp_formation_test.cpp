// Warps that are formed anew where threads diverge: who runs together, barriers thread by thread, faults, kernels
// that keep static warps, and damage that checked execution finds.
#include <gmock/gmock.h>

#include <cstring>
#include <numeric>

#include "testbenches/system/checked/checked_board.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/error.h"

namespace gt200::support {
namespace {

using ::testing::HasSubstr;

const std::vector<std::string> formed_on_one_sm = {"tpc.sm.warp_formation=dynamic", "chip.tpcs=1",
                                                   "chip.sms_per_tpc=1", "tpc.texture.l1.instances=1"};

std::vector<std::string> one_sm_and(const std::string& more) {
  std::vector<std::string> overrides = formed_on_one_sm;
  overrides.push_back(more);
  return overrides;
}

// Odd and even threads of each warp take different ways of many instructions.
std::string odd_and_even_ways() {
  std::string odd, even;
  for (unsigned n = 0; n < 20; ++n) {
    odd += "  add b32 $r5 $r5 0x3\n";
    even += "  xor b32 $r5 $r5 $r1\n";
  }
  return checked_program(
      "  mov b32 $r5 $r1\n  and b32 $r6 $r1 0x1\n  mov b32 $r7 0x0\n"
      "  set $c0 # lg u32 $r6 $r7\n  joinat meet\n  (lg $c0) bra odd\n" +
      even + "  bra meet\nodd:\n" + odd + "meet:\n  join nop\n  st b32 g14[$r4] $r5\n  exit nop\n");
}

// In each pair of warps one has the even, the other the odd threads for the first way: together they fill a warp.
std::string complementary_ways() {
  std::string way;
  for (unsigned n = 0; n < 40; ++n) way += "  add b32 $r5 $r5 0x3\n";
  return checked_program(
      "  mov b32 $r5 $r1\n  shr u32 $r6 $r1 0x5\n  add b32 $r6 $r6 $r1\n"
      "  and b32 $r6 $r6 0x1\n  mov b32 $r7 0x0\n"
      "  set $c0 # lg u32 $r6 $r7\n  joinat meet\n  (lg $c0) bra meet\n" +
      way + "meet:\n  join nop\n  st b32 g14[$r4] $r5\n  exit nop\n");
}

class formed_warps : public checked_board {
 protected:
  std::uint64_t slots(model::stall_cause cause, tlm_bus::cycle_t until) {
    return sm().issue.slots_until(0, model::core_cycle(until))[static_cast<std::size_t>(cause)];
  }
  // Active in an issued instruction, on average.
  double lanes() {
    return static_cast<double>(sm().issue.thread_instructions.value()) /
           static_cast<double>(sm().issue.issued.value());
  }
  launch_result launch_static(unsigned blocks, unsigned threads) {
    launch::launch_parameters parameters;
    parameters.kernel = &module.kernels.at(0);
    parameters.grid = {blocks, 1};
    parameters.block = {threads, 1, 1};
    parameters.warp_synchronous = true;
    parameters.parameter_bytes.resize(8);
    std::memcpy(parameters.parameter_bytes.data(), &out, 4);
    std::memcpy(parameters.parameter_bytes.data() + 4, &in, 4);
    const launch_result result = board->launch(parameters);
    checker->launch_ended(result);
    return result;
  }
  std::vector<std::uint32_t> stored(unsigned words) {
    std::vector<std::uint32_t> result(words);
    board->peek(out, reinterpret_cast<std::uint8_t*>(result.data()), 4 * words);
    return result;
  }
};

TEST_F(formed_warps, take_threads_of_several_warps) {
  build(complementary_ways(), formed_on_one_sm);
  EXPECT_EQ(launch_static(1, 512).reason, end_reason::done);
  const double kept = lanes();
  const std::uint64_t threads = sm().issue.thread_instructions.value();
  const std::uint64_t warps = sm().issue.issued.value();
  run_alike(1, 512);
  EXPECT_GT(sm().warp_former->regrouped.value(), 0u);
  const double formed = static_cast<double>(sm().issue.thread_instructions.value() - threads) /
                        static_cast<double>(sm().issue.issued.value() - warps);
  EXPECT_GT(formed, kept) << "static warps have idle lanes on the way";
}

TEST_F(formed_warps, of_threads_that_share_their_lanes_gain_nothing) {
  build(odd_and_even_ways(), formed_on_one_sm);
  run_alike(1, 512);
  EXPECT_LT(lanes(), 22) << "a thread keeps its lane";
}

TEST_F(formed_warps, leave_each_slot_with_one_cause) {
  build(odd_and_even_ways(), formed_on_one_sm);
  run_alike(3, 96);
  const model::slot_counts all = sm().issue.slots_until(0, model::core_cycle(4000));
  EXPECT_EQ(std::accumulate(all.begin(), all.end(), std::uint64_t{0}), 4000u);
  EXPECT_GT(slots(model::stall_cause::warp_formation, 4000), 0u);
}

TEST_F(formed_warps, do_not_exist_on_a_chip_with_static_warps) {
  build(odd_and_even_ways());
  run_alike(1, 64);
  EXPECT_EQ(sm().warp_former, nullptr);
}

// Half of the threads arrive at one barrier instruction, half at another; no thread is ahead of the slowest.
TEST_F(formed_warps, wait_at_barriers_thread_by_thread) {
  build(checked_program("  shl $a1 $r1 0x2\n  st b32 s[$a1+cells] $r1\n"
                        "  and b32 $r6 $r1 0x1\n  mov b32 $r7 0x0\n  set $c0 # lg u32 $r6 $r7\n"
                        "  joinat meet\n  (lg $c0) bra odd\n  bar inc wait 0x0 0xfff\n  bra meet\n"
                        "odd:\n  bar inc wait 0x0 0xfff\n"
                        "meet:\n  join nop\n  xor b32 $r5 $r1 0x21\n  shl $a1 $r5 0x2\n"
                        "  ld $r6 b32 s[$a1+cells]\n  st b32 g14[$r4] $r6\n  exit nop\n",
                        ".shared cells 512\n"),
        formed_on_one_sm);
  run_alike(1, 64);
  const std::vector<std::uint32_t> words = stored(64);
  for (unsigned n = 0; n < 64; ++n) EXPECT_EQ(words[n], n ^ 0x21);
  EXPECT_EQ(sm().barrier.releases.value(), 1u);
}

TEST_F(formed_warps, arrive_without_waiting_too) {
  std::string body =
      "  st b32 s[$a1+cells] $r1\n  bar inc 0 0xfff\n  bar inc 1 0xfff\n  bar wait 0 0xfff\n"
      "  bar wait 1 0xfff\n";
  build(checked_program("  shl $a1 $r1 0x2\n" + body +
                            "  xor b32 $r5 $r1 0x20\n  shl $a1 $r5 0x2\n  ld $r6 b32 s[$a1+cells]\n"
                            "  st b32 g14[$r4] $r6\n  exit nop\n",
                        ".shared cells 2048\n"),
        formed_on_one_sm);
  run_alike(2, 256);
  EXPECT_EQ(sm().barrier.releases.value(), 4u);
}

// The counters of the unit are laid out anew by each grid.
TEST_F(formed_warps, wait_at_their_own_barriers_after_a_kernel_with_more) {
  const std::string stores = "  st b32 g14[$r4] $r1\n  exit nop\n";
  const cubin::module many = assembler::assemble(checked_program("  bar inc wait 0xf 0xfff\n" + stores), "many.s");
  build(checked_program("  bar inc wait 0x0 0xfff\n" + stores), formed_on_one_sm);
  board->load(many, {});
  kernel = &many.kernels[0];
  run_alike(8, 64);
  board->load(module, {});
  kernel = nullptr;
  run_alike(8, 64);
  EXPECT_EQ(sm().barrier.releases.value(), 16u);
}

// Threads that end are not awaited.
TEST_F(formed_warps, pass_barriers_when_the_others_have_ended) {
  build(checked_program("  and b32 $r6 $r1 0x1\n  mov b32 $r7 0x0\n  set $c0 # lg u32 $r6 $r7\n"
                        "  joinat meet\n  (lg $c0) bra meet\n  exit nop\n"
                        "meet:\n  join nop\n  bar inc wait 0x0 0xfff\n  st b32 g14[$r4] $r1\n  exit nop\n"),
        formed_on_one_sm);
  run_alike(2, 80);
  EXPECT_EQ(stored(80)[79], 79u);
}

TEST_F(formed_warps, use_the_local_memory_of_their_threads) {
  build(checked_program("  mov b32 $r5 $r1\n  st b32 l[0x4] $r1\n  shr u32 $r6 $r1 0x5\n  add b32 $r6 $r6 $r1\n"
                        "  and b32 $r6 $r6 0x1\n  mov b32 $r7 0x0\n  set $c0 # lg u32 $r6 $r7\n"
                        "  joinat meet\n  (lg $c0) bra meet\n  ld b32 $r5 l[0x4]\n  add b32 $r5 $r5 0x1000\n"
                        "  st b32 l[0x4] $r5\n"
                        "meet:\n  join nop\n  ld b32 $r8 l[0x4]\n  st b32 g14[$r4] $r8\n  exit nop\n",
                        ".local 16\n"),
        formed_on_one_sm);
  run_alike(1, 64);
  const std::vector<std::uint32_t> words = stored(64);
  for (unsigned n = 0; n < 64; ++n) EXPECT_EQ(words[n], ((n >> 5) + n) % 2 == 0 ? n + 0x1000 : n);
  EXPECT_GT(sm().warp_former->regrouped.value(), 0u);
}

// The fault names the thread by its warp in the program, wherever it runs.
TEST_F(formed_warps, report_a_fault_of_the_thread_that_has_it) {
  build(checked_program(
            "  shr u32 $r6 $r1 0x5\n  add b32 $r6 $r6 $r1\n  and b32 $r6 $r6 0x1\n  mov b32 $r7 0x0\n"
            "  set $c0 # lg u32 $r6 $r7\n  joinat meet\n  (lg $c0) bra meet\n"
            "  mov b32 $r8 0x2b\n  mov b32 $r9 0x4\n  set $c1 # e u32 $r1 $r8\n  (lg $c1) mov b32 $r4 $r9\n"
            "  st b32 g14[$r4] $r1\n"
            "meet:\n  join nop\n  exit nop\n"),
        formed_on_one_sm);
  const launch_result result = run(1, 64);
  EXPECT_EQ(difference(), "no difference");
  ASSERT_EQ(result.reason, end_reason::fault);
  EXPECT_EQ(result.fault.kind, arch_state::fault_kind::unmapped_address) << arch_state::describe(result.fault);
  EXPECT_EQ(result.fault.warp, 1u);
  EXPECT_EQ(result.fault.lanes, 1u << 0xb);
}

// -- what depends on who shares a warp --

// Thread 0 takes a long way and then writes its cell. Each thread reads the cell of its neighbour without a
// barrier.
std::string without_barriers() {
  std::string way;
  for (unsigned n = 0; n < 30; ++n) way += "  add b32 $r8 $r8 0x1\n";
  return checked_program(
      "  shl $a1 $r1 0x2\n  mov b32 $r8 0x0\n  st b32 s[$a1+cells] $r8\n"
      "  bar inc wait 0x0 0xfff\n  mov b32 $r7 0x0\n"
      "  set $c0 # lg u32 $r1 $r7\n  joinat meet\n  (lg $c0) bra meet\n" +
          way +
          "  st b32 s[$a1+cells] $r8\n"
          "meet:\n  join nop\n  xor b32 $r5 $r1 0x1\n  shl $a1 $r5 0x2\n"
          "  ld $r6 b32 s[$a1+cells]\n  st b32 g14[$r4] $r6\n  exit nop\n",
      ".shared cells 512\n");
}

TEST_F(formed_warps, change_what_warp_synchronous_code_computes) {
  build(without_barriers(), one_sm_and("tpc.sm.warp_former.heuristic=time_stamp"));
  run_alike(1, 64);
  EXPECT_EQ(stored(2)[1], 0u) << "thread 1 did not wait for its neighbour";
}
TEST_F(formed_warps, are_not_made_of_a_kernel_that_says_so) {
  build(without_barriers(), one_sm_and("tpc.sm.warp_former.heuristic=time_stamp"));
  EXPECT_EQ(launch_static(1, 64).reason, end_reason::done);
  EXPECT_EQ(difference(), "no difference");
  EXPECT_EQ(stored(2)[1], 30u);
  EXPECT_EQ(sm().warp_former->formed.value(), 0u);
}
TEST_F(formed_warps, are_made_again_after_such_a_kernel) {
  build(complementary_ways(), formed_on_one_sm);
  EXPECT_EQ(launch_static(4, 64).reason, end_reason::done);
  EXPECT_EQ(sm().warp_former->formed.value(), 0u);
  run_alike(4, 64);
  EXPECT_GT(sm().warp_former->formed.value(), 0u);
}

TEST_F(formed_warps, do_not_vote) {
  build(checked_program("  mov b32 $r7 0x0\n  set $c0 # lg u32 $r1 $r7\n  (lg $c0) vote any $c1\n"
                        "  st b32 g14[$r4] $r1\n  exit nop\n"),
        formed_on_one_sm);
  try {
    run(1, 64);
    FAIL();
  } catch (const input_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("vote any"));
    EXPECT_THAT(error.what(), HasSubstr("combines the lanes of a warp"));
    EXPECT_THAT(error.what(), HasSubstr("warp_synchronous = true"));
  }
}

// -- damage --

// Takes a thread of another warp of the block into a lane of the first warp that has threads of several.
class exchange final : public model::formation_observer {
 public:
  explicit exchange(model::warp_former& former) : former_(former) { former.observers().attach(*this); }
  ~exchange() override { former_.observers().detach(*this); }
  void formed(model::warp_slot, model::waiting_warp& warp) override {
    if (done) return;
    const auto lane = static_cast<unsigned>(__builtin_ctz(warp.lanes));
    for (unsigned other = lane + 1; other < 32; ++other) {
      if ((warp.lanes >> other & 1) == 0 || warp.threads.number[other] == warp.threads.number[lane]) continue;
      std::swap(warp.threads.slot[lane], warp.threads.slot[other]);
      std::swap(warp.threads.number[lane], warp.threads.number[other]);
      done = true;
      return;
    }
  }
  bool done = false;

 private:
  model::warp_former& former_;
};

TEST_F(formed_warps, with_two_lanes_exchanged_are_found) {
  build(complementary_ways(), formed_on_one_sm);
  const exchange damage(*sm().warp_former);
  run(1, 64);
  EXPECT_TRUE(damage.done);
  EXPECT_THAT(difference(), HasSubstr("of thread ")) << difference();
}

// A thread that no warp takes is missed at the end.
class thief final : public model::formation_observer {
 public:
  explicit thief(model::warp_former& former) : former_(former) { former.observers().attach(*this); }
  ~thief() override { former_.observers().detach(*this); }
  void formed(model::warp_slot, model::waiting_warp& warp) override {
    if (!done) warp.lanes &= warp.lanes - 1;
    done = true;
  }
  bool done = false;

 private:
  model::warp_former& former_;
};

TEST_F(formed_warps, that_lose_a_thread_are_explained) {
  build(odd_and_even_ways(), formed_on_one_sm);
  const thief damage(*sm().warp_former);
  const launch_result result = run(1, 64);
  EXPECT_EQ(result.reason, end_reason::hang);
  EXPECT_THAT(result.explanation, HasSubstr("(waits for warp formation)"));
  EXPECT_THAT(result.explanation,
              HasSubstr("threads of block 0 that have not ended: 1, at barriers 0, in the pool 0"));
}

}  // namespace
}  // namespace gt200::support
