#include "apps/commands/live_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/commands/report_study.h"
#include "apps/support/message.h"

namespace gt200::apps {
namespace {

constexpr const char* page_name = "/report.html";

bool has_any_ended(const sweep::planned_sweep& plan) {
  return std::any_of(plan.work.points.begin(), plan.work.points.end(),
                     [&](const study::point& p) { return study::ending_of(plan.work, p).has_value(); });
}

std::string page_address(const study::point& point) { return "points/" + point.name + page_name; }

nlohmann::ordered_json live_figures_of(const sweep::planned_sweep& plan, const std::string& status) {
  nlohmann::ordered_json figures = {{"kind", "none"}};
  std::string body = "<p>No point has ended.</p>\n";
  if (has_any_ended(plan)) {
    const observe::report::study_figures study =
        figures_of(plan, [&](std::size_t number) { return page_address(plan.work.points.at(number)); });
    figures = observe::report::study_data(study);
    body = observe::report::study_body(study);
  }
  figures["live"] = {{"status", status}, {"body", body}};
  return figures;
}

// The page of a point that has ended and left stats.json.
std::string page_of_point(const sweep::planned_sweep& plan, const std::string& path) {
  const auto& points = plan.work.points;
  const auto at = std::find_if(points.begin(), points.end(),
                               [&](const study::point& p) { return path == "/" + page_address(p); });
  if (at == points.end() || !study::ending_of(plan.work, *at)) return "";
  const std::string folder = study::point_folder(plan.work, *at);
  if (!std::filesystem::exists(folder + "/stats.json")) return "";
  return observe::report::show(observe::report::read_run(folder));
}

}  // namespace

live_study::live_study(const sweep::planned_sweep& plan, unsigned port)
    : plan_(plan),
      page_(port, {"Study " + plan.work.folder, std::string(live_line) + "<div id=\"live_body\"></div>\n",
                   [this] { return live_figures_of(plan_, status_); },
                   [this](const std::string& path) { return page_of_point(plan_, path); }}) {
  say(fmt::format("gt200: the study can be watched at {}\n", page_.address()));
}

void live_study::update(const std::string& status) {
  status_ = status;
  page_.update();
}

}  // namespace gt200::apps
