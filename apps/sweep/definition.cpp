#include "apps/sweep/definition.h"

#include <algorithm>

#include "apps/sweep/constraint.h"
#include "toolchain/error.h"

namespace gt200::apps::sweep {

std::vector<point> points_of(const definition& what) {
  const std::vector<axis>& axes = what.axes;
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (axes[i].option == axes[j].option && axes[i].key == axes[j].key)
        throw input_error(axes[i].option + " " + axes[i].key, 0, "is given twice; list its values in one");
  std::string names;
  for (const axis& a : axes) names += (names.empty() ? "" : ", ") + a.name();
  const auto allowed = [&](const point& p) {
    const value_of_axis value = [&](const std::string& name) -> const std::string& {
      for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i].name() == name) return axes[i].values[p[i]];
      throw input_error("there is no axis '" + name + "'; axes are " + names);
    };
    return std::all_of(what.constraints.begin(), what.constraints.end(),
                       [&](const std::string& text) { return holds(text, value); });
  };
  std::vector<point> result = sample(axes, what.sample, allowed);
  if (result.empty()) throw input_error("no point satisfies the constraints");
  return result;
}

}  // namespace gt200::apps::sweep
