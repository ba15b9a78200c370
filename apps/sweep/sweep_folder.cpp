#include "apps/sweep/sweep_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "apps/exit_code.h"
#include "apps/support/config_files.h"
#include "apps/support/json_text.h"
#include "apps/sweep/comparison.h"
#include "apps/sweep/counter_check.h"
#include "apps/sweep/result_key.h"
#include "apps/sweep/table.h"
#include "observe/csv_field.h"
#include "observe/grid_hints.h"
#include "sc_models/config/hints.h"
#include "sc_models/config/load.h"
#include "toolchain/error.h"
#include "toolchain/output_file.h"

namespace gt200::apps::sweep {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr const char* schema = "gt200 sweep 1";
constexpr std::size_t name_length = 20;  // of a key: 80 bits

std::string plan_file(const std::string& folder) { return folder + "/sweep.json"; }

std::string joined(const words& list) {
  std::string text;
  for (const std::string& word : list) text += (text.empty() ? "" : ",") + word;
  return text;
}

// The words of a row for `gt200 run`: kernel, axes, options.
words run_words(const definition& what, const point& values) {
  words result;
  for (std::size_t i = 0; i < what.axes.size(); ++i) {
    const words chosen = what.axes[i].words(values[i]);
    result.insert(result.end(), chosen.begin(), chosen.end());
  }
  result.insert(result.end(), what.run_options.begin(), what.run_options.end());
  return result;
}

// The same as key_maker reads it.
planned_run planned(const words& run, const words& keep) {
  planned_run result;
  result.workload.target = run.at(0);
  for (std::size_t i = 1; i < run.size(); ++i) {
    const std::string& option = run[i];
    if (option == "--check") {
      result.options += "check;";
      continue;
    }
    const std::string& value = run.at(++i);
    if (option == "--set") result.overrides.push_back(value);
    if (option == "--param") {
      const std::size_t equals = value.find('=');
      if (const std::string wrong = check_parameter(value); !wrong.empty())
        throw input_error("--param " + value.substr(0, equals), 0, wrong);
      result.workload.parameters.push_back(value);
    }
    if (option == "--config") result.config = value;
    if (option == "--launch") result.workload.launch = value;
    if (option == "--source") result.workload.source = value;
    if (option == "--seed") result.workload.seed = static_cast<std::uint32_t>(std::stoul(value));
    if (option == "--jitter") result.options += "jitter " + value + ";";
    if (option == "--max-cycles") result.options += "max-cycles " + value + ";";
  }
  if (const std::string name = repeated_name(result.workload.parameters); !name.empty())
    throw input_error("--param " + name, 0, "is given twice, of the kernel and as an axis");
  result.options += "keep " + joined(keep) + ";";
  return result;
}

// Compiles the program of every kernel for every configuration while this process is small: those who run the
// points find it (run_host.h). What is wrong shows again when the points are made.
void compile_programs(const definition& what, key_maker& keys, const words& keep) {
  point values(what.axes.size(), 0);
  const auto vary = [&](const auto& self, std::size_t i) -> void {
    if (i == what.axes.size()) {
      try {
        keys.key_of(planned(run_words(what, values), keep));
      } catch (const input_error&) {
      }
      return;
    }
    const bool decides = what.axes[i].is_kernel() || what.axes[i].option == "--config";
    for (values[i] = 0; values[i] < (decides ? what.axes[i].values.size() : 1); ++values[i]) self(self, i + 1);
    values[i] = 0;
  };
  vary(vary, 0);
}

// Place of the value that a message names; none for the command line.
place place_of_refusal(const definition& what, const point& values, const std::string& message) {
  for (std::size_t i = 0; i < what.axes.size(); ++i) {
    const axis& a = what.axes[i];
    if (a.at.file.empty() || a.key.empty()) continue;
    const std::string setting = a.option + " " + a.key + "=" + a.values[values[i]] + ":";
    const bool named = a.option == "--set" ? message.rfind(setting, 0) == 0
                                           : message.find("parameter '" + a.key + "'") != std::string::npos ||
                                                 message.rfind(a.option + " " + a.key + ":", 0) == 0;
    if (named) return a.at;
  }
  return {};
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// `ended`: "exit code 3", or "no result".
std::string failure_text(const planned_sweep& what, const planned_row& row, const std::string& ended,
                         const std::string& reason) {
  std::string text = ended + ": " + reason.substr(0, reason.find('\n')) + "\n  gt200 run";
  if (row.refusal.empty()) {
    const words& command = what.work.points[row.number].command;
    // Which files a point leaves belongs to its folder, which a run by hand does not have.
    for (std::size_t i = 1; i < command.size(); ++i)
      if (command[i] == "--keep")
        ++i;
      else
        text += " " + command[i];
  } else {
    for (std::size_t i = 0; i < what.axes.size(); ++i)
      for (const std::string& word : what.axes[i].words(row.values[i])) text += " " + word;
  }
  return text + "\n";
}

// Hints on the configurations of a sweep; on the first ones if there are very many.
class hint_finder {
 public:
  void look_at(const planned_run& run) {
    constexpr std::size_t most = 64;
    if (run.overrides.empty() || seen_.size() >= most || !seen_.insert({run.config, run.overrides}).second) return;
    const std::string file = find_config(run.config);
    for (const std::string& hint :
         config::hints(config::load(file).values, config::load(file, run.overrides).values))
      if (std::find(hints_.begin(), hints_.end(), hint) == hints_.end()) hints_.push_back(hint);
  }
  const words& found() const { return hints_; }

 private:
  std::set<std::pair<std::string, words>> seen_;
  words hints_;
};

// The hints of the runs, with the number of rows that have them. Those on the same grid are one, with the range of
// their percentage.
words hints_of_runs(const words& of_configurations, const std::vector<row>& rows) {
  struct merged {
    std::size_t rows = 0;
    double low = std::numeric_limits<double>::infinity();
    double high = 0;
  };
  std::map<std::string, std::size_t> plain;
  std::map<std::pair<std::string, std::string>, merged> of_grids;  // by kind and place
  for (const row& r : rows) {
    if (r.figures.is_null()) continue;
    for (const std::string& hint : r.figures.value("hints", words()))
      if (std::find(of_configurations.begin(), of_configurations.end(), hint) == of_configurations.end())
        ++plain[hint];
    for (const json& hint : r.figures.value("grid_hints", json::array())) {
      merged& one = of_grids[{hint.at("kind"), hint.at("place")}];
      ++one.rows;
      one.low = std::min(one.low, hint.at("percent").get<double>());
      one.high = std::max(one.high, hint.at("percent").get<double>());
    }
  }
  words result;
  const auto add = [&](std::size_t count, const std::string& text) {
    result.push_back(fmt::format("in {} of {} points: {}", count, rows.size(), text));
  };
  for (const auto& [text, count] : plain) add(count, text);
  for (const auto& [place, one] : of_grids) {
    const std::string low = fmt::format("{:.1f}", one.low), high = fmt::format("{:.1f}", one.high);
    add(one.rows, observe::text_of(place.first, place.second, low == high ? high : low + " to " + high));
  }
  return result;
}

// The kernel's column says nothing when there is one kernel.
bool has_column(const axis& a) { return !a.is_kernel() || a.values.size() > 1; }

struct found_rows {
  std::vector<row> rows;  // all, with a value for every axis
  std::string failures;
  table_counts counts;
};

found_rows look_up(const planned_sweep& what) {
  found_rows found;
  table_counts& counts = found.counts;
  const auto no_result = [&](const planned_row& planned, const char* reason) {
    ++counts.missing;
    found.failures += failure_text(what, planned, "no result", reason);
  };
  for (const planned_row& planned : what.rows) {
    row shown;
    std::string reason = planned.refusal;
    if (reason.empty()) {
      const study::point& of = what.work.points[planned.number];
      const auto end = study::ending_of(what.work, of);
      if (!end) {
        no_result(planned, "the point has not run to its end");
        found.rows.push_back({planned.values, -1, {}});
        continue;
      }
      shown.exit_code = end->exit_code;
      reason = end->reason;
      if (const auto text = study::result_text(what.work, of, "figures.json")) try {
          shown.figures = figures_in(*text, "figures.json");
        } catch (const input_error&) {  // as none
        }
      if (study::is_result(end->exit_code) && shown.figures.is_null()) {
        no_result(planned, "its files are damaged; the next sweep runs it again");
        found.rows.push_back({planned.values, -1, {}});
        continue;
      }
      if (!shown.figures.is_null() && shown.exit_code != 0 && shown.figures.value("message", "") != "")
        reason = shown.figures.at("message");
    } else {
      shown.exit_code = static_cast<int>(exit_code::bad_input);
    }
    shown.values = planned.values;
    if (shown.exit_code != 0) {
      if (counts.failed++ == 0) counts.first_failure = reason;
      found.failures += failure_text(what, planned, fmt::format("exit code {}", shown.exit_code), reason);
    }
    ++counts.rows;
    found.rows.push_back(std::move(shown));
  }
  return found;
}

// A point of the design whose replicates measure the noise: the baseline of a sweep with several designs and
// without replicates.
std::optional<point> design_with_noise(const definition& what, const std::vector<point>& points) {
  if (what.noise == 0 || what.axes.back().is_replicate()) return std::nullopt;
  if (what.noise == 1) throw input_error("--noise 1", 0, "a single run has no noise; 0 measures none");
  std::vector<row> rows;
  for (const point& values : points) rows.push_back({values, -1, {}});
  const comparison compared = compare(what.axes, rows, what.baseline);
  if (compared.designs.size() < 2) return std::nullopt;
  return compared.designs[compared.baseline].values;
}

bool is_of_design(const std::vector<axis>& axes, const point& values, const point& design) {
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (!axes[i].is_kernel() && axes[i].option != "--param" && values[i] != design[i]) return false;
  return true;
}

// The runs that measure the noise, as a sweep of one design.
class noise_runs {
 public:
  explicit noise_runs(const planned_sweep& what) {
    if (what.noise.empty()) return;
    planned_sweep replicates = what;
    replicates.rows = what.noise;
    axes_ = what.axes;
    axis& added = axes_.emplace_back();
    added.option = "replicate";
    for (std::size_t i = 0; i <= what.noise.back().values.back(); ++i)
      added.values.push_back(std::to_string(i + 1));
    replicates.axes = axes_;
    rows_ = look_up(replicates).rows;
  }
  bool known() const { return !rows_.empty(); }
  comparison compared() const { return compare(axes_, rows_); }

 private:
  std::vector<axis> axes_;
  std::vector<row> rows_;
};

}  // namespace

std::string table_path(const std::string& folder) { return folder + "/sweep.csv"; }
std::string failures_path(const std::string& folder) { return folder + "/failures.txt"; }
std::string hints_path(const std::string& folder) { return folder + "/hints.txt"; }

planned_sweep plan(const definition& what) {
  planned_sweep result;
  result.axes = what.axes;
  for (const stated& counter : what.counters) result.counters.push_back(counter.text);
  result.baseline = what.baseline;
  result.work.folder = what.out;
  result.work.made_by = "sweep";
  result.work.how = what.how;
  words keep = what.keep;
  for (const char* always : {"config", "figures"})
    if (std::find(keep.begin(), keep.end(), always) == keep.end()) keep.emplace_back(always);
  std::sort(keep.begin(), keep.end());
  keep.erase(std::unique(keep.begin(), keep.end()), keep.end());
  key_maker keys;
  compile_programs(what, keys, keep);
  if (what.how.engine == "local") study::prepare_runs();
  std::map<std::string, std::size_t> numbers;  // by key
  std::string first_refusal;
  bool any = false;
  const std::vector<point> points = points_of(what);
  result.note = note_on_sample(what, points);
  std::vector<point> accepted;
  hint_finder hints;
  // The number of the point that a run is.
  const auto number_of = [&](const words& run, const words& kept) {
    const result_key key = keys.key_of(planned(run, kept));
    const auto [found, fresh] = numbers.emplace(key.key, result.work.points.size());
    if (fresh) {
      study::point of;
      of.name = key.key.substr(0, name_length);
      of.command = {"run"};
      of.command.insert(of.command.end(), run.begin(), run.end());
      of.command.insert(of.command.end(), {"--keep", joined(kept), "--no-evidence"});
      // "auto" is for the run to understand: some chips cannot have several.
      if (what.how.threads > 1)
        of.command.insert(of.command.end(),
                          {"--threads", what.threads.empty() ? std::to_string(what.how.threads) : what.threads});
      of.key = key.key;
      of.group = run[0];
      of.config = key.config_sha256;
      result.work.points.push_back(of);
    }
    return found->second;
  };
  for (const point& values : points) {
    planned_row row{values, 0, {}};
    const words run = run_words(what, values);
    try {
      row.number = number_of(run, keep);
      hints.look_at(planned(run, keep));
      if (!what.counters.empty()) accepted.push_back(values);
      any = true;
    } catch (const input_error& error) {
      row.refusal = place_of_refusal(what, values, error.what()).prefix() + error.what();
      if (first_refusal.empty()) first_refusal = row.refusal;
    }
    result.rows.push_back(std::move(row));
  }
  if (!any) throw input_error(first_refusal);
  if (const auto baseline = design_with_noise(what, points)) {
    definition varied = what;
    add_replicates({what.noise, what.noise}, varied);
    for (const planned_row& row : result.rows) {
      if (!row.refusal.empty() || !is_of_design(what.axes, row.values, *baseline)) continue;
      for (std::size_t i = 0; i < what.noise; ++i) {
        planned_row one{row.values, 0, {}};
        one.values.push_back(i);
        one.number = number_of(run_words(varied, one.values), {"config", "figures"});
        result.noise.push_back(std::move(one));
      }
    }
  }
  result.hints = hints.found();
  std::vector<named_config> configs;
  for (const std::size_t number : configurations_to_look_at(what.axes, accepted)) {
    const planned_run run = planned(run_words(what, accepted[number]), keep);
    configs.push_back({run.config, run.overrides});
  }
  check_counters(what.counters, configs);
  result.work.inputs = keys.inputs();
  result.work.programs = keys.programs();
  result.work.program_hash = keys.program_hash();
  return result;
}

void write_plan(const planned_sweep& what) {
  json axes = json::array(), rows = json::array(), noise = json::array();
  for (const axis& a : what.axes)
    axes.push_back({{"option", a.option}, {"key", a.key}, {"values", a.values}, {"kernels", a.given_words}});
  std::string list;
  for (const axis& a : what.axes)
    if (has_column(a)) list += observe::csv_field(a.name()) + ",";
  list += "folder\n";
  for (const planned_row& row : what.rows) {
    rows.push_back({row.values, row.number, row.refusal});
    for (std::size_t i = 0; i < what.axes.size(); ++i)
      if (has_column(what.axes[i])) list += observe::csv_field(what.axes[i].values[row.values[i]]) + ",";
    list += (row.refusal.empty() ? "points/" + what.work.points[row.number].name : "") + "\n";
  }
  for (const planned_row& row : what.noise) noise.push_back({row.values, row.number});
  make_folder(what.work.folder);
  write_file(plan_file(what.work.folder), json_text({{"schema", schema},
                                                     {"axes", axes},
                                                     {"counters", what.counters},
                                                     {"baseline", what.baseline},
                                                     {"hints", what.hints},
                                                     {"rows", rows},
                                                     {"noise", noise}}) +
                                              "\n");
  write_file(what.work.folder + "/points.csv", list);
}

planned_sweep read_sweep(const std::string& folder) {
  planned_sweep result;
  result.work = study::read_study(folder);
  const std::string path = plan_file(result.work.folder);
  if (!fs::exists(path))
    throw input_error(folder, 0, "is a study, but not one of gt200 sweep: it has no sweep.json");
  try {
    const json text = json::parse(content_of(path));
    if (text.at("schema") != schema) throw input_error(path, 0, "was written by another version of this program");
    for (const json& a : text.at("axes"))
      result.axes.push_back(
          {a.at("option"), a.at("key"), a.at("values").get<words>(), a.at("kernels").get<std::vector<words>>()});
    result.counters = text.at("counters").get<words>();
    result.baseline = text.value("baseline", words());
    result.hints = text.value("hints", words());
    for (const json& row : text.at("rows"))
      result.rows.push_back({row.at(0).get<point>(), row.at(1).get<std::size_t>(), row.at(2)});
    for (const json& row : text.value("noise", json::array()))
      result.noise.push_back({row.at(0).get<point>(), row.at(1).get<std::size_t>(), {}});
  } catch (const json::exception&) {
    throw input_error(path, 0, "is damaged; start the sweep again");
  }
  const auto fits = [&](const planned_row& row, std::size_t values) {
    return row.values.size() == values && (!row.refusal.empty() || row.number < result.work.points.size());
  };
  const std::size_t values = result.axes.size();
  if (!std::all_of(result.rows.begin(), result.rows.end(), [&](const auto& row) { return fits(row, values); }) ||
      !std::all_of(result.noise.begin(), result.noise.end(),
                   [&](const auto& row) { return fits(row, values + 1); }))
    throw input_error(path, 0, "does not belong to study.json; start the sweep again");
  return result;
}

std::vector<row> rows_of(const planned_sweep& what) { return look_up(what).rows; }

comparison compare(const planned_sweep& what, const std::vector<row>& rows, const words& baseline) {
  comparison result = compare(what.axes, rows, baseline);
  if (const noise_runs noise(what); noise.known()) judge_single_runs(result, noise.compared());
  return result;
}

std::string noise_of(const planned_sweep& what) {
  const noise_runs noise(what);
  return noise.known() ? noise_text(noise.compared()) : "";
}

bool has_comparison(const planned_sweep& what) {
  bool replicated = false, kernels = false, designs = false;
  for (const axis& a : what.axes) {
    replicated = replicated || a.is_replicate();
    kernels = kernels || (a.is_kernel() && a.values.size() > 1);
    designs = designs || ((a.option == "--set" || a.option == "--config") && a.values.size() > 1);
  }
  return replicated || !what.noise.empty() || !what.baseline.empty() || (kernels && designs);
}

table_counts write_table(const planned_sweep& what) {
  found_rows found = look_up(what);
  const std::string& folder = what.work.folder;
  if (has_comparison(what)) {
    const comparison compared = compare(what, found.rows, what.baseline);
    write_file(folder + "/summary.csv", summary_csv(compared, what.counters));
    write_file(folder + "/comparison.csv", comparison_csv(compared));
    write_file(folder + "/designs.csv", designs_csv(compared));
  }
  if (const noise_runs noise(what); noise.known())
    write_file(folder + "/noise.csv", summary_csv(noise.compared(), what.counters));
  std::vector<axis> axes;
  for (const axis& a : what.axes)
    if (has_column(a)) axes.push_back(a);
  std::vector<row> shown;
  for (row& r : found.rows) {
    if (!r.has_ended()) continue;
    shown.push_back({{}, r.exit_code, std::move(r.figures)});
    for (std::size_t i = 0; i < what.axes.size(); ++i)
      if (has_column(what.axes[i])) shown.back().values.push_back(r.values[i]);
  }
  write_file(table_path(folder), csv(axes, shown, what.counters));
  found.counts.hints = hints_of_runs(what.hints, shown);
  std::string hints;
  for (const std::string& hint : what.hints) hints += hint + "\n";
  for (const std::string& hint : found.counts.hints) hints += hint + "\n";
  if (hints.empty())
    remove_file(hints_path(folder));
  else
    write_file(hints_path(folder), hints);
  if (found.failures.empty())
    remove_file(failures_path(folder));
  else
    write_file(failures_path(folder), found.failures);
  return found.counts;
}

}  // namespace gt200::apps::sweep
