// The policies for a warp without a free scoreboard entry, in cycles: which warp is fetched for meanwhile,
// and when the instruction that found no entry continues. Warp 0 has one entry, which a load holds; warp 1 needs
// none.
#include <algorithm>

#include "testbenches/subsystem/sm/completions.h"
#include "testbenches/system/checked/checked_board.h"

namespace gt200 {
namespace {

using tlm_bus::cycle_t;

constexpr const char* load = "ld b32 $r5 g14[$r3]";
constexpr const char* without_an_entry = "add b32 $r6 $r1 $r1";
// Read-only cache and decode: from the cycle of a fetch to the first in which its instruction can issue.
constexpr cycle_t from_fetch_to_issue = 4;
constexpr unsigned behind_the_branch = 1;  // instruction fetched before decode has seen the branch

class full_scoreboard : public support::checked_board, public tlm_bus::pipe_observer<model::fetch_token> {
 protected:
  void run_with(const std::string& when_full) {
    std::string body = R"(
  shr u32 $r6 $r1 0x5
  set $c1 # e u32 $r6 $r124
  (e $c1) bra other
  ld b32 $r5 g14[$r3]
  add b32 $r6 $r1 $r1
  add b32 $r6 $r6 $r5
  st b32 g14[$r4] $r6
  exit nop
other:
)";
    for (unsigned i = 0; i < 40; ++i) body += "  nop\n";
    build(support::checked_program(body + "  exit nop\n"),
          {"tpc.sm.scoreboard.entries_per_warp=1", "tpc.sm.scoreboard.when_full=" + when_full});
    seen = std::make_unique<support::completions>(sm());
    sm().icache.requests.observers().attach(*this);
    run_alike(1, 64);
    begin = seen->of(load).issued;
    end = seen->of(load).completed;  // the entry is free
  }
  void token_sent(const sc_core::sc_object&, tlm_bus::femtoseconds at, const model::fetch_token& token) override {
    fetches[token.warp.index()].push_back(at / sm().fetch.domain().period());
  }
  void token_taken(const sc_core::sc_object&, tlm_bus::femtoseconds, const model::fetch_token&) override {}

  std::size_t fetches_while_full(unsigned warp) const {
    return static_cast<std::size_t>(std::count_if(fetches[warp].begin(), fetches[warp].end(),
                                                  [&](cycle_t c) { return c > begin && c <= end; }));
  }
  cycle_t first_fetch_after(unsigned warp, cycle_t cycle) const {
    return *std::upper_bound(fetches[warp].begin(), fetches[warp].end(), cycle);
  }

  std::unique_ptr<support::completions> seen;
  std::array<std::vector<cycle_t>, 2> fetches;
  cycle_t begin = 0;
  cycle_t end = 0;
};

TEST_F(full_scoreboard, stalls_the_fetch_of_its_warp_and_no_other) {
  run_with("stall_warp");
  EXPECT_EQ(fetches_while_full(0), 0u);
  EXPECT_GE(fetches_while_full(1), 30u) << "nearly all of warp 1";
  EXPECT_EQ(first_fetch_after(0, end), end + 1);
  EXPECT_EQ(seen->of(without_an_entry).issued, end + 2) << "stood in decode: enters the buffer, then issues";
  EXPECT_EQ(sm().decode.discarded.value(), behind_the_branch);
}

TEST_F(full_scoreboard, stalls_the_fetch_of_all_warps) {
  run_with("stall_all");
  EXPECT_EQ(fetches_while_full(0), 0u);
  EXPECT_EQ(fetches_while_full(1), 0u);
  EXPECT_EQ(std::min(first_fetch_after(0, end), first_fetch_after(1, end)), end + 1);
  EXPECT_EQ(seen->of(without_an_entry).issued, end + 2) << "stood in decode: enters the buffer, then issues";
}

TEST_F(full_scoreboard, stalls_the_fetch_of_all_warps_strictly) {
  run_with("stall_all_strict");
  EXPECT_EQ(fetches_while_full(0), 0u);
  EXPECT_EQ(fetches_while_full(1), 0u);
  EXPECT_EQ(std::min(first_fetch_after(0, end), first_fetch_after(1, end)), end + 1);
}

TEST_F(full_scoreboard, discards_what_found_no_entry_and_fetches_it_again) {
  run_with("discard");
  EXPECT_EQ(fetches_while_full(0), 0u);
  EXPECT_GE(fetches_while_full(1), 30u);
  EXPECT_GT(sm().decode.discarded.value(), behind_the_branch);
  const cycle_t again = first_fetch_after(0, end);
  EXPECT_EQ(again, end + 1);
  EXPECT_EQ(seen->of(without_an_entry).issued, again + from_fetch_to_issue);
}

}  // namespace
}  // namespace gt200
