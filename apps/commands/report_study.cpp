#include "apps/commands/report_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "apps/study/study.h"
#include "apps/sweep/comparison.h"
#include "apps/sweep/sweep_folder.h"
#include "observe/report/study_page.h"
#include "toolchain/output_file.h"

namespace gt200::apps {
namespace {

namespace pages = observe::report;

std::vector<pages::study_axis> axes_of(const std::vector<sweep::axis>& axes) {
  std::vector<pages::study_axis> result;
  for (const sweep::axis& a : axes)
    result.push_back({a.name(), a.values, a.is_kernel() || a.option == "--param", a.is_replicate()});
  return result;
}

// The figures that all groups may have, in the order of the table; those that are 0 everywhere are left out.
std::vector<std::string> figure_names(const std::vector<sweep::row>& rows, const sweep::words& counters) {
  std::vector<std::string> names;
  std::set<std::string> used;
  for (const sweep::row& r : rows)
    for (const auto& [name, value] : sweep::numbers_of(r, counters)) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      if (value != 0) used.insert(name);
    }
  names.erase(std::remove_if(names.begin(), names.end(), [&](const auto& name) { return used.count(name) == 0; }),
              names.end());
  return names;
}

std::vector<pages::study_mean> means_of(const sweep::group& g, const std::vector<std::string>& names,
                                        const sweep::words& counters) {
  std::map<std::string, std::vector<double>> values;
  for (const sweep::row* run : g.runs)
    for (const auto& [name, value] : sweep::numbers_of(*run, counters)) values[name].push_back(value);
  std::vector<pages::study_mean> result;
  for (const std::string& name : names) {
    if (values[name].empty()) {
      result.push_back({std::nan(""), 0});
      continue;
    }
    const sweep::sample_mean mean = sweep::mean_of(values[name]);
    result.push_back({mean.mean, mean.has_interval() ? mean.half_width : 0});
  }
  return result;
}

// The page or, without one, the folder of a point; relative to the page.
std::string link_to(const std::string& point_folder, const std::filesystem::path& page_folder, bool with_pages,
                    pages::page_style style) {
  std::string target = point_folder;
  if (with_pages && std::filesystem::exists(point_folder + "/stats.json")) {
    target += "/report.html";
    write_file(target, pages::show(pages::read_run(point_folder), style));
  }
  return std::filesystem::absolute(target)
      .lexically_relative(std::filesystem::absolute(page_folder))
      .generic_string();
}

std::vector<std::string> notes_of(const sweep::planned_sweep& plan, const std::vector<sweep::row>& rows) {
  std::vector<std::string> notes = plan.hints;
  std::ifstream hints(plan.work.folder + "/hints.txt");
  for (std::string line; std::getline(hints, line);)
    if (std::find(notes.begin(), notes.end(), line) == notes.end()) notes.push_back(line);
  if (std::string noise = sweep::noise_of(plan); !noise.empty()) {
    noise.pop_back();
    notes.push_back(noise);
  }
  const auto count = [&](auto is) { return std::count_if(rows.begin(), rows.end(), is); };
  if (const auto missing = count([](const sweep::row& r) { return !r.has_ended(); }))
    notes.push_back(fmt::format("{} of {} points have not ended", missing, rows.size()));
  if (const auto failed = count([](const sweep::row& r) { return r.has_ended() && r.exit_code != 0; }))
    notes.push_back(fmt::format("{} points failed; failures.txt has their reasons", failed));
  return notes;
}

}  // namespace

bool is_study(const std::string& folder) { return std::filesystem::exists(folder + "/sweep.json"); }

pages::study_figures figures_of(const sweep::planned_sweep& plan,
                                const std::function<std::string(std::size_t)>& link) {
  const std::vector<sweep::row> rows = sweep::rows_of(plan);
  const sweep::comparison compared = sweep::compare(plan, rows, plan.baseline);
  pages::study_figures study;
  study.axes = axes_of(compared.axes);
  study.names = figure_names(rows, plan.counters);
  study.notes = notes_of(plan, rows);
  study.baseline = compared.designs.at(compared.baseline).name;
  for (const sweep::group& g : compared.groups) {
    pages::study_group shown;
    shown.values = g.values;
    shown.replicates = g.runs.size();
    shown.figures = means_of(g, study.names, plan.counters);
    const sweep::speed_up& s = g.against_baseline;
    const bool known = s.says != sweep::verdict::incomplete && s.count > 0;
    shown.speed_up = known ? s.ratio : 0;
    const bool interval = known && s.count > 1 && s.says != sweep::verdict::baseline;
    shown.low = interval ? s.low : 0;
    shown.high = interval ? s.high : 0;
    shown.figures.push_back({known ? s.ratio : std::nan(""), interval ? (s.high - s.low) / 2 : 0});
    shown.verdict = sweep::name_of(s.says);
    for (const sweep::row* run : g.runs)
      shown.links.push_back(link(plan.rows.at(static_cast<std::size_t>(run - rows.data())).number));
    study.groups.push_back(std::move(shown));
  }
  study.names.push_back("speed_up");
  return study;
}

void write_study_page(const std::string& folder, const std::string& file, pages::page_style style) {
  const sweep::planned_sweep plan = sweep::read_sweep(folder);
  const std::filesystem::path page_folder = std::filesystem::absolute(file).parent_path();
  const bool with_pages = plan.work.points.size() <= most_point_pages;
  pages::study_figures study = figures_of(plan, [&](std::size_t number) {
    return link_to(study::point_folder(plan.work, plan.work.points.at(number)), page_folder, with_pages, style);
  });
  study.folder = folder;
  write_file(file, pages::show_study(study, style));
}

}  // namespace gt200::apps
