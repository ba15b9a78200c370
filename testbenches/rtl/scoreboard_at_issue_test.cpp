// The RTL of the scoreboard that takes entries at issue, alone: the promises of its interface, cycle by cycle, and
// random stimuli beside the SystemC model.
#include "rtl_ref/scoreboard_at_issue/scoreboard_at_issue.h"

#include <gtest/gtest.h>

#include "sc_models/config/load.h"
#include "testbenches/rtl/at_issue_bench.h"
#include "testbenches/support/systemc_test.h"

namespace gt200::rtl {

void PrintTo(const scoreboard_at_issue_size& s, std::ostream* out) {
  *out << s.warps << "x" << s.entries << "x" << s.buffer;
}
void PrintTo(const scoreboard_at_issue_pins::answer& a, std::ostream* out) {
  *out << "dependencies " << a.dependencies << (a.room ? ", room" : ", no room");
}

}  // namespace gt200::rtl

namespace gt200 {
namespace {

using pins = rtl::scoreboard_at_issue_pins;
using answer = pins::answer;
using answers = std::vector<answer>;

isa::register_range r(unsigned first, unsigned count = 1) {
  return {isa::register_file_kind::gpr, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(count)};
}
isa::register_range c(unsigned index) {
  return {isa::register_file_kind::condition, static_cast<std::uint8_t>(index), 1};
}
isa::instruction with(const std::vector<isa::register_range>& writes,
                      const std::vector<isa::register_range>& reads = {}) {
  isa::instruction i;
  for (const auto& range : writes) i.writes[i.write_count++] = range;
  for (const auto& range : reads) i.reads[i.read_count++] = range;
  return i;
}
constexpr answer room(std::uint64_t dependencies) { return {dependencies, true}; }
constexpr answer no_room(std::uint64_t dependencies) { return {dependencies, false}; }

// Six entries for each of 32 warps, and four instructions of a warp in the buffer.
class scoreboard_at_issue_rtl : public ::testing::Test {
 protected:
  answer enter(unsigned warp, const isa::instruction& i) { return rtl_->enter(warp, i); }
  pins::allocation issue(unsigned warp, const isa::instruction& i,
                         const std::vector<isa::instruction>& younger = {}) {
    pins::instruction_list list;
    for (const isa::instruction& y : younger) list.push_back(&y);
    return rtl_->issue(warp, i, list);
  }
  pins::completion release(unsigned warp, std::uint64_t entries,
                           const std::vector<isa::instruction>& waiting = {}) {
    pins::instruction_list list;
    for (const isa::instruction& w : waiting) list.push_back(&w);
    return rtl_->release(warp, entries, list);
  }
  std::unique_ptr<pins> rtl_ = rtl::make_scoreboard_at_issue({32, 6, 4});
};

TEST_F(scoreboard_at_issue_rtl, an_instruction_that_enters_takes_no_entry) {
  EXPECT_EQ(enter(3, with({r(5)})), room(0));
  rtl_->edge();
  EXPECT_EQ(enter(3, with({r(6)}, {r(5)})), room(0)) << "the older one has not issued";
  EXPECT_EQ(rtl_->inspect(3).pending, 0u);
}

TEST_F(scoreboard_at_issue_rtl, one_that_issues_takes_an_entry_for_each_destination) {
  EXPECT_EQ(issue(3, with({r(5), c(0)})).taken, 0b11u);
  rtl_->edge();
  EXPECT_EQ(enter(3, with({}, {r(5)})), room(0b01));
  EXPECT_EQ(enter(4, with({}, {r(5)})), room(0)) << "another warp";
  rtl_->edge();
  EXPECT_EQ(enter(3, with({c(0)})), room(0b10)) << "write after write";
}

TEST_F(scoreboard_at_issue_rtl, younger_buffered_instructions_are_compared_with_what_is_taken) {
  issue(0, with({r(1)}));
  rtl_->edge();
  const auto taken = issue(0, with({r(2), r(3)}), {with({}, {r(2)}), with({r(3)}, {r(1)}), with({r(9)})});
  EXPECT_EQ(taken.taken, 0b110u);
  EXPECT_EQ(taken.younger, (answers{room(0b010), room(0b100), room(0)}))
      << "and not again with what was there before: their vectors hold it";
}

TEST_F(scoreboard_at_issue_rtl, a_look_up_finds_what_issues_in_the_same_cycle_whichever_comes_first) {
  issue(7, with({r(4, 4)}));
  EXPECT_EQ(enter(7, with({}, {r(6)})), room(0b1));
  rtl_->edge();
  EXPECT_EQ(enter(7, with({}, {r(20)})), room(0));
  EXPECT_EQ(issue(7, with({r(20)}), {with({}, {r(20)})}).younger, (answers{room(0b10)}));
}

TEST_F(scoreboard_at_issue_rtl, room_is_about_the_coming_edge) {
  issue(1, with({r(0), r(1), r(2), r(3)}));
  EXPECT_EQ(enter(1, with({r(9), r(10)})), room(0));
  EXPECT_EQ(enter(1, with({r(9), r(10), r(11)})), no_room(0));
  rtl_->edge();
  EXPECT_EQ(issue(1, with({r(20)}), {with({r(21)}), with({r(21), r(22)}), with({})}).younger,
            (answers{room(0), no_room(0), room(0)}));
}

TEST_F(scoreboard_at_issue_rtl, a_release_tells_the_waiting_instructions_of_room) {
  issue(2, with({r(0), r(1), r(2), r(3)}));
  rtl_->edge();
  issue(2, with({r(4), r(5)}));
  EXPECT_TRUE(rtl_->full_next(2));
  rtl_->edge();
  const auto done = release(2, 0b110000, {with({r(9)}), with({r(9), r(10)}), with({r(9), r(10), r(11)}), with({})});
  EXPECT_EQ(done.cleared, 0b110000u);
  EXPECT_EQ(done.room, (std::vector<bool>{true, true, false, true}));
  EXPECT_FALSE(rtl_->full_next(2));
}

TEST_F(scoreboard_at_issue_rtl, a_released_entry_is_found_and_kept_until_the_edge) {
  issue(1, with({r(0)}));
  rtl_->edge();
  EXPECT_EQ(release(1, 0b1).cleared, 0b1u);
  EXPECT_EQ(enter(1, with({}, {r(0)})), room(0b1)) << "the bit that this cycle clears";
  EXPECT_EQ(issue(1, with({r(7)})).taken, 0b10u);
  rtl_->edge();
  EXPECT_EQ(enter(1, with({}, {r(0)})), room(0));
  EXPECT_EQ(issue(1, with({r(8)})).taken, 0b01u);
}

TEST_F(scoreboard_at_issue_rtl, ranges_are_compared_exactly_and_within_their_file) {
  const auto taken =
      issue(5, with({r(8, 4)}), {with({}, {r(7), r(12)}), with({}, {r(6, 3)}), with({c(1)}, {r(0)})});
  EXPECT_EQ(taken.younger, (answers{room(0), room(0b1), room(0)}));
  rtl_->edge();
  issue(6, with({c(1)}));
  rtl_->edge();
  EXPECT_EQ(enter(6, with({}, {r(1)})), room(0));
  EXPECT_EQ(enter(6, with({r(127)}, {c(1)})), room(0b1));
}

TEST_F(scoreboard_at_issue_rtl, two_warps_issue_in_one_cycle) {
  EXPECT_EQ(issue(8, with({r(1)}), {with({}, {r(1)})}).younger, (answers{room(0b1)}));
  EXPECT_EQ(issue(9, with({r(2)}), {with({}, {r(1)}), with({}, {r(2)})}).younger, (answers{room(0), room(0b1)}));
  rtl_->edge();
  EXPECT_EQ(rtl_->inspect(8).pending, 0b1u);
  EXPECT_EQ(rtl_->inspect(9).pending, 0b1u);
}

TEST_F(scoreboard_at_issue_rtl, more_requests_in_a_cycle_than_ports_are_refused) {
  for (unsigned i = 0; i < 2; ++i) enter(i, with({r(0)}));
  EXPECT_THROW(enter(3, with({r(0)})), std::logic_error);
  for (unsigned i = 0; i < 2; ++i) issue(i, with({r(0)}));
  EXPECT_THROW(issue(3, with({r(0)})), std::logic_error);
}

TEST_F(scoreboard_at_issue_rtl, more_instructions_than_the_buffer_holds_are_refused) {
  EXPECT_THROW(issue(0, with({r(0)}), std::vector<isa::instruction>(4)), std::logic_error);
  rtl_->edge();
  EXPECT_THROW(release(0, 0b1, std::vector<isa::instruction>(5)), std::logic_error);
}

TEST(scoreboard_at_issue_rtl_of_3_entries, more_destinations_than_entries_take_the_whole_region) {
  const auto rtl = rtl::make_scoreboard_at_issue({32, 3, 2});
  const auto wide = with({r(0), r(8), r(16), r(24)});
  const auto other = with({}, {r(99)});
  rtl->issue(0, with({r(1)}), {&wide});
  EXPECT_EQ(rtl->enter(0, wide), no_room(0b1 & 0)) << "no register in common, and an entry in use";
  rtl->edge();
  EXPECT_EQ(rtl->release(0, 0b1, {&wide}).room, std::vector<bool>{true});
  rtl->edge();
  const auto taken = rtl->issue(0, wide, {&other});
  EXPECT_EQ(taken.taken, 0b111u);
  EXPECT_EQ(taken.younger, (answers{room(0b111)})) << "whatever its registers";
  EXPECT_TRUE(rtl->full_next(0));
  rtl->edge();
  EXPECT_TRUE(rtl->inspect(0).taken_whole);
  EXPECT_EQ(rtl->enter(0, other), room(0b111));
  EXPECT_EQ(rtl->release(0, 0b111, {&other, &wide}).room, (std::vector<bool>{true, true}));
  rtl->edge();
  EXPECT_EQ(rtl->enter(0, with({r(5)}, {r(99)})), room(0));
}

class random_stimuli_at_issue : public support::systemc_test,
                                public ::testing::WithParamInterface<rtl::scoreboard_at_issue_size> {};

TEST_P(random_stimuli_at_issue, rtl_answers_like_the_model_and_every_bin_is_hit) {
  const rtl::scoreboard_at_issue_size size = GetParam();
  config::sm_config config =
      config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200.toml", {"tpc.sm.scoreboard.allocate=at_issue"})
          .values.tpc.sm;
  config.limits.warps = size.warps;
  config.scoreboard.entries_per_warp = size.entries;
  config.instruction_buffer.entries_per_warp = size.buffer;
  support::at_issue_bench bench(core(), config, rtl::make_scoreboard_at_issue(size), 1000 + size.warps);
  EXPECT_EQ(bench.run(120000), std::nullopt);
  for (const auto& [bin, count] : bench.bins()) EXPECT_NE(count, 0u) << bin;
}
// The preset's, few and many entries, and the shallowest and a deep buffer.
INSTANTIATE_TEST_SUITE_P(
    sizes, random_stimuli_at_issue,
    ::testing::Values(rtl::scoreboard_at_issue_size{32, 6, 2}, rtl::scoreboard_at_issue_size{32, 3, 2},
                      rtl::scoreboard_at_issue_size{24, 6, 1}, rtl::scoreboard_at_issue_size{32, 1, 4},
                      rtl::scoreboard_at_issue_size{64, 8, 3}, rtl::scoreboard_at_issue_size{8, 16, 6}),
    [](const auto& of) {
      return std::to_string(of.param.warps) + "x" + std::to_string(of.param.entries) + "x" +
             std::to_string(of.param.buffer);
    });

}  // namespace
}  // namespace gt200
