#include "apps/sweep/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include "observe/csv_field.h"
#include "observe/summary.h"
#include "toolchain/error.h"

namespace gt200::apps::sweep {
namespace {

bool is_workload(const axis& a) { return a.is_kernel() || a.option == "--param"; }
bool is_design(const axis& a) { return !is_workload(a) && !a.is_replicate(); }

// The values of some axes, as "gto, N=512": of those with several values.
template <class Of>
std::string name_of_values(const std::vector<axis>& axes, const point& values, const Of& is_of) {
  std::string text;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const axis& a = axes[i];
    if (!is_of(a) || a.values.size() < 2) continue;
    const std::string name = a.name(),
                      key = name.substr(name.rfind('.') == std::string::npos ? 0 : name.rfind('.') + 1);
    text += (text.empty() ? "" : ", ") + (a.is_kernel() ? "" : key + "=") + a.values[values[i]];
  }
  return text;
}

template <class Of>
point part_of(const std::vector<axis>& axes, const point& values, const Of& is_of) {
  point result;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (is_of(axes[i])) result.push_back(values[i]);
  return result;
}

// Numbers keys in the order in which they come.
class numbering {
 public:
  std::pair<std::size_t, bool> of(const point& key) {
    const auto [found, fresh] = numbers_.emplace(key, numbers_.size());
    return {found->second, fresh};
  }

 private:
  std::map<point, std::size_t> numbers_;
};

std::size_t replicate_of(const std::vector<axis>& axes, const row& of) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].is_replicate()) return of.values[i];
  return 0;
}

double time_of(const row& of) { return of.figures.at("femtoseconds").get<double>(); }

using by_replicate = std::map<std::size_t, double>;

// Logarithms of the speed-up, for the replicates that both have.
by_replicate logarithms(const std::vector<axis>& axes, const group& base, const group& of) {
  by_replicate times, result;
  for (const row* run : base.runs) times[replicate_of(axes, *run)] = time_of(*run);
  for (const row* run : of.runs)
    if (const auto found = times.find(replicate_of(axes, *run)); found != times.end() && time_of(*run) > 0)
      result[found->first] = std::log(found->second / time_of(*run));
  return result;
}

speed_up speed_up_of(const by_replicate& logs) {
  speed_up result;
  std::vector<double> values;
  for (const auto& [replicate, log] : logs) values.push_back(log);
  const sample_mean mean = mean_of(values);
  result.count = mean.count;
  if (mean.count == 0) return result;
  result.ratio = std::exp(mean.mean);
  if (mean.count == 1) {
    result.says = verdict::one_run;
    return result;
  }
  result.low = std::exp(mean.mean - mean.half_width);
  result.high = std::exp(mean.mean + mean.half_width);
  if (std::all_of(values.begin(), values.end(), [](double v) { return v == 0; }))
    result.says = verdict::equal;
  else if (std::abs(mean.mean) > mean.half_width)
    result.says = mean.mean > 0 ? verdict::faster : verdict::slower;
  else
    result.says = verdict::not_distinguishable;
  result.deviation = mean.deviation;
  result.count_for_one_percent = count_for(mean.deviation, std::log(1.01));
  return result;
}

std::size_t baseline_of(const comparison& all, const std::vector<std::string>& wanted) {
  point values(all.axes.size(), 0);
  std::vector<bool> given(all.axes.size(), false);
  for (const std::string& text : wanted) {
    const std::string key = text.substr(0, text.find('='));
    const std::string value = key.size() == text.size() ? "" : text.substr(key.size() + 1);
    const auto a = std::find_if(all.axes.begin(), all.axes.end(),
                                [&](const axis& x) { return is_design(x) && x.name() == key; });
    if (a == all.axes.end())
      throw input_error("--baseline " + text, 0, "there is no axis of designs '" + key + "'");
    const auto v = std::find(a->values.begin(), a->values.end(), value);
    if (v == a->values.end()) throw input_error("--baseline " + text, 0, "the axis has no such value");
    values[static_cast<std::size_t>(a - all.axes.begin())] = static_cast<std::size_t>(v - a->values.begin());
    given[static_cast<std::size_t>(a - all.axes.begin())] = true;
  }
  for (std::size_t d = 0; d < all.designs.size(); ++d) {
    bool fits = true;
    for (std::size_t i = 0; i < values.size(); ++i)
      fits = fits && (!given[i] || all.designs[d].values[i] == values[i]);
    if (fits) return d;
  }
  throw input_error("--baseline", 0, "no design of the sweep is like that");
}

