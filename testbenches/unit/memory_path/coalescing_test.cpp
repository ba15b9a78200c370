// Transaction lists of the coalescing rules for the access patterns of the CUDA C Programming Guide 4.2, appendix
// F.3.2 and F.4.2, and of the published examples.
#include "sc_models/memory_path/coalescing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace gt200::model {
namespace {

using config::coalescing_rule;
using sizes = std::vector<unsigned>;

struct half_warp {
  std::uint32_t address[half_warp_size];
};

half_warp addresses(const std::function<std::uint32_t(unsigned)>& of_lane) {
  half_warp h;
  for (unsigned lane = 0; lane < half_warp_size; ++lane) h.address[lane] = of_lane(lane);
  return h;
}

segment_list coalesced(coalescing_rule rule, const half_warp& h, unsigned word_bytes,
                       std::uint16_t active = 0xffff) {
  segment_list list;
  coalesce(rule, h.address, active, word_bytes, list);
  return list;
}

sizes sizes_of(const segment_list& list) {
  sizes result;
  for (unsigned i = 0; i < list.count; ++i) result.push_back(list.segment[i].bytes);
  return result;
}

const sizes sixteen_times_32(16, 32);

struct pattern {
  const char* name;
  unsigned word_bytes;
  std::uint32_t (*address)(unsigned lane);
  sizes by_1_2;
  sizes by_1_0;
};
std::ostream& operator<<(std::ostream& out, const pattern& p) { return out << p.name; }

class coalescing_pattern : public ::testing::TestWithParam<pattern> {};

TEST_P(coalescing_pattern, has_these_transactions) {
  const pattern& p = GetParam();
  const half_warp h = addresses(p.address);
  EXPECT_EQ(sizes_of(coalesced(coalescing_rule::cc_1_2, h, p.word_bytes)), p.by_1_2);
  EXPECT_EQ(sizes_of(coalesced(coalescing_rule::cc_1_0, h, p.word_bytes)), p.by_1_0);
}

INSTANTIATE_TEST_SUITE_P(
    golden, coalescing_pattern,
    ::testing::Values(
        pattern{"sequential_aligned", 4, [](unsigned k) { return 0x1040 + 4 * k; }, {64}, {64}},
        pattern{"permuted_in_64_bytes", 4, [](unsigned k) { return 0x1000 + 4 * (k ^ 5); }, {64}, sixteen_times_32},
        pattern{"one_word_off", 4, [](unsigned k) { return 0x1004 + 4 * k; }, {128}, sixteen_times_32},
        pattern{"across_128_bytes", 4, [](unsigned k) { return 0x1044 + 4 * k; }, {64, 32}, sixteen_times_32},
        pattern{"stride_2", 4, [](unsigned k) { return 0x1000 + 8 * k; }, {128}, sixteen_times_32},
        pattern{"stride_4", 4, [](unsigned k) { return 0x1000 + 16 * k; }, {128, 128}, sixteen_times_32},
        pattern{"stride_32", 4, [](unsigned k) { return 0x1000 + 128 * k; }, sixteen_times_32, sixteen_times_32},
        pattern{"same_word", 4, [](unsigned) { return 0x1234u; }, {32}, sixteen_times_32},
        pattern{"8_bytes_sequential", 8, [](unsigned k) { return 0x1080 + 8 * k; }, {128}, {128}},
        pattern{"16_bytes_sequential", 16, [](unsigned k) { return 0x1080 + 16 * k; }, {128, 128}, {128, 128}},
        pattern{"8_bytes_from_byte_96", 8, [](unsigned k) { return 0x1060 + 8 * k; }, {32, 128}, sixteen_times_32},
        pattern{"bytes_sequential", 1, [](unsigned k) { return 0x1000 + k; }, {32}, sixteen_times_32},
        pattern{"bytes_across_32", 1, [](unsigned k) { return 0x1018 + k; }, {32, 32}, sixteen_times_32},
        pattern{"halves_sequential", 2, [](unsigned k) { return 0x1000 + 2 * k; }, {32}, sixteen_times_32},
        pattern{"halves_across_32", 2, [](unsigned k) { return 0x1010 + 2 * k; }, {64}, sixteen_times_32},
        pattern{"halves_across_64", 2, [](unsigned k) { return 0x1030 + 2 * k; }, {32, 32}, sixteen_times_32},
        pattern{"end_of_the_address_space", 4, [](unsigned k) { return 0xffffffc0 + 4 * k; }, {64}, {64}}),
    [](const auto& pattern_info) { return std::string(pattern_info.param.name); });

TEST(coalescing_1_2, segments_are_aligned_and_hold_the_words_of_their_lanes) {
  std::uint32_t state = 1;
  for (int round = 0; round < 2000; ++round) {
    const unsigned word_bytes = 1u << (round % 5);
    half_warp h;
    for (std::uint32_t& a : h.address) {
      state = state * 1664525 + 1013904223;
      a = (state >> 8) % 1024 / word_bytes * word_bytes;
    }
    const auto active = static_cast<std::uint16_t>(state >> 16 | 1);
    for (const auto rule : {coalescing_rule::cc_1_0, coalescing_rule::cc_1_2}) {
      const segment_list list = coalesced(rule, h, word_bytes, active);
      unsigned served = 0;
      for (unsigned i = 0; i < list.count; ++i) {
        const memory_segment& s = list.segment[i];
        EXPECT_EQ(s.address % s.bytes, 0u);
        EXPECT_EQ(served & s.lanes, 0u);
        EXPECT_NE(s.lanes, 0u);
        served |= s.lanes;
        for (unsigned lane = 0; lane < half_warp_size; ++lane)
          if ((s.lanes >> lane & 1) != 0) {
            EXPECT_GE(h.address[lane], s.address);
            EXPECT_LE(h.address[lane] + word_bytes, s.address + s.bytes);
          }
      }
      EXPECT_EQ(served, active);
    }
  }
}

TEST(coalescing_1_2, segment_of_the_lowest_active_lane_comes_first) {
  const half_warp h = addresses([](unsigned k) { return k < 8 ? 0x2000 + 4 * k : 0x1000 + 4 * k; });
  const segment_list list = coalesced(coalescing_rule::cc_1_2, h, 4, 0xfff8);
  ASSERT_EQ(list.count, 2u);
  EXPECT_EQ(list.segment[0].address, 0x2000u);
  EXPECT_EQ(list.segment[0].lanes, 0x00f8u);
  EXPECT_EQ(list.segment[1].address, 0x1020u);
  EXPECT_EQ(list.segment[1].lanes, 0xff00u);
}

TEST(coalescing_1_2, addresses_of_inactive_lanes_do_not_count) {
  half_warp h = addresses([](unsigned k) { return 0x1000 + 4 * k; });
  h.address[3] = 0x7000;
  EXPECT_EQ(sizes_of(coalesced(coalescing_rule::cc_1_2, h, 4, 0xfff7)), (sizes{64}));
  EXPECT_EQ(sizes_of(coalesced(coalescing_rule::cc_1_2, h, 4, 0xffff)), (sizes{64, 32}));
}

TEST(coalescing_1_2, only_a_full_half_warp_of_successive_words_is_in_sequence) {
  half_warp h = addresses([](unsigned k) { return 0x1004 + 4 * k; });
  EXPECT_TRUE(coalesced(coalescing_rule::cc_1_2, h, 4).segment[0].in_sequence);
  EXPECT_FALSE(coalesced(coalescing_rule::cc_1_2, h, 4, 0x7fff).segment[0].in_sequence);
  std::swap(h.address[4], h.address[5]);
  EXPECT_FALSE(coalesced(coalescing_rule::cc_1_2, h, 4).segment[0].in_sequence);
  h = addresses([](unsigned k) { return 0x1000 + 8 * k; });
  EXPECT_FALSE(coalesced(coalescing_rule::cc_1_2, h, 8).segment[0].in_sequence);
}

TEST(coalescing_1_0, inactive_lanes_leave_gaps_but_do_not_break_the_sequence) {
  half_warp h = addresses([](unsigned k) { return 0x1000 + 4 * k; });
  h.address[3] = 0x7000;
  const segment_list list = coalesced(coalescing_rule::cc_1_0, h, 4, 0x8ff6);
  ASSERT_EQ(list.count, 1u);
  EXPECT_EQ(list.segment[0].address, 0x1000u);
  EXPECT_EQ(list.segment[0].bytes, 64u);
  EXPECT_EQ(list.segment[0].lanes, 0x8ff6u);
}

TEST(coalescing_1_0, without_sequence_each_active_lane_has_its_own_transaction_in_lane_order) {
  const half_warp h = addresses([](unsigned k) { return 0x1000 + 4 * (15 - k); });
  const segment_list list = coalesced(coalescing_rule::cc_1_0, h, 4, 0x8001);
  ASSERT_EQ(list.count, 2u);
  EXPECT_EQ(list.segment[0].address, 0x1020u);
  EXPECT_EQ(list.segment[0].lanes, 0x0001u);
  EXPECT_EQ(list.segment[1].address, 0x1000u);
  EXPECT_EQ(list.segment[1].lanes, 0x8000u);
}

TEST(coalescing_1_0, may_join_lanes_of_equal_addresses) {
  const half_warp h = addresses([](unsigned k) { return k < 8 ? 0x1004u : 0x1000u + 4 * (k % 2); });
  segment_list list;
  coalesce(coalescing_rule::cc_1_0, h.address, 0xffff, 4, list, true);
  ASSERT_EQ(list.count, 2u) << "0x1004 and 0x1000, each a transaction of its own";
  EXPECT_EQ(list.segment[0].lanes, 0xaaffu);
  EXPECT_EQ(list.segment[1].lanes, 0x5500u);
  EXPECT_EQ(list.segment[0].address, 0x1000u);
  EXPECT_EQ(list.segment[0].bytes, 32u);
}

TEST(coalescing_1_0, of_16_byte_words_only_touched_blocks_are_transferred) {
  const half_warp h = addresses([](unsigned k) { return 0x1080 + 16 * k; });
  const segment_list list = coalesced(coalescing_rule::cc_1_0, h, 16, 0xff00);
  ASSERT_EQ(list.count, 1u);
  EXPECT_EQ(list.segment[0].address, 0x1100u);
}

// -- random half-warps against the rules as the guide words them --

using transactions = std::vector<std::pair<std::uint32_t, unsigned>>;  // address, bytes; in order of issue

// Compute capability 1.0: thread k accesses word k of an aligned block of 16 words, or every thread has a
// transaction of its own.
transactions expected_1_0(const half_warp& h, unsigned word, unsigned active) {
  bool coalesced = word >= 4;
  std::uint32_t block = 0;
  for (unsigned k = 0; k < 16; ++k) {
    if ((active >> k & 1) == 0) continue;
    const std::uint32_t start = h.address[k] - k * word;
    coalesced &= start % std::min(16 * word, 128u) == 0 && (block == 0 || start == block);
    block = start;
  }
  transactions result;
  for (unsigned k = 0; k < 16; ++k) {
    if ((active >> k & 1) == 0) continue;
    const unsigned bytes = coalesced ? std::min(16 * word, 128u) : 32;
    const std::pair<std::uint32_t, unsigned> t{h.address[k] / bytes * bytes, bytes};
    if (!coalesced || result.empty() || result.back() != t) result.push_back(t);
  }
  return result;
}

// Compute capability 1.2: segments by their lowest thread, halved while one half is untouched.
transactions expected_1_2(const half_warp& h, unsigned word, unsigned active) {
  transactions result;
  while (active != 0) {
    unsigned bytes = word == 1 ? 32 : word == 2 ? 64 : 128;
    std::uint32_t start = h.address[__builtin_ctz(active)] / bytes * bytes;
    unsigned served = 0;
    for (unsigned k = 0; k < 16; ++k)
      if ((active >> k & 1) != 0 && h.address[k] / bytes * bytes == start) served |= 1u << k;
    for (bool halved = true; halved && bytes > 32;) {
      bool lower = false;
      bool upper = false;
      for (unsigned k = 0; k < 16; ++k)
        if ((served >> k & 1) != 0) (h.address[k] < start + bytes / 2 ? lower : upper) = true;
      halved = lower != upper;
      if (halved) bytes /= 2;
      if (halved && upper) start += bytes;
    }
    result.emplace_back(start, bytes);
    active &= ~served;
  }
  return result;
}

transactions transactions_of(const segment_list& list) {
  transactions result;
  for (unsigned i = 0; i < list.count; ++i) result.emplace_back(list.segment[i].address, list.segment[i].bytes);
  return result;
}

// Sequences that are whole, shifted, strided, permuted or damaged in one lane, and scattered words.
half_warp random_half_warp(std::mt19937& random, unsigned word) {
  const std::uint32_t base = 0x10000 + random() % 64 * word * (random() % 4 != 0 ? 16 : 1);
  const unsigned stride = random() % 4 != 0 ? 1 : random() % 40;
  half_warp h = addresses([&](unsigned k) { return base + k * stride * word; });
  switch (random() % 8) {
    case 0: std::shuffle(std::begin(h.address), std::end(h.address), random); break;
    case 1: h.address[random() % 16] = base + random() % 64 * word; break;
    case 2:
      for (auto& a : h.address) a = base / 512 * 512 + random() % 64 * word;
      break;
    default: break;
  }
  return h;
}

TEST(coalescing, random_half_warps_follow_both_rules) {
  std::mt19937 random(1);
  unsigned coalesced_1_0 = 0;
  for (unsigned i = 0; i < 10000; ++i) {
    const unsigned word = 1u << random() % 5;
    const auto active =
        static_cast<std::uint16_t>(random() % 2 == 0 ? 0xffffu : std::max<unsigned>(1, random() & 0xffffu));
    const half_warp h = random_half_warp(random, word);
    const transactions by_1_0 = expected_1_0(h, word, active);
    ASSERT_EQ(transactions_of(coalesced(coalescing_rule::cc_1_0, h, word, active)), by_1_0) << "half-warp " << i;
    ASSERT_EQ(transactions_of(coalesced(coalescing_rule::cc_1_2, h, word, active)), expected_1_2(h, word, active))
        << "half-warp " << i;
    coalesced_1_0 += by_1_0.size() <= 2 ? 1 : 0;
  }
  EXPECT_GT(coalesced_1_0, 1000u) << "too few of them are in sequence";
}

// -- 2.0: a warp, half-warps of 64-bit words, quarter-warps of 128-bit words, lines of 128 bytes --

using warp_addresses = std::array<std::uint32_t, isa::warp_size>;

segment_list lines_of(const std::function<std::uint32_t(unsigned)>& of_lane, unsigned word_bytes, bool whole_lines,
                      isa::lane_mask active = 0xffffffffu) {
  warp_addresses a{};
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) a[lane] = of_lane(lane);
  segment_list list;
  coalesce_lines(a.data(), active, word_bytes, whole_lines, list);
  return list;
}

