#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/commands/commands.h"
#include "apps/support/command_files.h"
#include "apps/support/config_files.h"
#include "apps/support/interrupt.h"
#include "apps/support/json_text.h"
#include "apps/support/output_file.h"
#include "apps/support/thread_option.h"
#include "apps/sweep/axis.h"
#include "apps/sweep/jobs.h"
#include "apps/sweep/table.h"
#include "sc_models/config/load.h"
#include "tlm_bus/processors.h"
#include "tlm_bus/stall_injection.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;
using words = std::vector<std::string>;

struct sweep_options {
  std::string kernel;
  words settings;    // of --set
  words parameters;  // of --param
  std::string configs = default_config;
  words passed_on;  // further words for every `gt200 run`
  words counters;
  std::string threads = "1";  // of every run
  unsigned jobs = 0;          // 0: as many as keep all processors busy
  std::string out;
};

// One run of a kernel: `gt200 run` in a folder of its own, which keeps stats.json, config.toml, its messages and
// its exit code.
struct run_of_point {
  sweep::point values;
  words options;  // for `gt200 run`, without --out
  std::string folder;
  std::optional<int> exit_code;
  std::string refusal;  // why it was not run; empty otherwise

  std::string file(const char* name) const { return folder + "/" + name; }
};

// Readable where the values allow it, and always different for different points.
std::string folder_name(const std::vector<sweep::axis>& axes, const sweep::point& values, const words& options) {
  constexpr std::size_t longest = 120;
  std::string name;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].values.size() > 1)
      name += (name.empty() ? "" : ",") + axes[i].name() + "=" + axes[i].values[values[i]];
  const auto special = [](unsigned char c) {
    return std::isalnum(c) == 0 && std::string_view("._=,-+").find(static_cast<char>(c)) == std::string_view::npos;
  };
  const bool readable = !name.empty() && name.size() <= longest && std::none_of(name.begin(), name.end(), special);
  if (readable) return name;
  std::string all;
  for (const std::string& word : options) all += word + '\0';
  return fmt::format("{:016x}", tlm_bus::name_hash_of(all));
}

std::string program_path() { return fs::read_symlink("/proc/self/exe").string(); }

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Null when the file does not exist or is not JSON.
json json_file(const std::string& path) {
  json result = json::parse(text_of(path), nullptr, false);
  return result.is_discarded() ? json() : result;
}

// The options as they read back from a file.
json as_stored(const words& options) { return json::parse(json_text(options)); }

fs::file_time_type newest_of(const std::vector<fs::path>& files) {
  fs::file_time_type newest = fs::file_time_type::min();
  for (const fs::path& file : files) {
    std::error_code error;
    const fs::file_time_type time = fs::last_write_time(file, error);
    if (!error) newest = std::max(newest, time);
  }
  return newest;
}

bool is_file_option(const std::string& word) { return word == "--launch" || word == "--source"; }

// The files a result depends on, apart from the configuration: this program, and everything beside the kernel.
std::vector<fs::path> files_of_kernel(const sweep_options& options) {
  std::vector<fs::path> result = {program_path()};
  const auto add_folder = [&](const fs::path& folder) {
    std::error_code error;
    // Subfolders are left out: results kept there would be newer than themselves.
    for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, error))
      if (entry.is_regular_file(error)) result.push_back(entry);
  };
  const fs::path kernel = options.kernel;
  add_folder(fs::is_directory(kernel) ? kernel : kernel.parent_path());
  for (std::size_t i = 0; i + 1 < options.passed_on.size(); ++i)
    if (is_file_option(options.passed_on[i])) result.emplace_back(options.passed_on[i + 1]);
  return result;
}

// True for outcomes that the same run would repeat. A full disk, a killed process and a missing program are not
// among them.
bool is_result(int code) {
  switch (static_cast<exit_code>(code)) {
    case exit_code::ok:
    case exit_code::check_failed:
    case exit_code::fault:
    case exit_code::hang:
    case exit_code::limit: return true;
    default: return false;
  }
}

class sweep_run {
 public:
  explicit sweep_run(const sweep_options& options) : options_(options) {
    for (const std::string& text : options.settings) axes_.push_back(sweep::parse_axis("--set", text));
    for (const std::string& text : options.parameters) axes_.push_back(sweep::parse_axis("--param", text));
    axes_.push_back(sweep::parse_axis("--config", options.configs));
    require_different_axes();
    if (!fs::exists(options.kernel)) throw input_error(options.kernel, 0, "no such kernel folder or file");
    for (const sweep::point& values : sweep::points_of(axes_)) points_.push_back(plan(values));
    look_for_results();
    check_files();
  }

