// The tables of a campaign, from results made up here.
#include "apps/campaign/table.h"
#include "apps/campaign/picture.h"

#include <gtest/gtest.h>

#include "toolchain/error.h"

namespace gt200::apps::campaign {
namespace {

plan small_plan() {
  plan p;
  p.golden.cycles = 100;
  p.structures = {{"register_file", 1000, -1}, {"dram", 8000, 0.25}};
  for (const char* next : {"write", "none", "read", "read"})
    p.injections.push_back({"register_file", {"rf", 3, 7}, next});
  for (int i = 0; i < 2; ++i) p.injections.push_back({"dram", {"d", 1, 9}, ""});
  return p;
}

injection_result result(std::size_t number, outcome what, std::uint64_t cycles = 100) {
  injection_result r;
  r.number = number;
  r.what = what;
  r.cycles = cycles;
  return r;
}

const std::vector<injection_result> results = {result(0, outcome::masked),       result(1, outcome::silent),
                                               result(2, outcome::detected, 50), result(3, outcome::masked, 101),
                                               result(4, outcome::hang, 1001),   result(5, outcome::defect, 0)};

TEST(campaign_table, outcomes_add_up_to_the_injections) {
  const auto counts = counts_of(small_plan(), results);
  ASSERT_EQ(counts.size(), 3u);
  for (const structure_counts& c : counts)
    EXPECT_EQ(c.detected + c.hang + c.silent + c.masked + c.defect, c.injected) << c.name;
  EXPECT_EQ(counts[0].injected, 4u);
  EXPECT_EQ(counts[0].masked, 2u);
  EXPECT_EQ(counts[0].masked_other_timing, 1u);
  EXPECT_EQ(counts[1].hang, 1u);
  EXPECT_EQ(counts[1].defect, 1u);
  EXPECT_EQ(counts[2].name, "all");
  EXPECT_EQ(counts[2].injected, 6u);
  EXPECT_EQ(counts[2].bits, 9000u);
}

// Register file: 2 of 4 were not masked. DRAM: 2 of 2, a quarter of whose bits are in use.
TEST(campaign_table, the_shares_of_all_weigh_structures_by_the_bits_that_were_drawn_from) {
  const auto counts = counts_of(small_plan(), results);
  const structure_counts& all = counts[2];
  ASSERT_TRUE(all.not_masked_share);
  EXPECT_NEAR(all.not_masked_share->share, (1000 * 0.5 + 2000 * 1.0) / 3000, 1e-12);
  EXPECT_NEAR(all.silent_share->share, 1000 * 0.25 / 3000, 1e-12);
  EXPECT_LT(all.not_masked_share->range.low, all.not_masked_share->share);
  EXPECT_GT(all.not_masked_share->range.high, all.not_masked_share->share);
}

TEST(campaign_table, a_large_structure_that_masks_everything_outweighs_a_small_one) {
  plan p = small_plan();
  p.structures = {{"register_file", 4224, -1}, {"dram", std::uint64_t{1} << 31, -1}};
  const auto counts =
      counts_of(p, {result(0, outcome::silent), result(1, outcome::silent), result(2, outcome::silent),
                    result(4, outcome::masked), result(5, outcome::masked)});
  EXPECT_NEAR(counts[2].silent_share->share, 4224.0 / (4224 + (std::uint64_t{1} << 31)), 1e-12);
  EXPECT_NE(structures_text(counts).find(" 0.0002 % [0.00009, 65.8] "), std::string::npos)
      << structures_text(counts);
}

TEST(campaign_table, there_is_no_share_of_all_without_a_sample_of_all) {
  const std::vector<injection_result> of_one_structure(results.begin(), results.begin() + 4);
  const auto partly = counts_of(small_plan(), of_one_structure);
  EXPECT_TRUE(partly[0].not_masked_share);
  EXPECT_FALSE(partly[1].not_masked_share);
  EXPECT_FALSE(partly[2].not_masked_share);
  plan listed = small_plan();
  listed.drawn = false;
  const auto counts = counts_of(listed, results);
  EXPECT_TRUE(counts[0].not_masked_share);
  EXPECT_FALSE(counts[2].not_masked_share);
  const std::string csv = structures_csv(counts);
  EXPECT_EQ(csv.substr(csv.size() - 7), ",,,,,,\n") << csv;
}

TEST(campaign_table, bits_that_nobody_reads_are_counted_apart) {
  const auto counts = counts_of(small_plan(), results);
  EXPECT_EQ(counts[0].dead, 2u) << "next access a write, or none";
  EXPECT_EQ(counts[0].dead_masked, 1u) << "the other one would be a defect of this model";
  EXPECT_EQ(counts[1].dead, 0u) << "unknown is not dead";
}

TEST(campaign_table, a_row_says_everything_of_an_injection) {
  injection_result r = result(2, outcome::silent, 99);
  r.place = "warp 1 $r2 lane 3 bit 4";
  r.occupied = r.after = true;
  r.message = "2 bytes of out differ, the first at 0x10";
  r.first_wrong = "cycle 12: add";
  EXPECT_EQ(injections_csv(small_plan(), {r}),
            "number,structure,site,place,occupied,before,after,next_access,outcome,cycles,timing_changed,message,"
            "first_wrong\n"
            "2,register_file,rf:3@7,warp 1 $r2 lane 3 bit 4,1,0,1,read,silent,99,1,"
            "\"2 bytes of out differ, the first at 0x10\",cycle 12: add\n");
}

TEST(campaign_table, results_read_back_from_their_file) {
  injection_result r = result(5, outcome::hang, 77);
  r.message = "a \"quoted\", long\nmessage";
  const auto back = parse_results(text_of({r, result(1, outcome::masked)}), "f");
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[0].message, r.message);
  EXPECT_EQ(back[0].what, outcome::hang);
  EXPECT_EQ(back[1].number, 1u);
  EXPECT_THROW(parse_results("{", "f"), input_error);
  EXPECT_THROW(parse_results("[{\"number\": 1}]", "f"), input_error);
}

TEST(campaign_table, the_text_has_a_line_per_structure_and_one_for_all) {
  const std::string text = structures_text(counts_of(small_plan(), results));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4) << text;
  EXPECT_NE(text.find("50.0 % [15.0, 85.0]"), std::string::npos) << text;
}