TEST(coalescing_2_0, a_group_is_what_128_bytes_hold_of_successive_words) {
  EXPECT_EQ(group_lanes(coalescing_rule::cc_2_0, 1), 32u);
  EXPECT_EQ(group_lanes(coalescing_rule::cc_2_0, 4), 32u);
  EXPECT_EQ(group_lanes(coalescing_rule::cc_2_0, 8), 16u);
  EXPECT_EQ(group_lanes(coalescing_rule::cc_2_0, 16), 8u);
  for (const auto rule : {coalescing_rule::cc_1_0, coalescing_rule::cc_1_2})
    for (const unsigned bytes : {1u, 4u, 16u}) EXPECT_EQ(group_lanes(rule, bytes), half_warp_size);
}

TEST(coalescing_2_0, a_warp_of_successive_words_is_one_line) {
  const segment_list list = lines_of([](unsigned k) { return 0x1000 + 4 * k; }, 4, true);
  ASSERT_EQ(list.count, 1u);
  EXPECT_EQ(list.segment[0].address, 0x1000u);
  EXPECT_EQ(list.segment[0].lanes, 0xffffffffu);
}

TEST(coalescing_2_0, words_that_are_not_aligned_touch_two_lines) {
  const segment_list list = lines_of([](unsigned k) { return 0x1040 + 4 * k; }, 4, true);
  EXPECT_EQ(sizes_of(list), (sizes{128, 128}));
  EXPECT_EQ(list.segment[0].lanes, 0x0000ffffu);
  EXPECT_EQ(list.segment[1].address, 0x1080u);
  EXPECT_EQ(list.segment[1].lanes, 0xffff0000u);
}

