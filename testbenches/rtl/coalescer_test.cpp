// The coalescer's RTL: directed half-warps on its pins, and random stimuli with functional coverage beside the
// model's rules.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "rtl_ref/coalescer/coalescer.h"
#include "testbenches/rtl/coalescer_bench.h"

namespace gt200::rtl {

void PrintTo(const coalescer_pins::transaction& t, std::ostream* out) {
  *out << t.bytes << " bytes at " << t.address << ", lanes " << t.lanes << (t.in_sequence ? ", in sequence" : "")
       << (t.last ? ", last" : "");
}

}  // namespace gt200::rtl

namespace gt200 {
namespace {

using rtl::coalescer_rule;
using transaction = rtl::coalescer_pins::transaction;

constexpr transaction segment(std::uint32_t address, unsigned bytes, std::uint16_t lanes) {
  return {true, address, bytes, lanes, false, false};
}
constexpr transaction last(transaction t) {
  t.last = true;
  return t;
}
constexpr transaction in_sequence(transaction t) {
  t.in_sequence = true;
  return t;
}

using addresses = std::array<std::uint32_t, 16>;
using list = std::vector<transaction>;

addresses successive(std::uint32_t base, std::uint32_t stride) {
  addresses a;
  for (unsigned n = 0; n < 16; ++n) a[n] = base + n * stride;
  return a;
}

list transactions_of(rtl::coalescer_pins& pins, const addresses& a, std::uint16_t active = 0xffff,
                     unsigned word_bytes = 4, bool separate = false) {
  pins.offer({a.data(), active, word_bytes, separate});
  list result;
  while (result.empty() || (result.back().valid && !result.back().last && result.size() < 17)) {
    result.push_back(pins.next(true));
    pins.edge();
  }
  return result;
}

class coalescer_rtl_1_0 : public ::testing::Test {
 protected:
  list transactions(const addresses& a, std::uint16_t active = 0xffff, unsigned word_bytes = 4) {
    return transactions_of(*pins_, a, active, word_bytes);
  }

 private:
  std::unique_ptr<rtl::coalescer_pins> pins_ = rtl::make_coalescer(coalescer_rule::cc_1_0);
};

TEST_F(coalescer_rtl_1_0, a_block_in_order_is_one_transaction) {
  EXPECT_EQ(transactions(successive(0x1000, 4)), (list{last(segment(0x1000, 64, 0xffff))}));
  EXPECT_EQ(transactions(successive(0x1000, 8), 0xffff, 8), (list{last(segment(0x1000, 128, 0xffff))}));
  EXPECT_EQ(transactions(successive(0x1000, 4), 0x8100), (list{last(segment(0x1000, 64, 0x8100))}));
}

TEST_F(coalescer_rtl_1_0, words_of_16_bytes_are_two_blocks_of_which_an_empty_one_is_left_out) {
  const auto a = successive(0x1080, 16);
  EXPECT_EQ(transactions(a, 0xffff, 16), (list{segment(0x1080, 128, 0x00ff), last(segment(0x1100, 128, 0xff00))}));
  EXPECT_EQ(transactions(a, 0x0010, 16), (list{last(segment(0x1080, 128, 0x0010))}));
  EXPECT_EQ(transactions(a, 0x0300, 16), (list{last(segment(0x1100, 128, 0x0300))}));
}

TEST_F(coalescer_rtl_1_0, one_lane_out_of_order_separates_all) {
  auto a = successive(0x1000, 4);
  std::swap(a[3], a[9]);
  list expected;
  for (unsigned n = 0; n < 16; ++n)
    expected.push_back(segment(a[n] & ~31u, 32, static_cast<std::uint16_t>(1u << n)));
  expected.back().last = true;
  EXPECT_EQ(transactions(a), expected);
  EXPECT_EQ(transactions(successive(0x1020, 4)).size(), 16u) << "not at a multiple of 64";
  EXPECT_EQ(transactions(successive(0x1000, 2), 0xffff, 2).size(), 16u) << "words of 2 bytes";
}

class coalescer_rtl_1_2 : public ::testing::Test {
 protected:
  list transactions(const addresses& a, std::uint16_t active = 0xffff, unsigned word_bytes = 4) {
    return transactions_of(*pins_, a, active, word_bytes);
  }