TEST(campaign_table, says_how_many_injections_are_missing_and_what_decides_all) {
  structure_counts few;
  few.name = "few";
  few.bits = 10;
  few.injected = 20;
  few.masked = 15;
  few.not_masked_share = weighted_share({{1, 5, 20}});
  structure_counts enough;
  enough.name = "enough";
  enough.bits = 90;
  enough.injected = 2000;
  enough.masked = 1500;
  enough.not_masked_share = weighted_share({{1, 500, 2000}});
  structure_counts all = enough;
  all.name = "all";
  EXPECT_EQ(injections_wanted(enough), 0u);
  // 1.96^2 * 7/24 * 17/24 / 0.05^2
  EXPECT_EQ(injections_wanted(few), 318u);
  const std::string text = advice_text({few, enough, all});
  EXPECT_NE(text.find("too few injections: few: 20; about 318 would"), std::string::npos) << text;
  EXPECT_EQ(text.find("too few injections: enough"), std::string::npos) << text;
  EXPECT_NE(text.find("90.0 % of that is enough"), std::string::npos) << text;
  EXPECT_EQ(advice_text({enough, all}), "");
  // So many are enough, if the share stays.
  structure_counts later = few;
  later.injected = 318 * 5 / 4;
  later.masked = later.injected - later.injected / 4;
  later.not_masked_share = weighted_share({{1, later.injected - later.masked, later.injected}});
  EXPECT_EQ(injections_wanted(later), 0u);
}

TEST(campaign_picture, has_a_bar_for_each_outcome_and_hatches_what_is_too_few) {
  const std::string picture = structures_svg("k <1>", counts_of(small_plan(), results));
  EXPECT_NE(picture.find("k &lt;1>"), std::string::npos);
  const auto count = [&](const std::string& part) {
    std::size_t number = 0;
    for (std::size_t at = picture.find(part); at != std::string::npos; at = picture.find(part, at + 1)) ++number;
    return number;
  };
  const auto counts = counts_of(small_plan(), results);
  EXPECT_EQ(count("url(#few)"), 3u);
  for (const structure_counts& c : counts)
    if (c.silent != 0)
      EXPECT_NE(picture.find("silent: " + std::to_string(c.silent) + " of " + std::to_string(c.injected)),
                std::string::npos);
}

}  // namespace
}  // namespace gt200::apps::campaign