TEST(coalescing_2_0, without_whole_lines_the_part_that_is_touched_moves) {
  EXPECT_EQ(sizes_of(lines_of([](unsigned) { return 0x1234u; }, 4, false)), sizes{32});
  EXPECT_EQ(sizes_of(lines_of([](unsigned k) { return 0x1000 + 2 * k; }, 2, false)), sizes{64});
  EXPECT_EQ(sizes_of(lines_of([](unsigned k) { return 0x1000 + 4 * k; }, 4, false)), sizes{128});
  const segment_list across = lines_of([](unsigned k) { return 0x1060 + 4 * k; }, 4, false);
  EXPECT_EQ(sizes_of(across), (sizes{32, 128}));
  EXPECT_EQ(across.segment[0].address, 0x1060u);
}

TEST(coalescing_2_0, lanes_far_apart_have_a_line_each_in_the_order_of_lanes) {
  const segment_list list = lines_of([](unsigned k) { return 0x8000 - 128 * k; }, 4, true, 0x80000011u);
  ASSERT_EQ(list.count, 3u);
  EXPECT_EQ(list.segment[0].address, 0x8000u);
  EXPECT_EQ(list.segment[1].address, 0x8000u - 128 * 4);
  EXPECT_EQ(list.segment[2].lanes, 0x80000000u);
}