void compare_with_baseline(comparison& all) {
  std::map<std::size_t, const group*> base;  // by workload
  for (const group& g : all.groups)
    if (g.design == all.baseline) base[g.workload] = &g;
  std::vector<std::map<std::size_t, by_replicate>> logs(all.designs.size());  // by workload
  for (group& g : all.groups) {
    const auto found = base.find(g.workload);
    if (found == base.end()) continue;
    const by_replicate of = logarithms(all.axes, *found->second, g);
    g.against_baseline = speed_up_of(of);
    if (g.design == all.baseline && !of.empty()) g.against_baseline.says = verdict::baseline;
    if (!of.empty()) logs[g.design][g.workload] = of;
  }
  for (std::size_t d = 0; d < all.designs.size(); ++d) {
    design& of = all.designs[d];
    of.workloads = logs[d].size();
    if (of.workloads < all.workloads.size()) continue;
    by_replicate means;  // of the replicates that all workloads have
    for (const auto& [replicate, log] : logs[d].begin()->second) {
      double sum = 0;
      std::size_t there = 0;
      for (const auto& [workload, values] : logs[d])
        if (const auto v = values.find(replicate); v != values.end()) sum += v->second, ++there;
      if (there == of.workloads) means[replicate] = sum / static_cast<double>(there);
    }
    of.over_all = speed_up_of(means);
    if (d == all.baseline && of.over_all.count != 0) of.over_all.says = verdict::baseline;
  }
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string text;
  for (std::size_t i = 0; i < fields.size(); ++i) text += (i == 0 ? "" : ",") + observe::csv_field(fields[i]);
  return text + "\n";
}

// The axes but replicates; of kernels also if there is one.
std::vector<std::string> names_of(const std::vector<axis>& axes, bool workloads) {
  std::vector<std::string> result;
  for (const axis& a : axes)
    if (is_design(a) || (workloads && is_workload(a))) result.push_back(a.name());
  return result;
}
std::vector<std::string> values_of(const std::vector<axis>& axes, const point& values, bool workloads) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (is_design(axes[i]) || (workloads && is_workload(axes[i]))) result.push_back(axes[i].values[values[i]]);
  return result;
}

const std::vector<std::string> speed_up_columns = {"speed_up", "speed_up_low", "speed_up_high", "verdict",
                                                   "replicates_for_1_percent"};
void add(std::vector<std::string>& fields, const speed_up& of) {
  const bool interval = of.count > 1;
  fields.push_back(of.count == 0 ? "" : fmt::format("{:.6f}", of.ratio));
  fields.push_back(interval ? fmt::format("{:.6f}", of.low) : "");
  fields.push_back(interval ? fmt::format("{:.6f}", of.high) : "");
  fields.emplace_back(name_of(of.says));
  fields.push_back(of.count_for_one_percent == 0 ? "" : std::to_string(of.count_for_one_percent));
}

std::string text_of(const speed_up& of) {
  if (of.says == verdict::baseline || of.count == 0) return name_of(of.says);
  if (of.count == 1) return fmt::format("{:.3f}, {}", of.ratio, name_of(of.says));
  return fmt::format("{:.3f} ({:.3f} to {:.3f}), {}", of.ratio, of.low, of.high, name_of(of.says));
}

sample_mean cycles_of(const group& of) {
  std::vector<double> values;
  for (const row* run : of.runs) values.push_back(run->figures.at("core_cycles").get<double>());
  return mean_of(values);
}

