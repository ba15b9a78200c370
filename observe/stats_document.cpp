#include "observe/stats_document.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "observe/grid_hints.h"
#include "observe/statistics_json.h"
#include "observe/stats_version.h"
#include "sc_models/config/print.h"
#include "toolchain/cubin/load.h"

namespace gt200::observe {

using json = nlohmann::ordered_json;

stats_document::stats_document(const statistics& figures) : figures_(figures), over_time_(figures.chip()) {}

// The text of the source lines that have issue slots, by line number. Empty if the program has no line table, or if
// its lines belong to another file: a cubin, or PTX that names the lines it was made from.
json stats_document::source_lines_of(const std::string& file) const {
  auto result = json::object();
  std::set<std::uint32_t> numbers;
  for (const launch_record& l : figures_.launches())
    for (const instruction_record& i : l.instructions)
      if (i.line != 0) numbers.insert(i.line);
  const std::string extension = std::filesystem::path(file).extension();
  if (numbers.empty() || file.empty() || extension == ".cubin") return result;
  const std::string content = cubin::read_file(file);
  if (extension == ".ptx" && content.find(".loc") != std::string::npos) return result;
  std::istringstream lines(content);
  std::string text;
  for (std::uint32_t number = 1; std::getline(lines, text); ++number)
    if (numbers.count(number) != 0) result[std::to_string(number)] = text;
  return result;
}

json stats_document::assemble(const run_facts& run) {
  json result;
  result["schema"] = stats_schema;
  result["schema_version"] = stats_schema_version;
  result["program"] = {{"source", run.source},
                       {"launch_description", run.launch_description},
                       {"seed", run.seed},
                       {"parameters", run.parameters}};
  result["configuration_hash"] = fmt::format("{:016x}", config::hash_of(figures_.chip().config));
  result["result"] = {{"end", name_of(run.end)},
                      {"checks", run.checks},
                      {"passed", run.passed ? json(*run.passed) : json(nullptr)},
                      {"worst_error", run.worst_error},
                      {"message", run.message}};
  std::vector<std::string> hints = run.hints;
  json of_grids = json::array();
  for (const grid_hint& hint : grid_hints(figures_)) {
    hints.push_back(text_of(hint));
    of_grids.push_back({{"kind", hint.kind}, {"place", hint.place}, {"percent", hint.percent}});
  }
  if (!hints.empty()) result["hints"] = hints;
  if (!of_grids.empty()) result["grid_hints"] = std::move(of_grids);
  if (!run.trust.empty()) result["trust"] = run.trust;
  json figures = to_json(figures_);
  // moves each member, because update() would copy everything
  for (auto& [name, value] : figures.items()) result[name] = std::move(value);
  result["over_time"] = over_time_.to_json();
  result["source_lines"] = source_lines_of(run.source_file);
  const std::uint64_t instructions = figures_.total().issued();
  result["host"] = {{"wall_seconds", run.wall_seconds},
                    {"cpu_seconds", run.cpu_seconds},
                    {"threads", run.threads},
                    {"shared_windows", run.shared_windows},
                    {"windows", run.windows},
                    {"cluster_seconds", run.cluster_seconds},
                    {"longest_cluster_seconds", run.longest_cluster_seconds},
                    {"warp_instructions_per_cpu_second", static_cast<double>(instructions) / run.cpu_seconds}};
  result["command_line"] = run.command_line;
  if (!run.provenance.is_null()) result["provenance"] = run.provenance;
  return result;
}

}  // namespace gt200::observe
