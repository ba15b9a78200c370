#include "apps/sweep/counter_check.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <stdexcept>

#include "apps/support/config_files.h"
#include "apps/support/isolated.h"
#include "driver/device.h"
#include "observe/statistics_counters.h"
#include "sc_models/config/load.h"
#include "toolchain/error.h"
#include "toolchain/launch/nearest.h"

namespace gt200::apps::sweep {
namespace {

constexpr std::size_t most_points = 128;
constexpr double chip_seconds = 600;  // of the host, to build a chip

// Names without the numbers of instances, a line each.
std::string names_in(const config::gpu_config& config) {
  // Not destroyed: the process ends.
  auto* const target = new device(config, {});
  std::string text;
  for (const observe::counter_entry& counter : observe::counters_below(target->chip()))
    text += observe::kind_path(counter.path) + "\n";
  return text;
}

void add_counters_of(const named_config& of, std::set<std::string>& names) {
  const config::gpu_config config = config::load(find_config(of.config), of.overrides).values;
  const isolated_end end = run_isolated([&] { return names_in(config); }, chip_seconds, nullptr);
  if (end.refused) throw input_error(end.reason);
  if (end.late) throw input_error(of.config, 0, "the chip is not built: " + end.reason);
  if (!end.ok) throw std::runtime_error("building the chip of " + of.config + ": " + end.reason);
  std::istringstream lines(end.text);
  for (std::string line; std::getline(lines, line);) names.insert(line);
}

std::string beginning_of_refusal(const stated& counter) {
  return counter.at.file.empty() ? "--counter: " : counter.at.prefix();
}

[[noreturn]] void refuse(const stated& counter, const std::set<std::string>& names) {
  const std::string without_numbers = observe::kind_path("chip." + counter.text);
  const std::string hint = names.count(without_numbers) != 0
                               ? "; did you mean '" + without_numbers + "', which is summed over the chip?"
                               : launch::suggestion(counter.text, {names.begin(), names.end()});
  throw input_error(
      beginning_of_refusal(counter) + "no chip of this sweep has a counter '" + counter.text + "'" +
      (hint.empty() ? "; stats.json of a run lists them, here without the numbers of modules" : hint));
}

}  // namespace

std::vector<std::size_t> configurations_to_look_at(const std::vector<axis>& axes,
                                                   const std::vector<point>& points) {
  std::vector<std::size_t> chosen, others;
  std::set<std::pair<std::size_t, std::size_t>> seen_values;
  std::set<point> seen;
  for (std::size_t number = 0; number < points.size(); ++number) {
    point values;
    bool fresh_value = false;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      if (axes[i].option != "--set" && axes[i].option != "--config") continue;
      values.push_back(points[number][i]);
      fresh_value = seen_values.emplace(i, points[number][i]).second || fresh_value;
    }
    if (seen.insert(std::move(values)).second) (fresh_value ? chosen : others).push_back(number);
  }
  if (chosen.empty() && !points.empty()) chosen.push_back(0);
  const std::size_t room = std::min(others.size(), most_points - std::min(most_points, chosen.size()));
  chosen.resize(std::min(chosen.size(), most_points));
  for (std::size_t i = 0; i < room; ++i) chosen.push_back(others[i * others.size() / room]);
  return chosen;
}

void check_counters(const std::vector<stated>& counters, const std::vector<named_config>& configs) {
  std::set<std::string> stated_before;
  for (const stated& counter : counters)
    if (!stated_before.insert(counter.text).second)
      throw input_error(beginning_of_refusal(counter) + "the counter '" + counter.text + "' is named twice");
  std::set<std::string> names;
  const auto missing = [&] {
    return std::find_if(counters.begin(), counters.end(),
                        [&](const stated& c) { return names.count(c.text) == 0; });
  };
  for (const named_config& config : configs) {
    if (missing() == counters.end()) return;
    add_counters_of(config, names);
  }
  if (const auto counter = missing(); counter != counters.end() && !configs.empty()) refuse(*counter, names);
}

}  // namespace gt200::apps::sweep