// Lines of cells, each column as wide as its widest cell.
std::string in_columns(const std::vector<std::vector<std::string>>& cells) {
  std::vector<std::size_t> widths;
  for (const auto& of_line : cells)
    for (std::size_t i = 0; i < of_line.size(); ++i) {
      widths.resize(std::max(widths.size(), i + 1));
      widths[i] = std::max(widths[i], of_line[i].size());
    }
  std::string text;
  for (const auto& of_line : cells) {
    std::string written;
    for (std::size_t i = 0; i < of_line.size(); ++i)
      written += i + 1 == of_line.size() ? of_line[i] : fmt::format("{:<{}}", of_line[i], widths[i] + 2);
    written.erase(written.find_last_not_of(' ') + 1);
    text += written + "\n";
  }
  return text;
}

// Names the best of three designs or more, and counts the others that the replicates cannot tell from it.
std::string best_text(const comparison& of) {
  if (!of.replicated || of.designs.size() < 3) return "";
  comparison with_best = of;
  std::size_t complete = 0, best = 0, alike = 0;
  for (std::size_t d = 0; d < of.designs.size(); ++d) {
    if (of.designs[d].over_all.count < 2) continue;
    if (complete++ == 0 || of.designs[d].over_all.ratio > of.designs[best].over_all.ratio) best = d;
  }
  if (complete < 2) return "";
  with_best.baseline = best;
  compare_with_baseline(with_best);
  for (const design& d : with_best.designs)
    if (d.over_all.says == verdict::not_distinguishable || d.over_all.says == verdict::equal) ++alike;
  return fmt::format("best: {}; {} of {} others not distinguishable from it\n", of.designs[best].name, alike,
                     complete - 1);
}

// A line for each of these designs that is faster on one workload and slower on another: its mean hides that.
std::string reversals_text(const comparison& of, const std::vector<std::size_t>& designs) {
  std::string text;
  for (const std::size_t d : designs) {
    const auto count_of = [&](verdict says) {
      return std::count_if(of.groups.begin(), of.groups.end(),
                           [&](const group& g) { return g.design == d && g.against_baseline.says == says; });
    };
    const auto faster = count_of(verdict::faster), slower = count_of(verdict::slower);
    if (faster != 0 && slower != 0)
      text += fmt::format("{} reverses: faster on {}, slower on {} of {} workloads\n", of.designs[d].name, faster,
                          slower, of.workloads.size());
  }
  return text;
}

}  // namespace

const char* name_of(verdict v) {
  switch (v) {
    case verdict::baseline: return "baseline";
    case verdict::faster: return "faster";
    case verdict::slower: return "slower";
    case verdict::equal: return "equal";
    case verdict::not_distinguishable: return "not distinguishable";
    case verdict::one_run: return "one run";
    case verdict::within_noise: return "one run, within the noise";
    case verdict::beyond_noise: return "one run, beyond the noise";
    case verdict::incomplete: break;
  }
  return "incomplete";
}

comparison compare(const std::vector<axis>& axes, const std::vector<row>& rows,
                   const std::vector<std::string>& baseline) {
  comparison result;
  result.axes = axes;
  result.replicated = std::any_of(axes.begin(), axes.end(), [](const axis& a) { return a.is_replicate(); });
  numbering groups, designs, workloads;
  for (const row& r : rows) {
    const auto [number, fresh] =
        groups.of(part_of(axes, r.values, [](const axis& a) { return !a.is_replicate(); }));
    if (fresh) {
      group g;
      g.values = r.values;
      const auto [d, new_design] = designs.of(part_of(axes, r.values, is_design));
      if (new_design) {
        design of;
        of.values = r.values;
        of.name = name_of_values(axes, r.values, is_design);
        result.designs.push_back(of);
      }
      const auto [w, new_workload] = workloads.of(part_of(axes, r.values, is_workload));
      if (new_workload) result.workloads.push_back(name_of_values(axes, r.values, is_workload));
      g.design = d;
      g.workload = w;
      result.groups.push_back(g);
    }
    if (r.exit_code == 0 && !r.figures.is_null()) result.groups[number].runs.push_back(&r);
  }
  result.baseline = baseline_of(result, baseline);
  compare_with_baseline(result);
  return result;
}

