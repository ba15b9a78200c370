#include "observe/report/study_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "observe/report/explorer.h"
#include "observe/report/html.h"

namespace gt200::observe::report {
namespace {

// Axes with one value, and replicates, are no columns.
bool is_column(const study_axis& axis) { return axis.values.size() > 1 && !axis.is_replicate; }

// The last part of a key, where no other axis ends like it.
std::string short_name(const study_axis& axis, const std::vector<study_axis>& all) {
  const auto last = [](const study_axis& a) { return a.name.substr(a.name.rfind('.') + 1); };
  const auto same =
      std::count_if(all.begin(), all.end(), [&](const study_axis& a) { return last(a) == last(axis); });
  return same == 1 ? last(axis) : axis.name;
}

std::string number_text(double value) {
  return value == static_cast<double>(static_cast<std::int64_t>(value)) && value >= 0
             ? grouped(static_cast<std::uint64_t>(value))
         : value >= 1000 ? grouped(static_cast<std::uint64_t>(value + 0.5))
                         : fmt::format("{:.4g}", value);
}

std::string mean_text(const study_mean& m) {
  if (m.half_width == 0 || m.mean == 0) return number_text(m.mean);
  return fmt::format("{} +- {} ({:.2g} %)", number_text(m.mean), number_text(m.half_width),
                     100 * m.half_width / std::abs(m.mean));
}

std::string links_of(const study_group& g) {
  std::string result;
  for (std::size_t i = 0; i < g.links.size(); ++i)
    result += fmt::format("{}<a href=\"{}\">{}</a>", i == 0 ? "" : " ", escaped(g.links[i]), i + 1);
  return result;
}

std::string groups_table(const study_figures& study) {
  std::vector<std::string> heads;
  for (const study_axis& a : study.axes)
    if (is_column(a)) heads.push_back(short_name(a, study.axes));
  const std::size_t texts = heads.size();
  heads.insert(heads.end(), {"replicates", "core_cycles", "speed-up", "95 % interval", "verdict", "ipc", "runs"});
  const auto at = [&](const char* name) {
    return static_cast<std::size_t>(std::find(study.names.begin(), study.names.end(), name) - study.names.begin());
  };
  const std::size_t cycles = at("core_cycles"), ipc = at("ipc");
  std::vector<std::vector<std::string>> rows;
  for (const study_group& g : study.groups) {
    std::vector<std::string> row;
    for (std::size_t i = 0; i < study.axes.size(); ++i)
      if (is_column(study.axes[i])) row.push_back(escaped(study.axes[i].values.at(g.values.at(i))));
    const auto figure = [&](std::size_t i) { return i < g.figures.size() ? mean_text(g.figures[i]) : ""; };
    row.insert(row.end(), {std::to_string(g.replicates), figure(cycles),
                           g.speed_up == 0 ? "" : fmt::format("{:.3f}", g.speed_up),
                           g.low == 0 ? "" : fmt::format("{:.3f} to {:.3f}", g.low, g.high), escaped(g.verdict),
                           figure(ipc), links_of(g)});
    rows.push_back(std::move(row));
  }
  return table(heads, rows, texts, "points");
}

std::string list(const std::vector<std::string>& lines) {
  std::string items;
  for (const std::string& l : lines) items += "<li>" + escaped(l) + "</li>\n";
  return items.empty() ? "" : "<ul class=\"hints\">\n" + items + "</ul>\n";
}

}  // namespace

json study_data(const study_figures& study) {
  json axes = json::array(), groups = json::array();
  for (const study_axis& a : study.axes)
    axes.push_back(
        {{"name", a.name}, {"values", a.values}, {"workload", a.is_workload}, {"replicate", a.is_replicate}});
  for (const study_group& g : study.groups) {
    json figures = json::array();
    for (const study_mean& m : g.figures) figures.push_back({m.mean, m.half_width});
    groups.push_back({{"values", g.values},
                      {"replicates", g.replicates},
                      {"figures", std::move(figures)},
                      {"speed_up", {g.speed_up, g.low, g.high}},
                      {"verdict", g.verdict},
                      {"links", g.links}});
  }
  return {{"kind", "study"}, {"axes", std::move(axes)}, {"names", study.names}, {"groups", std::move(groups)}};
}

std::string study_body(const study_figures& study) {
  return section("Hints", list(study.notes)) + "<div id=\"explorer\"></div>\n" +
         section("Designs and workloads",
                 "<p class=\"note\">Means over replicates with 95 % intervals. Speed-up is against " +
                     escaped(study.baseline) + ", paired by replicate.</p>\n" + groups_table(study));
}

std::string show_study(const study_figures& study, page_style style) {
  const std::string title = "Study " + study.folder;
  const std::string body = study_body(study);
  if (style == page_style::explorer && has_explorer()) return explorer_page(title, body, study_data(study));
  return page(title, (style == page_style::explorer ? static_note() : "") + body);
}

}  // namespace gt200::observe::report
