// The issue arbiter's RTL: directed sequences on its pins, and random stimuli with functional coverage beside the
// policies.
#include <gtest/gtest.h>

#include "rtl_ref/issue_arbiter/issue_arbiter.h"
#include "testbenches/rtl/arbiter_bench.h"
#include "testbenches/support/systemc_test.h"

namespace gt200 {
namespace {

using rtl::arbiter_order;

class arbiter_pins_test : public ::testing::TestWithParam<unsigned> {
 protected:
  unsigned warps() const { return GetParam(); }
  std::uint64_t all() const { return warps() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << warps()) - 1; }
  std::unique_ptr<rtl::arbiter_pins> make(arbiter_order order) { return rtl::make_issue_arbiter({warps(), order}); }
  static int goes(rtl::arbiter_pins& pins, std::uint64_t requests) {
    const int warp = pins.grant(requests);
    pins.accept(static_cast<unsigned>(warp));
    pins.edge();
    return warp;
  }
};

TEST_P(arbiter_pins_test, round_robin_serves_every_warp_in_turn) {
  const auto pins = make(arbiter_order::round_robin);
  for (unsigned n = 0; n < 2 * warps(); ++n) EXPECT_EQ(goes(*pins, all()), static_cast<int>(n % warps()));
}

TEST_P(arbiter_pins_test, round_robin_skips_warps_without_a_request) {
  const auto pins = make(arbiter_order::round_robin);
  EXPECT_EQ(goes(*pins, 0b10110), 1);
  EXPECT_EQ(goes(*pins, 0b10110), 2);
  EXPECT_EQ(goes(*pins, 0b10110), 4);
  EXPECT_EQ(goes(*pins, 0b00110), 1);
  EXPECT_EQ(goes(*pins, 0b00010), 1);
}

TEST_P(arbiter_pins_test, nothing_changes_without_accept) {
  for (const auto order : {arbiter_order::round_robin, arbiter_order::greedy_then_oldest}) {
    const auto pins = make(order);
    EXPECT_EQ(goes(*pins, 0b1000), 3);
    for (int n = 0; n < 3; ++n) {
      EXPECT_EQ(pins->grant(0b110), 1);
      pins->edge();
    }
  }
}

TEST_P(arbiter_pins_test, no_warp_is_granted_without_a_request) {
  for (const auto order : {arbiter_order::round_robin, arbiter_order::greedy_then_oldest})
    EXPECT_EQ(make(order)->grant(0), rtl::arbiter_pins::nobody);
}

TEST_P(arbiter_pins_test, greedy_stays_with_the_warp_and_then_takes_the_oldest) {
  const auto pins = make(arbiter_order::greedy_then_oldest);
  EXPECT_EQ(goes(*pins, 0b1000), 3);
  EXPECT_EQ(goes(*pins, all()), 3);
  EXPECT_EQ(goes(*pins, all() & ~0b1000u), 0);
  EXPECT_EQ(goes(*pins, all()), 0);
}

TEST_P(arbiter_pins_test, a_new_warp_is_the_youngest_and_gets_no_greedy_preference) {
  const auto pins = make(arbiter_order::greedy_then_oldest);
  EXPECT_EQ(goes(*pins, 0b1), 0);
  pins->start(0);
  pins->edge();
  EXPECT_EQ(goes(*pins, 0b111), 1);
  EXPECT_EQ(goes(*pins, 0b101), 2);
  EXPECT_EQ(goes(*pins, 0b001), 0);
}

TEST_P(arbiter_pins_test, a_slot_granted_and_restarted_at_once_gets_no_greedy_preference) {
  const auto pins = make(arbiter_order::greedy_then_oldest);
  EXPECT_EQ(pins->grant(0b10), 1);
  pins->accept(1);
  pins->start(1);
  pins->edge();
  EXPECT_EQ(pins->grant(0b110), 2);
}

TEST_P(arbiter_pins_test, the_lower_slot_is_older_among_warps_that_start_together) {
  const auto pins = make(arbiter_order::greedy_then_oldest);
  for (const unsigned warp : {0u, 2u, 1u}) pins->start(warp);
  pins->edge();
  EXPECT_EQ(pins->grant(0b0111), 0);
  EXPECT_EQ(pins->grant(0b0110), 1);
  EXPECT_EQ(pins->grant(0b1111), 3);
}

INSTANTIATE_TEST_SUITE_P(warps, arbiter_pins_test, ::testing::Values(24, 32, 64));

class random_requests : public support::systemc_test,
                        public ::testing::WithParamInterface<std::tuple<unsigned, arbiter_order>> {};

TEST_P(random_requests, rtl_grants_like_the_model_and_every_bin_is_hit) {
  const rtl::arbiter_kind kind{std::get<0>(GetParam()), std::get<1>(GetParam())};
  support::arbiter_bench bench(core(), kind, rtl::make_issue_arbiter(kind), 2000 + kind.warps);
  EXPECT_EQ(bench.run(60000), std::nullopt);
  for (const auto& [bin, count] : bench.bins()) EXPECT_NE(count, 0u) << bin;
}
INSTANTIATE_TEST_SUITE_P(kinds, random_requests,
                         ::testing::Combine(::testing::Values(24, 32, 64),
                                            ::testing::Values(arbiter_order::round_robin,
                                                              arbiter_order::greedy_then_oldest)));

// Grants the neighbour of the right warp, from its `from`-th grant on, if the neighbour requests too.
class wrong_grants : public rtl::arbiter_pins {
 public:
  wrong_grants(std::unique_ptr<rtl::arbiter_pins> sound, unsigned from) : sound_(std::move(sound)), left_(from) {}
  int grant(std::uint64_t requests) override {
    const int right = sound_->grant(requests);
    if (left_ != 0) --left_;
    return left_ == 0 && (requests >> (right + 1) & 1) != 0 ? right + 1 : right;
  }
  void accept(unsigned warp) override { sound_->accept(warp); }
  void start(unsigned warp) override { sound_->start(warp); }
  void edge() override { sound_->edge(); }

 private:
  std::unique_ptr<rtl::arbiter_pins> sound_;
  unsigned left_;
};

class broken_arbiter : public support::systemc_test {};

TEST_F(broken_arbiter, is_reported_with_requests_and_both_answers) {
  const rtl::arbiter_kind kind{32, arbiter_order::round_robin};
  support::arbiter_bench bench(core(), kind, std::make_unique<wrong_grants>(rtl::make_issue_arbiter(kind), 50), 1);
  const auto text = bench.run(1000);
  ASSERT_TRUE(text);
  for (const char* part :
       {"issue arbiter: RTL and model differ in a grant at core cycle ", "requests: ", "model: warp ",
        "RTL:   warp ", "order of all warps in the model: ", "order of all warps in the RTL:   "})
    EXPECT_NE(text->find(part), std::string::npos) << part << " in\n" << *text;
}

}  // namespace
}  // namespace gt200
