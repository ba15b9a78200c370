#include "apps/sweep/definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "apps/sweep/constraint.h"
#include "toolchain/error.h"

namespace gt200::apps::sweep {
namespace {

// A sample does not choose among them: every design runs all.
bool runs_whole(const axis& a) { return a.is_kernel() || a.is_replicate(); }

// The design of the baseline, with the first value where it says nothing; nothing if it names no axis that there
// is.
std::optional<point> baseline_of(const definition& what, const std::vector<std::size_t>& drawn) {
  point result(drawn.size(), 0);
  for (const std::string& text : what.baseline) {
    bool found = false;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      const axis& a = what.axes[drawn[i]];
      for (std::size_t v = 0; v < a.values.size(); ++v)
        if (text == a.name() + "=" + a.values[v]) {
          result[i] = v;
          found = true;
        }
    }
    if (!found) throw input_error("baseline " + text, 0, "no axis has this value");
  }
  return what.baseline.empty() ? std::nullopt : std::optional(result);
}

// A sample of what is not a kernel or a replicate, and all kernels and replicates of each.
std::vector<point> sampled_designs(const definition& what, const std::function<bool(const point&)>& allowed) {
  const std::vector<axis>& axes = what.axes;
  std::vector<std::size_t> drawn;  // numbers of axes
  std::vector<axis> of_designs;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (!runs_whole(axes[i])) {
      drawn.push_back(i);
      of_designs.push_back(axes[i]);
    }
  const auto runs_of = [&](const point& design) {
    std::vector<point> runs = {point(axes.size(), 0)};
    for (std::size_t i = 0; i < drawn.size(); ++i) runs[0][drawn[i]] = design[i];
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (!runs_whole(axes[i])) continue;
      std::vector<point> more;
      for (const point& run : runs)
        for (std::size_t v = 0; v < axes[i].values.size(); ++v) {
          more.push_back(run);
          more.back()[i] = v;
        }
      runs = std::move(more);
    }
    runs.erase(std::remove_if(runs.begin(), runs.end(), [&](const point& p) { return !allowed(p); }), runs.end());
    return runs;
  };
  std::vector<point> designs =
      sample(of_designs, what.sample, [&](const point& design) { return !runs_of(design).empty(); });
  if (const auto baseline = baseline_of(what, drawn);
      baseline && std::find(designs.begin(), designs.end(), *baseline) == designs.end())
    designs.insert(designs.begin(), *baseline);
  std::vector<point> result;
  for (const point& design : designs)
    for (point& run : runs_of(design)) result.push_back(std::move(run));
  return result;
}

}  // namespace

std::vector<point> points_of(const definition& what) {
  const std::vector<axis>& axes = what.axes;
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (axes[i].option == axes[j].option && axes[i].key == axes[j].key)
        throw input_error(axes[i].at.prefix() + axes[i].option + " " + axes[i].key, 0,
                          "is given twice; list its values in one");
  std::string names;
  for (const axis& a : axes) names += (names.empty() ? "" : ", ") + a.name();
  std::vector<kind_of_values> kinds;
  for (const axis& a : axes) kinds.push_back(kind_of(a.values));
  const auto allowed = [&](const point& p) {
    const values_of_axes value = [&](const std::string& name) {
      for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i].name() == name) return axis_value{axes[i].values[p[i]], kinds[i]};
      throw input_error("there is no axis '" + name + "'; axes are " + names);
    };
    return std::all_of(what.constraints.begin(), what.constraints.end(), [&](const stated& constraint) {
      return with_place(constraint.at, [&] { return holds(constraint.text, value); });
    });
  };
  const std::vector<point> result = what.sample.method == sampling_method::full ? sample(axes, what.sample, allowed)
                                                                                : sampled_designs(what, allowed);
  if (result.empty())
    throw input_error((what.constraints.empty() ? what.sample.at : what.constraints[0].at).prefix() +
                      "no point satisfies the constraints");
  return result;
}

std::string note_on_sample(const definition& what, const std::vector<point>& points) {
  std::set<point> designs;
  for (point p : points) {
    for (std::size_t i = 0; i < p.size(); ++i)
      if (runs_whole(what.axes[i])) p[i] = 0;
    designs.insert(std::move(p));
  }
  if (what.sample.method == sampling_method::full || designs.size() >= what.sample.points) return "";
  return fmt::format(
      "{}the sample has {} points, not {}: {}", what.sample.at.prefix(), designs.size(), what.sample.points,
      what.sample.method == sampling_method::latin_hypercube ? "others repeat these, or a constraint forbids them"
                                                             : "there are no more");
}

void add_replicates(const replicates& wanted, definition& to) {
  if (wanted.count() == 0) return;
  if (wanted.seeds != 0 && wanted.jitter != 0 && wanted.seeds != wanted.jitter)
    throw input_error(
        wanted.at.prefix() +
        fmt::format("{} seeds and {} of jitter: a replicate has one of each, so both are equal, or one is 0",
                    wanted.seeds, wanted.jitter));
  std::uint64_t first = 1;
  words& options = to.run_options;
  if (const auto seed = std::find(options.begin(), options.end(), "--seed");
      seed != options.end() && wanted.seeds != 0) {
    first = std::stoull(*(seed + 1));
    options.erase(seed, seed + 2);
  }
  to.axes.push_back(axis_of(wanted, first));
}

}  // namespace gt200::apps::sweep
