// The comparison that a sweep shows: means with intervals, and every design against a baseline.
//
// A design is a choice of configuration and its keys. A workload is a kernel with its parameters. Runs of a design
// and a workload that differ in nothing but the replicate make a group. Speed-up is simulated time of the baseline
// by that of the design, so that designs of other clocks compare. Where there are replicates, the same replicate of
// both is compared (paired), and the mean is the geometric one. Intervals are those of 95 %, each by itself: of
// many null effects, one in twenty looks like a difference.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "apps/sweep/axis.h"
#include "apps/sweep/statistics.h"
#include "apps/sweep/table.h"

namespace gt200::apps::sweep {

enum class verdict : std::uint8_t {
  baseline,
  faster,
  slower,
  equal,
  not_distinguishable,
  one_run,
  within_noise,  // one run, and two runs of one design may differ as much
  beyond_noise,
  incomplete
};
// "faster", "not distinguishable", "one run".
const char* name_of(verdict v);

struct speed_up {
  std::size_t count = 0;  // replicates that both have
  double ratio = 0;       // above 1: faster than the baseline
  double low = 0;         // 95 %; without meaning unless count > 1
  double high = 0;
  double deviation = 0;  // standard deviation of the logarithm
  verdict says = verdict::incomplete;
  std::size_t count_for_one_percent = 0;  // replicates for an interval of +- 1 %; 0: more than 100,000, or unknown
};

struct group {
  point values;                  // of all axes; of replicates the first one
  std::vector<const row*> runs;  // that ended well, in the order of replicates
  std::size_t design = 0;        // number
  std::size_t workload = 0;
  speed_up against_baseline;
};

struct design {
  point values;               // of a point of it
  std::string name;           // its varied keys: "policy=gto, entries_per_warp=2"; unique
  std::size_t workloads = 0;  // with a speed-up
  speed_up over_all;          // geometric mean over all workloads; incomplete if it lacks one
};

struct comparison {
  std::vector<axis> axes;
  std::vector<group> groups;           // in the order of the table
  std::vector<design> designs;         // the same
  std::vector<std::string> workloads;  // names, such as "bfs N=512"
  std::size_t baseline = 0;            // number of the design
  bool replicated = false;
};

// `rows`: at least one, each with a value for every axis; they outlive the result. `baseline`: KEY=VALUE for some
// axes of the designs; the baseline is the first design that has them. Throws input_error: no such axis, value or
// design.
comparison compare(const std::vector<axis>& axes, const std::vector<row>& rows,
                   const std::vector<std::string>& baseline = {});

// Judges the designs that ran once by the noise of single runs: `noise` is a comparison of replicates of one
// design, with the workloads of `all`.
void judge_single_runs(comparison& all, const comparison& noise);
// "noise of a single run: bfs 1.2 %, copy 0.03 % (5 replicates of the baseline)", a line; empty without any.
std::string noise_text(const comparison& noise);

// summary.csv: a row per group, every figure of the table as a mean, with its half width in a column NAME_ci95.
std::string summary_csv(const comparison& of, const std::vector<std::string>& counters);
// comparison.csv: a row per group, with its speed-up, interval and verdict.
std::string comparison_csv(const comparison& of);
// designs.csv: a row per design, with the geometric mean over all workloads.
std::string designs_csv(const comparison& of);
// The same in words, for the terminal: at most `most` designs, those of the largest speed-up; and how many
// replicates would give intervals of +- `width`, a share.
std::string comparison_text(const comparison& of, std::size_t most = 12, double width = 0.01);

// "111,438 +- 9,210 (8.3 %)"; without an interval the mean alone.
std::string text_of(const sample_mean& mean);

}  // namespace gt200::apps::sweep