  exit_code run() {
    make_folder(options_.out);
    std::vector<sweep::job> jobs;
    std::vector<std::size_t> numbers;
    const std::string program = program_path();
    for (std::size_t i = 0; i < points_.size(); ++i) {
      run_of_point& point = points_[i];
      if (point.exit_code) continue;
      make_folder(point.folder);
      remove_file(point.file(ending_file));
      sweep::job job{{program, "run"}, point.file("messages.txt")};
      job.command.insert(job.command.end(), point.options.begin(), point.options.end());
      job.command.insert(job.command.end(), {"--out", point.folder, "--json", "--threads", options_.threads});
      jobs.push_back(job);
      numbers.push_back(i);
    }
    const volatile std::sig_atomic_t* stop = catch_interrupts();
    const auto kept = static_cast<std::size_t>(std::count_if(
        points_.begin(), points_.end(), [](const run_of_point& p) { return p.exit_code && p.refusal.empty(); }));
    std::size_t done = 0;
    show_progress(kept, 0, jobs.size());
    sweep::run_jobs(jobs, jobs_at_a_time(), stop, [&](std::size_t number, int code) {
      // The next sweep runs an interrupted point again.
      if (code == static_cast<int>(exit_code::interrupted)) return;
      run_of_point& point = points_[numbers[number]];
      point.exit_code = code;
      write_file(point.file(ending_file), json_text({{"options", point.options}, {"exit_code", code}}, 1) + "\n");
      show_progress(kept, ++done, jobs.size());
    });
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\x1b[K");
    return report(kept, *stop != 0);
  }

 private:
  static constexpr const char* ending_file = "ending.json";

  unsigned jobs_at_a_time() const {
    if (options_.jobs != 0) return options_.jobs;
    return std::max(1u, tlm_bus::usable_processors() / thread_count(options_.threads));
  }
  std::string table() const { return options_.out + "/sweep.csv"; }
  std::string failure_list() const { return options_.out + "/failures.txt"; }

  void require_different_axes() const {
    for (std::size_t i = 0; i < axes_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (axes_[i].option == axes_[j].option && axes_[i].key == axes_[j].key)
          throw input_error(axes_[i].option + " " + axes_[i].key, 0, "is given twice; list its values in one");
  }

  run_of_point plan(const sweep::point& values) {
    run_of_point result;
    result.values = values;
    result.options = {options_.kernel};
    words overrides;
    std::string config;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      const words chosen = axes_[i].words(values[i]);
      result.options.insert(result.options.end(), chosen.begin(), chosen.end());
      if (axes_[i].option == "--set") overrides.push_back(chosen[1]);
      if (axes_[i].option == "--config") config = chosen[1];
    }
    result.options.insert(result.options.end(), options_.passed_on.begin(), options_.passed_on.end());
    result.folder = options_.out + "/points/" + folder_name(axes_, values, result.options);
    try {
      for (const auto& [key, place] : config::load(find_config(config), overrides).set_at)
        config_files_.insert(config_files_.end(), fs::path(place.file));
    } catch (const input_error& error) {
      result.refusal = error.what();
      result.exit_code = static_cast<int>(exit_code::bad_input);
      if (!first_refusal_) first_refusal_ = std::current_exception();
    }
    return result;
  }

  void look_for_results() {
    if (std::all_of(points_.begin(), points_.end(), [](const run_of_point& p) { return !p.refusal.empty(); }))
      std::rethrow_exception(first_refusal_);
    std::sort(config_files_.begin(), config_files_.end());
    config_files_.erase(std::unique(config_files_.begin(), config_files_.end()), config_files_.end());
    const auto newest = std::max(newest_of(files_of_kernel(options_)), newest_of(config_files_));
    for (run_of_point& point : points_) {
      if (!point.refusal.empty()) continue;
      const json ending = json_file(point.file(ending_file));
      if (!ending.is_object() || ending.value("options", json()) != as_stored(point.options)) continue;
      if (newest_of({point.file(ending_file)}) <= newest) continue;
      const int code = ending.value("exit_code", static_cast<int>(exit_code::internal));
      if (is_result(code)) point.exit_code = code;
    }
  }

  // A file in the kernel's folder that no option names may be the table of an earlier sweep.
  void check_files() const {
    command_files files;
    files.reads(options_.kernel);
    for (std::size_t i = 0; i + 1 < options_.passed_on.size(); ++i)
      if (is_file_option(options_.passed_on[i])) files.reads(options_.passed_on[i + 1]);
    for (const fs::path& config : config_files_) files.reads(config.string());
    files.writes("--out", table());
    files.writes("--out", failure_list());
    files.check();
  }

  void show_progress(std::size_t kept, std::size_t done, std::size_t all) const {
    if (isatty(STDERR_FILENO) == 0) return;
    fmt::print(stderr, "\r\x1b[K{} of {} points run{}", done, all,
               kept == 0 ? "" : fmt::format(", {} from before", kept));
  }

  exit_code report(std::size_t kept, bool interrupted) const {
    std::vector<sweep::row> rows;
    std::string failures;
    std::size_t failed = 0;
    for (const run_of_point& point : points_) {
      if (!point.exit_code) continue;
      sweep::row row{point.values, *point.exit_code, json()};
      if (point.refusal.empty()) row.stats = json_file(point.file("stats.json"));
      if (row.exit_code != 0) {
        ++failed;
        failures += failure_text(point, row.stats);
      }
      rows.push_back(std::move(row));
    }
    const std::string list = failure_list();
    write_file(table(), sweep::csv(axes_, rows, options_.counters));
    if (failed == 0)
      remove_file(list);
    else
      write_file(list, failures);
    fmt::print("{}{} of {} points{}: {} correct or unchecked, {} failed; {}{}\n",
               interrupted ? "interrupted: " : "", rows.size(), points_.size(),
               kept == 0 ? "" : fmt::format(" ({} from before)", kept), rows.size() - failed, failed, table(),
               failed == 0 ? "" : " and " + list);
    if (interrupted) return exit_code::interrupted;
    return failed == 0 ? exit_code::ok : exit_code::check_failed;
  }

  std::string failure_text(const run_of_point& point, const json& stats) const {
    std::string reason = point.refusal;
    if (reason.empty() && stats.is_object()) reason = stats.at("result").at("message").get<std::string>();
    if (reason.empty()) reason = text_of(point.file("messages.txt"));
    reason = reason.substr(0, reason.find('\n'));
    std::string text = fmt::format("exit code {}: {}\n  gt200 run", *point.exit_code, reason);
    for (const std::string& word : point.options) text += " " + word;
    return text + "\n";
  }

  const sweep_options& options_;
  std::vector<sweep::axis> axes_;
  std::vector<run_of_point> points_;
  std::vector<fs::path> config_files_;
  std::exception_ptr first_refusal_;
};

// Hands an option of this command on to every `gt200 run`.
void pass_on(CLI::App& command, sweep_options& options, const std::string& name, const std::string& type,
             const std::string& help) {
  command
      .add_option_function<std::string>(
          name,
          [&options, name](const std::string& text) {
            options.passed_on.insert(options.passed_on.end(), {name, text});
          },
          help)
      ->type_name(type);
}

}  // namespace

