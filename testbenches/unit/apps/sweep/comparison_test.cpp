// Comparisons of designs: docs/sweep.md.
#include "apps/sweep/comparison.h"

#include <gmock/gmock.h>

#include <cmath>

#include "toolchain/error.h"

namespace gt200::apps::sweep {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

axis kernels(const std::vector<std::string>& names) {
  axis result{"kernel", "", names, {}, {}};
  for (const std::string& name : names) result.given_words.push_back({name});
  return result;
}

// Kernels, policies, replicates; `time(kernel, policy, replicate)` is the time of a run, 0: the run failed.
class compared : public testing::Test {
 protected:
  template <class Time>
  comparison of(const Time& time, unsigned replicates = 5, const std::vector<std::string>& baseline = {}) {
    axes_ = {kernels({"bfs", "sgemm"}), parse_axis("--set", "policy=lrr,gto")};
    if (replicates != 0) axes_.push_back(axis_of({replicates, replicates}, 1));
    rows_.clear();
    for (unsigned k = 0; k < 2; ++k)
      for (unsigned p = 0; p < 2; ++p)
        for (unsigned r = 0; r < std::max(replicates, 1u); ++r) {
          const double t = time(k, p, r);
          row added{{k, p}, t == 0 ? 3 : 0, {}};
          if (replicates != 0) added.values.push_back(r);
          if (t != 0)
            added.figures = {{"femtoseconds", t * 1e9},
                             {"core_cycles", static_cast<std::uint64_t>(t)},
                             {"sms", 1},
                             {"resident_warp_cycles", 0},
                             {"slots", {{"issued", 1}, {"no_warp", 1}}},
                             {"counters", nlohmann::ordered_json::object()},
                             {"end", "done"},
                             {"passed", true}};
          rows_.push_back(added);
        }
    return compare(axes_, rows_, baseline);
  }
  static const group& group_of(const comparison& all, unsigned kernel, unsigned policy) {
    return all.groups.at(2 * kernel + policy);
  }

