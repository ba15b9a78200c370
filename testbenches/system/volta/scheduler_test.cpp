// Policies of issue and fetch that look at more than the candidates.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "sc_models/sm/volta/sm.h"
#include "testbenches/support/own_process.h"
#include "testbenches/system/volta/volta_board.h"

namespace gt200::support {
namespace {

TEST(volta_schedulers, that_observe_warps_are_alike_in_every_way) {
  for (const char* policy : {"two_level", "weighted"})
    for (const char* stage : {"scheduler", "fetch"})
      expect_alike_in_every_way(
          block_sums, {{6}, {256, 1, 1}, 4},
          {std::string("tpc.sm.") + stage + ".policy=" + policy, "tpc.sm.scheduler.two_level_active_warps=2"});
}

// Who went, in this order.
class order final : public model::arbitration_observer {
 public:
  void started(model::core_cycle, model::warp_slot) override {}
  void went(model::core_cycle, model::warp_mask, model::warp_slot warp) override { warps.push_back(warp.index()); }
  std::vector<unsigned> warps;
};

// How many of some 1000 instructions the warp that lags most behind has issued when the first of four warps of a
// processing block ends. They loop, as everybody waits for code the first time.
std::size_t progress_of_the_last(const std::vector<std::string>& overrides) {
  std::string body = "  [B------:R-:W-:-:S08] MOV R15, 0xa\nagain:\n";
  for (unsigned k = 0; k < 100; ++k)
    body += k % 2 == 0 ? "  [B------:R-:W-:-:S01] FFMA R8, R9, R10, R11\n"
                       : "  [B------:R-:W-:-:S01] IADD3 R12, R13, R14, RZ\n";
  body +=
      "  [B------:R-:W-:-:S08] IADD3 R15, R15, -0x1, RZ\n"
      "  [B------:R-:W-:Y:S15] ISETP.NE.AND P0, PT, R15, RZ, PT\n"
      "  [B------:R-:W-:-:S05] @P0 BRA again\n";
  const std::string progress = in_own_process([&] {
    order seen;
    run_on_volta(volta_program(body), {{1}, {512, 1, 1}, 512}, {}, overrides, [&](model::volta_sm& sm) {
      if (std::string(sm.name()).find("tpc_0") != std::string::npos) sm.blocks[0].issue.observers().attach(seen);
    });
    std::array<std::size_t, model::max_warps> last{};
    for (std::size_t k = 0; k < seen.warps.size(); ++k) last[seen.warps[k]] = k;
    std::size_t first_end = seen.warps.size();
    for (const unsigned warp : {0, 4, 8, 12}) first_end = std::min(first_end, last[warp]);
    std::size_t least = seen.warps.size();
    for (const unsigned warp : {0, 4, 8, 12})
      least = std::min<std::size_t>(
          least, static_cast<std::size_t>(std::count(
                     seen.warps.begin(), seen.warps.begin() + static_cast<std::ptrdiff_t>(first_end), warp)));
    return std::to_string(least);
  });
  return std::stoul(progress);
}

TEST(volta_schedulers, two_level_prefers_the_warps_of_its_set) {
  const std::size_t of_all = progress_of_the_last({"tpc.sm.scheduler.policy=lrr", "tpc.sm.fetch.policy=lrr"});
  const std::size_t of_two =
      progress_of_the_last({"tpc.sm.scheduler.policy=two_level", "tpc.sm.fetch.policy=two_level",
                            "tpc.sm.scheduler.two_level_active_warps=2"});
  EXPECT_GT(of_all, 800u);
  EXPECT_LT(of_two, of_all / 2);
}

// What issue tells about its warps, added up over a run.
class observations final : public model::arbitration_observer {
 public:
  explicit observations(model::gated_issue& issue) : issue_(issue) {}
  void started(model::core_cycle, model::warp_slot) override {}
  void went(model::core_cycle, model::warp_mask, model::warp_slot) override {
    const model::warp_observation& now = issue_.observed().next();
    sum.unfinished |= now.unfinished;
    sum.parked |= now.parked;
    sum.awaited |= now.awaited;
    loading |= now.parked & now.awaited;
    for (std::size_t c = 0; c < now.of_class.size(); ++c) sum.of_class[c] |= now.of_class[c];
  }
  model::warp_observation sum;
  model::warp_mask loading = 0;  // parked, and not at a barrier

 private:
  model::gated_issue& issue_;
};

// Of warps 0, 4, 8 and 12 of the first processing block, 0 and 12 come to the barrier at once, 4 behind a load, and
// 8 behind a long loop.
TEST(volta_schedulers, are_told_who_waits_and_who_is_awaited) {
  const std::string program = volta_program(std::string("  S2R R5, SR_TID.X\n"
                                                        "  SHF.R.U32.HI R7, RZ, 0x5, R5\n"
                                                        "  ISETP.EQ.AND P0, PT, R7, 0x4, PT\n"
                                                        "  ISETP.EQ.AND P1, PT, R7, 0x8, PT\n"
                                                        "  MOV R4, RZ\n"
                                                        "  MOV R9, 0x80\n"
                                                        "  @P0 BRA loads\n"
                                                        "  @P1 BRA turn\n"
                                                        "  BRA meet\n"
                                                        "loads:\n"
                                                        "  MOV R10, c[0x0][in]\n"
                                                        "  MOV R11, c[0x0][in+4]\n"
                                                        "  LDG.E.SYS R4, [R10]\n"
                                                        "  IADD3 R4, R4, 0x1, RZ\n"
                                                        "  BRA meet\n"
                                                        "turn:\n"
                                                        "  IADD3 R9, R9, -0x1, RZ\n"
                                                        "  ISETP.NE.AND P0, PT, R9, RZ, PT\n"
                                                        "  @P0 BRA turn\n"
                                                        "meet:\n"
                                                        "  BAR.SYNC 0x0\n") +
                                            store_r4);
  const std::string seen = in_own_process([&] {
    std::unique_ptr<observations> all;
    const volta_outcome o = run_on_volta(program, {{1}, {512, 1, 1}, 512}, {}, {"tpc.sm.fetch.policy=two_level"},
                                         [&](model::volta_sm& sm) {
                                           if (all) return;
                                           all = std::make_unique<observations>(sm.blocks[0].issue);
                                           sm.blocks[0].issue.observers().attach(*all);
                                         });
    model::warp_mask classes = 0;
    for (const model::warp_mask warps : all->sum.of_class) classes |= warps;
    const auto has = [](model::warp_mask mask, model::warp_mask bits) {
      return (mask & bits) == bits ? " yes" : " no";
    };
    return o.error + std::to_string(all->sum.unfinished) + has(all->sum.parked, 0x1011) + has(all->loading, 0x10) +
           has(all->sum.awaited, 0x110) + std::to_string(classes);
  });
  EXPECT_EQ(seen, std::to_string(0x1111) + " yes yes yes" + std::to_string(0x1111));
}

}  // namespace
}  // namespace gt200::support