void add_sweep(CLI::App& program, action& chosen) {
  auto* command =
      program.add_subcommand("sweep", "run a kernel on many configurations and put the figures in a table");
  const auto options = std::make_shared<sweep_options>();
  command->add_option("kernel", options->kernel, "as for gt200 run")->required();
  command
      ->add_option("--set", options->settings,
                   "values of a configuration key: A,B,... or LO..HI[..STEP]; repeatable")
      ->type_name("KEY=VALUES")
      ->allow_extra_args(false);
  command->add_option("--param", options->parameters, "values of a parameter of the launch description; repeatable")
      ->type_name("NAME=VALUES")
      ->allow_extra_args(false);
  command->add_option("--config", options->configs, "configurations: files or presets")
      ->type_name("FILES")
      ->capture_default_str();
  pass_on(*command, *options, "--launch", "FILE", "as for gt200 run");
  pass_on(*command, *options, "--source", "FILE", "as for gt200 run");
  pass_on(*command, *options, "--seed", "N", "as for gt200 run");
  pass_on(*command, *options, "--max-cycles", "N", "as for gt200 run");
  command->add_flag_callback(
      "--check", [options] { options->passed_on.emplace_back("--check"); }, "as for gt200 run");
  command
      ->add_option("--counter", options->counters,
                   "a further column: a counter of stats.json without indices, such as tpc.sm.icache.misses, "
                   "summed over the chip; repeatable")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command->add_option("--jobs", options->jobs, "runs at a time; default: processors / threads")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command->add_option("--threads", options->threads, "threads of the host for every run, or auto")
      ->type_name("N")
      ->check(CLI::Validator(check_threads, ""))
      ->capture_default_str();
  command->add_option("--out", options->out, "folder for sweep.csv, failures.txt and a folder per point")
      ->type_name("DIR")
      ->required();
  command->footer(
      "Every combination is a process of its own. An interrupted sweep continues where it stopped; points "
      "are run\n"
      "again when their options, or the files they depend on, have changed. Exit code 3: at least one point "
      "failed.\n\n"
      "Columns of sweep.csv: the keys, exit_code, and\n" +
      sweep::column_help());
  command->callback([&chosen, options] { chosen = [options] { return sweep_run(*options).run(); }; });
}

}  // namespace gt200::apps
