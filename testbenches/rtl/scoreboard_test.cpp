// The scoreboard RTL alone: the promises of its interface, cycle by cycle, and random stimuli beside the SystemC
// model.
#include <gtest/gtest.h>

#include "rtl_ref/scoreboard/scoreboard.h"
#include "sc_models/config/load.h"
#include "testbenches/rtl/scoreboard_bench.h"
#include "testbenches/support/systemc_test.h"

namespace gt200::rtl {

void PrintTo(const scoreboard_size& s, std::ostream* out) { *out << s.warps << "x" << s.entries; }
void PrintTo(const scoreboard_pins::answer& a, std::ostream* out) {
  *out << (a.accepted ? "accepted" : "refused") << ", dependencies " << a.dependencies << ", allocated "
       << a.allocated;
}

}  // namespace gt200::rtl

namespace gt200 {
namespace {

using answer = rtl::scoreboard_pins::answer;

isa::register_range r(unsigned first, unsigned count = 1) {
  return {isa::register_file_kind::gpr, static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(count)};
}
isa::register_range c(unsigned index) {
  return {isa::register_file_kind::condition, static_cast<std::uint8_t>(index), 1};
}
isa::instruction with(const std::vector<isa::register_range>& writes,
                      const std::vector<isa::register_range>& reads) {
  isa::instruction i;
  for (const auto& range : writes) i.writes[i.write_count++] = range;
  for (const auto& range : reads) i.reads[i.read_count++] = range;
  return i;
}
constexpr answer refused{false, 0, 0};
constexpr answer accepted(std::uint64_t dependencies, std::uint64_t allocated) {
  return {true, dependencies, allocated};
}

class scoreboard_rtl : public ::testing::Test {
 protected:
  answer enter(unsigned warp, const std::vector<isa::register_range>& writes,
               const std::vector<isa::register_range>& reads = {}) {
    return rtl_->enter(warp, with(writes, reads));
  }
  std::unique_ptr<rtl::scoreboard_pins> rtl_ = rtl::make_scoreboard({32, 6});
};

TEST_F(scoreboard_rtl, takes_an_entry_per_destination_and_finds_it_from_the_next_cycle_on) {
  EXPECT_EQ(enter(3, {r(5), c(0)}), accepted(0, 0b11));
  rtl_->edge();
  EXPECT_EQ(enter(3, {r(6)}, {r(5)}), accepted(0b01, 0b100));
  EXPECT_EQ(enter(4, {}, {r(5)}), accepted(0, 0)) << "another warp";
  rtl_->edge();
  EXPECT_EQ(enter(3, {c(0)}, {r(0)}), accepted(0b10, 0b1000)) << "write after write";
}

TEST_F(scoreboard_rtl, younger_ports_of_a_cycle_see_what_older_ones_take) {
  EXPECT_EQ(enter(0, {r(1)}), accepted(0, 0b1));
  EXPECT_EQ(enter(0, {r(2)}, {r(1)}), accepted(0b1, 0b10));
  EXPECT_EQ(enter(0, {r(3)}, {r(2), r(1)}), accepted(0b11, 0b100));
}

TEST_F(scoreboard_rtl, a_look_up_in_the_cycle_of_the_release_reports_the_entry_and_the_release_clears_it) {
  enter(7, {r(4, 4)});
  rtl_->edge();
  EXPECT_EQ(enter(7, {}, {r(6)}), accepted(0b1, 0));
  EXPECT_EQ(rtl_->release(7, 0b1), 0b1u);
  EXPECT_EQ(enter(7, {}, {r(7, 2)}), accepted(0b1, 0)) << "whichever comes first";
  rtl_->edge();
  EXPECT_EQ(enter(7, {r(9)}, {r(6)}), accepted(0, 0b1)) << "free in the next cycle";
}

TEST_F(scoreboard_rtl, a_released_entry_is_not_taken_in_the_same_cycle) {
  enter(1, {r(0), r(1), r(2)});
  enter(1, {r(3), r(4), r(5)});
  EXPECT_TRUE(rtl_->full_next(1));
  rtl_->edge();
  EXPECT_EQ(rtl_->release(1, 0b000111), 0b000111u);
  EXPECT_FALSE(rtl_->full_next(1));
  EXPECT_EQ(enter(1, {r(9)}), refused);
  rtl_->edge();
  EXPECT_EQ(enter(1, {r(9)}), accepted(0, 0b1));
}

TEST_F(scoreboard_rtl, all_destinations_or_none) {
  enter(2, {r(0), r(1), r(2), r(3)});
  EXPECT_EQ(enter(2, {r(10), r(11), r(12)}), refused);
  EXPECT_EQ(enter(2, {r(10), r(11)}), accepted(0, 0b110000));
}

TEST_F(scoreboard_rtl, ranges_are_compared_exactly_and_within_their_file) {
  enter(5, {r(8, 4)});
  rtl_->edge();
  EXPECT_EQ(enter(5, {}, {r(7), r(12)}), accepted(0, 0));
  EXPECT_EQ(enter(5, {}, {r(6, 3)}), accepted(0b1, 0));
  rtl_->edge();
  enter(6, {c(1)});
  rtl_->edge();
  EXPECT_EQ(enter(6, {}, {r(1)}), accepted(0, 0));
  EXPECT_EQ(enter(6, {r(127)}, {c(1)}), accepted(0b1, 0b10));
}

TEST_F(scoreboard_rtl, squash_and_flush_return_entries) {
  enter(8, {r(0), r(1)});
  enter(8, {r(2)});
  rtl_->edge();
  EXPECT_EQ(rtl_->squash(8, 0b100), 0b100u);
  EXPECT_EQ(enter(8, {r(3)}), accepted(0, 0b1000));
  rtl_->edge();
  EXPECT_EQ(rtl_->flush(8), 0b1011u);
  EXPECT_EQ(enter(8, {r(4)}), accepted(0, 0b100)) << "enters behind the flush and stays";
  rtl_->edge();
  EXPECT_EQ(rtl_->inspect(8).pending, 0b100u);
}

TEST(scoreboard_rtl_of_3_entries, more_destinations_than_entries_take_the_whole_region) {
  const auto rtl = rtl::make_scoreboard({32, 3});
  const auto wide = with({r(0), r(8), r(16), r(24)}, {});
  EXPECT_EQ(rtl->enter(0, with({r(1)}, {})), accepted(0, 0b1));
  EXPECT_EQ(rtl->enter(0, wide), refused);
  rtl->edge();
  EXPECT_EQ(rtl->release(0, 0b1), 0b1u);
  EXPECT_EQ(rtl->enter(0, wide), refused) << "in use until the edge";
  rtl->edge();
  EXPECT_EQ(rtl->enter(0, wide), accepted(0, 0b111));
  EXPECT_EQ(rtl->enter(0, with({}, {r(99)})), refused) << "nothing younger enters";
  EXPECT_TRUE(rtl->full_next(0));
  rtl->edge();
  EXPECT_TRUE(rtl->inspect(0).taken_whole);
  EXPECT_EQ(rtl->enter(0, with({}, {r(99)})), refused);
  EXPECT_EQ(rtl->release(0, 0b111), 0b111u);
  rtl->edge();
  EXPECT_EQ(rtl->enter(0, with({r(5)}, {r(99)})), accepted(0, 0b1));
}

TEST_F(scoreboard_rtl, more_requests_in_a_cycle_than_ports_are_refused) {
  for (unsigned i = 0; i < 3; ++i) enter(i, {r(0)});
  EXPECT_THROW(enter(3, {r(0)}), std::logic_error);
}

class random_stimuli : public support::systemc_test, public ::testing::WithParamInterface<rtl::scoreboard_size> {};

TEST_P(random_stimuli, rtl_answers_like_the_model_and_every_bin_is_hit) {
  const rtl::scoreboard_size size = GetParam();
  config::sm_config config = config::load(std::string(GT200_SOURCE_DIR) + "/configs/gt200.toml", {}).values.tpc.sm;
  config.limits.warps = size.warps;
  config.scoreboard.entries_per_warp = size.entries;
  support::scoreboard_bench bench(core(), config, rtl::make_scoreboard(size), 1000 + size.warps);
  EXPECT_EQ(bench.run(120000), std::nullopt);
  for (const auto& [bin, count] : bench.bins()) EXPECT_NE(count, 0u) << bin;
}
// Those of the presets, and the largest numbers of warps and entries.
INSTANTIATE_TEST_SUITE_P(sizes, random_stimuli,
                         ::testing::Values(rtl::scoreboard_size{32, 6}, rtl::scoreboard_size{32, 4},
                                           rtl::scoreboard_size{32, 3}, rtl::scoreboard_size{24, 6},
                                           rtl::scoreboard_size{64, 8}, rtl::scoreboard_size{8, 16}),
                         [](const auto& of) {
                           return std::to_string(of.param.warps) + "x" + std::to_string(of.param.entries);
                         });

}  // namespace
}  // namespace gt200
