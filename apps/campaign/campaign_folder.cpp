#include "apps/campaign/campaign_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "apps/sweep/result_key.h"
#include "toolchain/error.h"

namespace gt200::apps::campaign {

part parse_part(const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto number = [&](const std::string& digits) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
      throw input_error("--part " + text, 0, "is not FIRST:COUNT");
    return value;
  };
  if (colon == std::string::npos) throw input_error("--part " + text, 0, "is not FIRST:COUNT");
  return {number(text.substr(0, colon)), number(text.substr(colon + 1))};
}

void plan_points(study::study& work, const plan& p, std::size_t injections_of_part, const study::words& command,
                 const workload_options& workload, const std::string& config,
                 const std::vector<std::string>& overrides) {
  sweep::key_maker keys;
  const std::string folder = std::filesystem::absolute(work.folder).lexically_normal().string();
  std::string options = "campaign";
  for (const std::string& word : command) options += '\0' + word;
  for (std::size_t first = 0; first < p.injections.size(); first += injections_of_part) {
    const std::size_t count = std::min(injections_of_part, p.injections.size() - first);
    study::point point;
    point.name = fmt::format("part_{:06}", first);
    point.command = command;
    point.command.insert(point.command.end(), {"--plan", folder, "--part", fmt::format("{}:{}", first, count)});
    std::string sites = options;
    for (std::size_t i = first; i < first + count; ++i) sites += '\0' + inject::text_of(p.injections[i].at);
    point.key = keys.key_of({workload, config, overrides, sites}).key;
    point.group = p.kernel;
    work.points.push_back(point);
  }
  work.inputs = keys.inputs();
  work.programs = keys.programs();
  work.program_hash = keys.program_hash();
}

std::vector<injection_result> results_of(const study::study& work) {
  std::vector<injection_result> all;
  for (const study::point& point : work.points) {
    const auto end = study::ending_of(work, point);
    if (!end || end->exit_code != 0) continue;
    const auto text = study::result_text(work, point, results_file);
    if (!text) continue;
    for (const injection_result& r : parse_results(*text, study::point_folder(work, point))) all.push_back(r);
  }
  return all;
}

}  // namespace gt200::apps::campaign