void judge_single_runs(comparison& all, const comparison& noise) {
  // Two runs differ by the root of 2 of one run's deviation; a mean over workloads by less.
  const auto judge = [](speed_up& of, double variance, std::size_t count) {
    if (of.says != verdict::one_run || count < 2) return;
    const double reach = student_t_95(count - 1) * std::sqrt(2 * variance);
    of.says = std::abs(std::log(of.ratio)) <= reach ? verdict::within_noise : verdict::beyond_noise;
  };
  std::map<std::string, sample_mean> by_workload;
  for (const group& g : noise.groups) by_workload[noise.workloads[g.workload]] = cycles_of(g);
  double variance = 0;
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::string& workload : all.workloads) {
    const sample_mean& mean = by_workload[workload];
    least = std::min(least, mean.mean > 0 ? mean.count : 0);
    if (least != 0) variance += mean.deviation * mean.deviation / (mean.mean * mean.mean);
  }
  for (group& g : all.groups)
    if (const sample_mean& mean = by_workload[all.workloads[g.workload]]; mean.mean > 0)
      judge(g.against_baseline, mean.deviation * mean.deviation / (mean.mean * mean.mean), mean.count);
  const auto workloads = static_cast<double>(all.workloads.size());
  for (design& d : all.designs) judge(d.over_all, variance / (workloads * workloads), least);
}

std::string noise_text(const comparison& noise) {
  constexpr std::size_t most = 8;
  std::string text;
  std::size_t count = 0, shown = 0;
  for (const group& g : noise.groups) {
    const sample_mean mean = cycles_of(g);
    if (mean.count < 2 || mean.mean <= 0) continue;
    count = std::max(count, mean.count);
    if (++shown > most) continue;
    const std::string& name = noise.workloads[g.workload];
    text += fmt::format("{}{}{}{:.2g} %", text.empty() ? "" : ", ", name, name.empty() ? "" : " ",
                        100 * mean.deviation / mean.mean);
  }
  if (shown == 0) return "";
  if (shown > most) text += fmt::format(" and {} more in noise.csv", shown - most);
  return fmt::format("noise of a single run: {} ({} replicates of the baseline)\n", text, count);
}

std::string summary_csv(const comparison& of, const std::vector<std::string>& counters) {
  std::vector<std::string> figures;  // in the order of the first run that has them
  for (const group& g : of.groups)
    for (const row* run : g.runs)
      for (const auto& [name, value] : numbers_of(*run, counters))
        if (std::find(figures.begin(), figures.end(), name) == figures.end()) figures.push_back(name);
  std::vector<std::string> names = names_of(of.axes, true);
  names.emplace_back("replicates");
  for (const std::string& figure : figures) names.insert(names.end(), {figure, figure + "_ci95"});
  names.insert(names.end(), {"noise", "replicates_for_1_percent"});
  std::string text = csv_line(names);
  for (const group& g : of.groups) {
    std::map<std::string, std::vector<double>> values;
    for (const row* run : g.runs)
      for (const auto& [name, value] : numbers_of(*run, counters)) values[name].push_back(value);
    std::vector<std::string> fields = values_of(of.axes, g.values, true);
    fields.push_back(std::to_string(g.runs.size()));
    for (const std::string& figure : figures) {
      const sample_mean mean = mean_of(values[figure]);
      fields.push_back(mean.count == 0 ? "" : fmt::format("{:.6f}", mean.mean));
      fields.push_back(mean.has_interval() ? fmt::format("{:.6f}", mean.half_width) : "");
    }
    const sample_mean cycles = cycles_of(g);
    const bool known = cycles.has_interval() && cycles.mean > 0;
    fields.push_back(known ? fmt::format("{:.6f}", cycles.deviation / cycles.mean) : "");
    const std::size_t wanted = known ? count_for(cycles.deviation, 0.01 * cycles.mean) : 0;
    fields.push_back(wanted == 0 ? "" : std::to_string(wanted));
    text += csv_line(fields);
  }
  return text;
}

std::string comparison_csv(const comparison& of) {
  std::vector<std::string> names = names_of(of.axes, true);
  names.emplace_back("replicates");
  names.insert(names.end(), speed_up_columns.begin(), speed_up_columns.end());
  std::string text = csv_line(names);
  for (const group& g : of.groups) {
    std::vector<std::string> fields = values_of(of.axes, g.values, true);
    fields.push_back(std::to_string(g.against_baseline.count));
    add(fields, g.against_baseline);
    text += csv_line(fields);
  }
  return text;
}