 private:
  std::unique_ptr<rtl::coalescer_pins> pins_ = rtl::make_coalescer(coalescer_rule::cc_1_2);
};

TEST_F(coalescer_rtl_1_2, a_segment_is_cut_down_to_what_is_touched) {
  EXPECT_EQ(transactions(successive(0x1040, 4)), (list{in_sequence(last(segment(0x1040, 64, 0xffff)))}));
  EXPECT_EQ(transactions(successive(0x1020, 4)), (list{in_sequence(last(segment(0x1000, 128, 0xffff)))}));
  EXPECT_EQ(transactions(successive(0x1020, 4), 0x00ff), (list{last(segment(0x1020, 32, 0x00ff))}));
  EXPECT_EQ(transactions(successive(0x1060, 0)), (list{last(segment(0x1060, 32, 0xffff))}));
}

TEST_F(coalescer_rtl_1_2, the_lowest_lane_left_determines_the_segment) {
  auto a = successive(0x1060, 4);
  EXPECT_EQ(transactions(a), (list{segment(0x1060, 32, 0x00ff), last(segment(0x1080, 32, 0xff00))}));
  std::swap(a[0], a[15]);
  EXPECT_EQ(transactions(a), (list{segment(0x1080, 32, 0x7f01), last(segment(0x1060, 32, 0x80fe))}));
}

TEST_F(coalescer_rtl_1_2, narrow_words_have_smaller_segments) {
  const auto a = successive(0x1000, 8);
  EXPECT_EQ(transactions(a, 0xffff, 8), (list{last(segment(0x1000, 128, 0xffff))}));
  EXPECT_EQ(transactions(a, 0xffff, 2).size(), 2u);
  EXPECT_EQ(transactions(a, 0xffff, 1).size(), 4u);
}

class coalescer_rtl : public ::testing::TestWithParam<coalescer_rule> {};

TEST_P(coalescer_rtl, a_transaction_that_is_not_taken_stays) {
  const auto pins = rtl::make_coalescer(GetParam());
  const auto a = successive(0x1000, 256);
  pins->offer({a.data(), 0x0006, 4, false});
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(pins->next(false), segment(0x1100, 32, 0x0002));
    EXPECT_EQ(pins->lanes_left(), 0x0006);
    pins->edge();
  }
  EXPECT_EQ(pins->next(true), segment(0x1100, 32, 0x0002));
  pins->edge();
  EXPECT_EQ(pins->next(false), last(segment(0x1200, 32, 0x0004)));
  EXPECT_EQ(pins->lanes_left(), 0x0004);
  pins->edge();
  EXPECT_EQ(pins->next(true), last(segment(0x1200, 32, 0x0004)));
  pins->edge();
  EXPECT_FALSE(pins->next(true).valid);
}

TEST_P(coalescer_rtl, separate_words_are_a_transaction_per_lane) {
  const auto pins = rtl::make_coalescer(GetParam());
  EXPECT_EQ(transactions_of(*pins, successive(0x1004, 0), 0x8001, 4, true),
            (list{segment(0x1004, 4, 0x0001), last(segment(0x1004, 4, 0x8000))}));
}

INSTANTIATE_TEST_SUITE_P(rules, coalescer_rtl, ::testing::Values(coalescer_rule::cc_1_0, coalescer_rule::cc_1_2),
                         [](const auto& of) { return of.param == coalescer_rule::cc_1_0 ? "cc_1_0" : "cc_1_2"; });

class random_half_warps : public ::testing::TestWithParam<coalescer_rule> {};

TEST_P(random_half_warps, rtl_answers_like_the_model_and_every_bin_is_hit) {
  support::coalescer_bench bench(GetParam(), rtl::make_coalescer(GetParam()), 3000);
  EXPECT_EQ(bench.run(100000), std::nullopt);
  for (const auto& [bin, count] : bench.bins()) EXPECT_NE(count, 0u) << bin;
}
INSTANTIATE_TEST_SUITE_P(rules, random_half_warps,
                         ::testing::Values(coalescer_rule::cc_1_0, coalescer_rule::cc_1_2),
                         [](const auto& of) { return of.param == coalescer_rule::cc_1_0 ? "cc_1_0" : "cc_1_2"; });

// Leaves out the highest lane of a transaction, from its `from`-th transaction on.
class loses_a_lane : public rtl::coalescer_pins {
 public:
  loses_a_lane(std::unique_ptr<rtl::coalescer_pins> sound, unsigned from) : sound_(std::move(sound)), left_(from) {}
  void offer(const half_warp& half) override { sound_->offer(half); }
  transaction next(bool ready) override {
    transaction t = sound_->next(ready);
    if (left_ != 0) --left_;
    if (left_ == 0 && (t.lanes & (t.lanes - 1)) != 0)
      t.lanes = static_cast<std::uint16_t>(t.lanes & ~(1u << (31 - __builtin_clz(t.lanes))));
    return t;
  }
  void edge() override { sound_->edge(); }
  std::uint16_t lanes_left() const override { return sound_->lanes_left(); }

 private:
  std::unique_ptr<rtl::coalescer_pins> sound_;
  unsigned left_;
};

TEST(broken_coalescer, is_reported_with_the_half_warp_and_both_answers) {
  const auto rule = coalescer_rule::cc_1_2;
  support::coalescer_bench bench(rule, std::make_unique<loses_a_lane>(rtl::make_coalescer(rule), 50), 1);
  const auto text = bench.run(1000);
  ASSERT_TRUE(text);
  for (const char* part : {"cycle ", ", half-warp ", ": transaction ", " taken\n  words of ",
                           ", by rule 1.2\n  model: ", " bytes at 0x", "\n  RTL:   ", "lanes left in the model: 0x",
                           "  lanes 8 to 15: "})
    EXPECT_NE(text->find(part), std::string::npos) << part << " in\n" << *text;
}

}  // namespace
}  // namespace gt200
