// Thread block compaction: threads of a block wait for each other where paths part and where they meet.
#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>

#include "testbenches/system/checked/checked_board.h"

namespace gt200::support {
namespace {

std::vector<std::string> one_sm(const std::string& formation) {
  return {"tpc.sm.warp_formation=" + formation, "chip.tpcs=1", "chip.sms_per_tpc=1", "tpc.texture.l1.instances=1"};
}

// Threads take one of two ways by the lowest bit of the sum of thread and warp, and meet behind them. The loads
// keep the warps apart.
std::string two_ways() {
  std::string first, second;
  for (unsigned n = 0; n < 12; ++n) {
    first += "  add b32 $r5 $r5 0x3\n";
    second += "  xor b32 $r5 $r5 $r1\n";
  }
  return checked_program(
      "  ld b32 $r5 g14[$r3]\n  shr u32 $r6 $r1 0x5\n  add b32 $r6 $r6 $r1\n  and b32 $r6 $r6 0x1\n"
      "  xor b32 $r7 $r7 $r7\n  set $c0 # lg u32 $r6 $r7\n  joinat meet\n  (lg $c0) bra second\n" +
      first + "  bra meet\nsecond:\n" + second + "meet:\n  join nop\n  st b32 g14[$r4] $r5\n  exit nop\n");
}

// Notes every warp that is formed.
class formed_list final : public model::formation_observer {
 public:
  explicit formed_list(model::warp_former& former) : former_(former) { former.observers().attach(*this); }
  ~formed_list() override { former_.observers().detach(*this); }
  void formed(model::warp_slot, model::waiting_warp& warp) override { warps.push_back(warp); }
  // The addresses at which warps begin, each run of equal ones once.
  std::vector<isa::code_address> paths() const {
    std::vector<isa::code_address> result;
    for (const model::waiting_warp& w : warps)
      if (result.empty() || result.back() != w.pc) result.push_back(w.pc);
    return result;
  }
  std::vector<model::waiting_warp> warps;

 private:
  model::warp_former& former_;
};

bool has_doubles(std::vector<isa::code_address> paths) {
  std::sort(paths.begin(), paths.end());
  return std::adjacent_find(paths.begin(), paths.end()) != paths.end();
}

class compacted_blocks : public checked_board {};

TEST_F(compacted_blocks, run_one_path_at_a_time_in_full_warps) {
  build(two_ways(), one_sm("compaction"));
  const formed_list list(*sm().warp_former);
  run_alike(1, 256);
  ASSERT_FALSE(list.warps.empty());
  for (const model::waiting_warp& w : list.warps)
    EXPECT_EQ(w.lanes, 0xffffffffu) << "at " << w.pc << ": each pair of warps fills one on each way";
  EXPECT_FALSE(has_doubles(list.paths())) << "threads of one path begin before all have arrived";
  EXPECT_GE(list.paths().size(), 3u) << "two ways and what follows";
  EXPECT_EQ(sm().warp_former->compactions.value(), list.paths().size());
}

// Plain formation does not wait for threads that come later.
TEST_F(compacted_blocks, differ_from_plain_formation) {
  build(two_ways(), one_sm("dynamic"));
  const formed_list list(*sm().warp_former);
  run_alike(1, 256);
  EXPECT_TRUE(std::any_of(list.warps.begin(), list.warps.end(),
                          [](const model::waiting_warp& w) { return w.lanes != 0xffffffffu; }));
  EXPECT_EQ(sm().warp_former->compactions.value(), 0u);
}

TEST_F(compacted_blocks, do_not_wait_for_other_blocks) {
  build(two_ways(), one_sm("compaction"));
  const formed_list list(*sm().warp_former);
  run_alike(4, 64);
  EXPECT_GE(sm().warp_former->compactions.value(), 4 * 3u);
  EXPECT_TRUE(has_doubles(list.paths())) << "each block has its own paths";
}

TEST_F(compacted_blocks, leave_each_slot_with_one_cause) {
  build(two_ways(), one_sm("compaction"));
  run_alike(3, 96);
  const model::slot_counts all = sm().issue.slots_until(0, model::core_cycle(4000));
  EXPECT_EQ(std::accumulate(all.begin(), all.end(), std::uint64_t{0}), 4000u);
  EXPECT_GT(all[static_cast<std::size_t>(model::stall_cause::warp_formation)], 0u);
}

// Threads of both ways arrive at barriers of their own; the second way runs while those of the first wait.
TEST_F(compacted_blocks, wait_at_barriers_on_any_path) {
  build(checked_program("  shl $a1 $r1 0x2\n  st b32 s[$a1+cells] $r1\n"
                        "  and b32 $r6 $r1 0x1\n  mov b32 $r7 0x0\n  set $c0 # lg u32 $r6 $r7\n"
                        "  joinat meet\n  (lg $c0) bra odd\n  bar inc wait 0x0 0xfff\n  bra meet\n"
                        "odd:\n  bar inc wait 0x0 0xfff\n"
                        "meet:\n  join nop\n  xor b32 $r5 $r1 0x21\n  shl $a1 $r5 0x2\n"
                        "  ld $r6 b32 s[$a1+cells]\n  st b32 g14[$r4] $r6\n  exit nop\n",
                        ".shared cells 512\n"),
        one_sm("compaction"));
  run_alike(1, 128);
  EXPECT_EQ(sm().barrier.releases.value(), 1u);
}

}  // namespace
}  // namespace gt200::support