std::string designs_csv(const comparison& of) {
  std::vector<std::string> names = names_of(of.axes, false);
  names.insert(names.end(), {"workloads", "of_workloads", "replicates"});
  names.insert(names.end(), speed_up_columns.begin(), speed_up_columns.end());
  std::string text = csv_line(names);
  for (const design& d : of.designs) {
    std::vector<std::string> fields = values_of(of.axes, d.values, false);
    for (const std::size_t number : {d.workloads, of.workloads.size(), d.over_all.count})
      fields.push_back(std::to_string(number));
    add(fields, d.over_all);
    text += csv_line(fields);
  }
  return text;
}

std::string comparison_text(const comparison& of, std::size_t most, double width) {
  if (of.groups.empty()) return "";
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < of.designs.size(); ++d)
    if (d != of.baseline) order.push_back(d);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return of.designs[a].over_all.ratio > of.designs[b].over_all.ratio;
  });
  order.insert(order.begin(), of.baseline);
  const std::size_t shown = std::min(order.size(), most);
  const bool several = of.workloads.size() > 1, compares = of.designs.size() > 1;
  std::vector<std::vector<std::string>> cells = {{}};
  if (compares) cells[0].emplace_back("design");
  if (several) cells[0].emplace_back("workload");
  cells[0].emplace_back(of.replicated ? "core cycles, mean and 95 % interval" : "core cycles");
  if (compares) cells[0].emplace_back(of.replicated ? "speed-up, paired, and 95 % interval" : "speed-up");
  const auto add_line = [&](const std::string& design, const std::string& workload, const std::string& cycles,
                            const std::string& ratio) {
    std::vector<std::string> cell;
    if (compares) cell.push_back(design);
    if (several) cell.push_back(workload);
    cell.push_back(cycles);
    if (compares) cell.push_back(ratio);
    cells.push_back(cell);
  };
  std::size_t undecided = 0, comparisons = 0, wanted = 0;
  bool out_of_reach = false;
  for (const group& g : of.groups) {
    if (g.against_baseline.count < 2 || g.design == of.baseline) continue;
    ++comparisons;
    if (g.against_baseline.says != verdict::not_distinguishable) continue;
    ++undecided;
    const std::size_t count = count_for(g.against_baseline.deviation, std::log1p(width));
    out_of_reach = out_of_reach || count == 0;
    wanted = std::max(wanted, count);
  }
  for (std::size_t i = 0; i < shown; ++i) {
    const design& d = of.designs[order[i]];
    for (const group& g : of.groups)
      if (g.design == order[i])
        add_line(d.name, of.workloads[g.workload], text_of(cycles_of(g)), text_of(g.against_baseline));
    if (several && order[i] != of.baseline)
      add_line(d.name, "geometric mean", "",
               d.workloads < of.workloads.size()
                   ? fmt::format("incomplete: {} of {} workloads", d.workloads, of.workloads.size())
                   : text_of(d.over_all));
  }
  std::string text = in_columns(cells);
  if (shown < order.size()) text += fmt::format("... and {} more designs: designs.csv\n", order.size() - shown);
  order.resize(shown);
  text += best_text(of) + reversals_text(of, order);
  if (undecided != 0)
    text += fmt::format(
        "{} of {} comparisons are not distinguishable from noise; {} would give intervals of +- {:g} %\n",
        undecided, comparisons,
        out_of_reach ? "more than 100,000 replicates" : fmt::format("{} replicates", wanted), 100 * width);
  return text;
}

std::string text_of(const sample_mean& mean) {
  if (mean.count == 0) return "no result";
  const std::string value = observe::grouped(static_cast<std::uint64_t>(std::llround(mean.mean)));
  if (!mean.has_interval()) return value;
  return fmt::format("{} +- {} ({:.2g} %)", value,
                     observe::grouped(static_cast<std::uint64_t>(std::llround(mean.half_width))),
                     mean.mean > 0 ? 100 * mean.half_width / mean.mean : 0);
}

}  // namespace gt200::apps::sweep