  std::vector<axis> axes_;
  std::vector<row> rows_;
};

// Noise that is much larger than the effect, and the same in both variants.
double noisy(unsigned replicate) { return 1000 + 200 * std::sin(7.0 * replicate + 1); }

TEST_F(compared, a_small_effect_below_common_noise_is_found_because_replicates_are_paired) {
  const comparison all = of([](unsigned, unsigned p, unsigned r) { return noisy(r) * (p == 1 ? 0.99 : 1); });
  const speed_up& s = group_of(all, 0, 1).against_baseline;
  EXPECT_EQ(s.says, verdict::faster);
  EXPECT_NEAR(s.ratio, 1 / 0.99, 0.001);
  EXPECT_EQ(group_of(all, 0, 0).against_baseline.says, verdict::baseline);
}

TEST_F(compared, noise_that_is_not_common_hides_a_small_effect) {
  const comparison all =
      of([](unsigned, unsigned p, unsigned r) { return noisy(r + 5 * p) * (p == 1 ? 0.99 : 1); });
  EXPECT_EQ(group_of(all, 0, 1).against_baseline.says, verdict::not_distinguishable);
  EXPECT_GT(group_of(all, 0, 1).against_baseline.count_for_one_percent, 100u);
  EXPECT_THAT(comparison_text(all), HasSubstr("2 of 2 comparisons are not distinguishable from noise; "));
  EXPECT_THAT(comparison_text(all, 12, 0.1), HasSubstr(" replicates would give intervals of +- 10 %"));
}

TEST_F(compared, equal_runs_are_equal) {
  const comparison all = of([](unsigned, unsigned, unsigned r) { return noisy(r); });
  EXPECT_EQ(group_of(all, 1, 1).against_baseline.says, verdict::equal);
}

TEST_F(compared, one_run_has_no_interval_and_says_so) {
  const comparison all = of([](unsigned, unsigned p, unsigned) { return p == 1 ? 500 : 1000; }, 0);
  const speed_up& s = group_of(all, 0, 1).against_baseline;
  EXPECT_EQ(s.says, verdict::one_run);
  EXPECT_DOUBLE_EQ(s.ratio, 2);
  EXPECT_THAT(comparison_csv(all), HasSubstr("bfs,gto,1,2.000000,,,one run,"));
}

TEST_F(compared, over_all_kernels_the_mean_is_geometric) {
  // Twice as fast on one kernel, half as fast on the other.
  const comparison all = of([](unsigned k, unsigned p, unsigned r) {
    const double factor = p == 0 ? 1 : k == 0 ? 2 : 0.5;
    return noisy(r) / factor;
  });
  EXPECT_NEAR(all.designs.at(1).over_all.ratio, 1, 1e-9);
  EXPECT_EQ(all.designs.at(1).workloads, 2u);
}

TEST_F(compared, the_best_design_is_told_from_the_others_or_not) {
  const auto best_of = [this](double second_noise) {
    axes_ = {kernels({"bfs"}), parse_axis("--set", "entries=1..3"), axis_of({5, 5}, 1)};
    rows_.clear();
    for (unsigned d = 0; d < 3; ++d)
      for (unsigned r = 0; r < 5; ++r) {
        const double t = 1e9 * (d == 0 ? 1200 : d == 1 ? 1000 : 1020 + second_noise * ((r % 2) * 2.0 - 1));
        rows_.push_back({{0, d, r}, 0, {{"femtoseconds", t}, {"core_cycles", std::uint64_t{1000}}}});
      }
    return comparison_text(compare(axes_, rows_));
  };
  EXPECT_THAT(best_of(1), HasSubstr("best: entries=2; 0 of 2 others not distinguishable from it\n"));
  EXPECT_THAT(best_of(50), HasSubstr("best: entries=2; 1 of 2 others not distinguishable from it\n"));
  EXPECT_THAT(comparison_text(of([](unsigned, unsigned, unsigned r) { return noisy(r); })), Not(HasSubstr("best")));
}

TEST_F(compared, a_conclusion_that_reverses_with_the_workload_is_said) {
  const auto time = [](double on_bfs, double on_sgemm) {
    return [=](unsigned k, unsigned p, unsigned r) { return noisy(r) * (p == 0 ? 1 : k == 0 ? on_bfs : on_sgemm); };
  };
  EXPECT_THAT(comparison_text(of(time(0.8, 1.1))),
              HasSubstr("policy=gto reverses: faster on 1, slower on 1 of 2 workloads\n"));
  EXPECT_THAT(comparison_text(of(time(0.8, 0.9))), Not(HasSubstr("reverses")));
  EXPECT_THAT(comparison_text(of(time(0.8, 1))), Not(HasSubstr("reverses")));
}

TEST_F(compared, a_design_that_lacks_a_kernel_has_no_mean_over_all) {
  const comparison all = of([](unsigned k, unsigned p, unsigned r) { return k == 1 && p == 1 ? 0 : noisy(r); });
  EXPECT_EQ(all.designs.at(1).over_all.says, verdict::incomplete);
  EXPECT_THAT(comparison_text(all), HasSubstr("incomplete: 1 of 2 workloads"));
  EXPECT_THAT(designs_csv(all), HasSubstr("gto,1,2,0,,,,incomplete,"));
}

TEST_F(compared, any_design_can_be_the_baseline) {
  const auto time = [](unsigned, unsigned p, unsigned r) { return noisy(r) * (p == 1 ? 0.5 : 1); };
  EXPECT_NEAR(group_of(of(time, 5, {"policy=gto"}), 0, 0).against_baseline.ratio, 0.5, 1e-9);
  EXPECT_THROW(of(time, 5, {"policy=two_level"}), input_error);
  EXPECT_THROW(of(time, 5, {"kernel=bfs"}), input_error);
}

TEST_F(compared, a_summary_has_the_mean_and_its_half_width_of_every_figure) {
  const comparison all = of([](unsigned, unsigned, unsigned r) { return 1000.0 + 10 * r; }, 3);
  const std::string csv = summary_csv(all, {});
  EXPECT_THAT(csv,
              HasSubstr("kernel,policy,replicates,core_cycles,core_cycles_ci95,microseconds,microseconds_ci95,"));
  EXPECT_THAT(csv, HasSubstr("bfs,lrr,3,1010.000000,24.841"));
  EXPECT_THAT(csv, Not(HasSubstr("inf")));
}

// Forty studies of five replicates each, with noise of 3 % that the designs do not share.
TEST_F(compared, a_difference_is_recognised_and_a_null_effect_is_not_called_one) {
  unsigned recognised = 0, false_alarms = 0;
  std::uint64_t state = 1;
  const auto noise = [&] {
    double sum = -6;
    for (unsigned k = 0; k < 12; ++k) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      sum += static_cast<double>(state >> 11) * 0x1p-53;
    }
    return 100'000 * (1 + 0.03 * sum);
  };
  for (unsigned study = 0; study < 40; ++study) {
    // A reversal: faster on the first kernel, slower on the second one.
    const comparison planted = of([&](unsigned k, unsigned p, unsigned) {
      return noise() * (p == 0 ? 1 : k == 0 ? 0.87 : 1.13);
    });
    recognised += group_of(planted, 0, 1).against_baseline.says == verdict::faster &&
                          group_of(planted, 1, 1).against_baseline.says == verdict::slower
                      ? 1
                      : 0;
    const comparison none = of([&](unsigned, unsigned, unsigned) { return noise(); });
    false_alarms += group_of(none, 0, 1).against_baseline.says == verdict::not_distinguishable ? 0 : 1;
  }
  EXPECT_GE(recognised, 38u);
  EXPECT_LE(false_alarms, 5u);
}

TEST_F(compared, a_single_run_is_judged_by_the_noise_of_replicates) {
  // bfs varies by some 15 %, sgemm by 1 part in 1,000.
  const auto time = [](unsigned k, unsigned, unsigned r) { return k == 0 ? noisy(r) : 1000 + (r % 2); };
  const comparison measured = of(time);
  const std::vector<axis> axes = axes_;
  const std::vector<row> rows = rows_;
  const comparison noise = compare(axes, rows);
  comparison once = of([](unsigned, unsigned p, unsigned) { return p == 1 ? 950 : 1000; }, 0);
  EXPECT_EQ(group_of(once, 0, 1).against_baseline.says, verdict::one_run);
  judge_single_runs(once, noise);
  EXPECT_EQ(group_of(once, 0, 1).against_baseline.says, verdict::within_noise);
  EXPECT_EQ(group_of(once, 1, 1).against_baseline.says, verdict::beyond_noise);
  EXPECT_EQ(once.designs.at(1).over_all.says, verdict::within_noise);
  EXPECT_EQ(group_of(once, 0, 0).against_baseline.says, verdict::baseline);
  EXPECT_THAT(comparison_text(once), HasSubstr("1.053, one run, within the noise"));
}

}  // namespace
}  // namespace gt200::apps::sweep
