#include "apps/sweep/definition.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/sweep/constraint.h"
#include "toolchain/error.h"

namespace gt200::apps::sweep {

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
  std::vector<point> result = sample(axes, what.sample, allowed);
  if (result.empty())
    throw input_error((what.constraints.empty() ? what.sample.at : what.constraints[0].at).prefix() +
                      "no point satisfies the constraints");
  return result;
}

std::string note_on_sample(const definition& what, std::size_t points) {
  if (what.sample.method == sampling_method::full || points >= what.sample.points) return "";
  return fmt::format("{}the sample has {} points, not {}: {}", what.sample.at.prefix(), points, what.sample.points,
                     what.sample.method == sampling_method::latin_hypercube
                         ? "others repeat these, or a constraint forbids them"
                         : "there are no more");
}

}  // namespace gt200::apps::sweep