TEST(coalescing_2_0, random_addresses_are_covered_once) {
  std::mt19937 random(5);
  for (unsigned round = 0; round < 2000; ++round) {
    const unsigned word = 1u << random() % 5;
    const unsigned lanes = group_lanes(coalescing_rule::cc_2_0, word);
    const isa::lane_mask active = static_cast<isa::lane_mask>(random()) >> (isa::warp_size - lanes);
    const std::uint32_t range = 64u << random() % 7;
    warp_addresses a{};
    for (auto& address : a) address = 0x4000 + static_cast<std::uint32_t>(random()) % range / word * word;
    for (const bool whole : {false, true}) {
      segment_list list;
      coalesce_lines(a.data(), active, word, whole, list);
      isa::lane_mask seen = 0;
      for (unsigned i = 0; i < list.count; ++i) {
        const memory_segment& s = list.segment[i];
        EXPECT_EQ(seen & s.lanes, 0u);
        seen |= s.lanes;
        EXPECT_EQ(s.address % s.bytes, 0u);
        EXPECT_TRUE(!whole || s.bytes == 128);
        for (unsigned lane = 0; lane < isa::warp_size; ++lane)
          if ((s.lanes >> lane & 1) != 0) {
            EXPECT_GE(a[lane], s.address);
            EXPECT_LE(a[lane] + word, s.address + s.bytes);
          }
      }
      EXPECT_EQ(seen, active);
    }
  }
}

}  // namespace
}  // namespace gt200::model
