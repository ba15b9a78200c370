// gt200 sweep: one table for many runs; repeating a sweep continues where it stopped.
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/commands/commands.h"
#include "apps/study/cache.h"
#include "apps/study/study.h"
#include "apps/support/command_files.h"
#include "apps/support/config_files.h"
#include "apps/support/cycle_limit.h"
#include "apps/support/interrupt.h"
#include "apps/support/thread_option.h"
#include "apps/sweep/definition.h"
#include "apps/sweep/sweep_folder.h"
#include "apps/sweep/table.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

struct sweep_options {
  std::string target;  // kernel or study file
  words settings;      // of --set
  words parameters;    // of --param
  std::string configs;
  words passed_on;  // further words for every `gt200 run`
  words constraints;
  std::string sample;
  words counters;
  std::string keep;
  std::string engine;
  words sbatch;
  std::optional<unsigned> jobs;
  std::string threads;
  std::string cache;
  bool no_cache = false;
  bool no_wait = false;
  std::string out;
  // Of the commands for a study that is there.
  std::string folder;
  std::string round;
  unsigned first_element = 0;
};

words list_of(const std::string& text) {
  words result(1);
  for (const char c : text) {
    if (c == ',')
      result.emplace_back();
    else
      result.back() += c;
  }
  return result;
}

// METHOD:POINTS or METHOD:POINTS:SEED.
sweep::sampling sampling_from(const std::string& text) {
  const auto fail = [&] { throw input_error("--sample " + text, 0, "is not METHOD:POINTS or METHOD:POINTS:SEED"); };
  const auto number = [&](const std::string& digits) {
    if (digits.empty() || digits.size() > 18 || digits.find_first_not_of("0123456789") != std::string::npos) fail();
    return std::stoull(digits);
  };
  const std::size_t first = text.find(':'), second = first == std::string::npos ? first : text.find(':', first + 1);
  sweep::sampling result;
  result.method = sweep::sampling_method_of(text.substr(0, first));
  if (first == std::string::npos) {
    if (result.method != sweep::sampling_method::full) fail();
    return result;
  }
  result.points = number(text.substr(first + 1, second == std::string::npos ? second : second - first - 1));
  if (second != std::string::npos) result.seed = number(text.substr(second + 1));
  return result;
}

sweep::definition from_command_line(const sweep_options& options) {
  if (!fs::exists(options.target)) throw input_error(options.target, 0, "no such kernel folder or file");
  sweep::definition result;
  result.axes.push_back({"kernel", "", {options.target}, {{options.target}}});
  for (const std::string& text : options.settings) result.axes.push_back(sweep::parse_axis("--set", text));
  for (const std::string& text : options.parameters) result.axes.push_back(sweep::parse_axis("--param", text));
  result.axes.push_back(sweep::parse_axis("--config", options.configs.empty() ? default_config : options.configs));
  result.run_options = options.passed_on;
  result.constraints = options.constraints;
  if (!options.sample.empty()) result.sample = sampling_from(options.sample);
  return result;
}

sweep::definition from_study_file(const sweep_options& options) {
  for (const auto& [name, given] :
       {std::pair{"--set", !options.settings.empty()}, std::pair{"--param", !options.parameters.empty()},
        std::pair{"--config", !options.configs.empty()}, std::pair{"--where", !options.constraints.empty()},
        std::pair{"--sample", !options.sample.empty()},
        std::pair{"--check, --seed, --max-cycles, --launch or --source", !options.passed_on.empty()}})
    if (given)
      throw input_error(options.target, 0, std::string("is a study file; write into it what ") + name + " says");
  return sweep::read_study_file(options.target);
}

sweep::definition definition_of(const sweep_options& options) {
  const bool file = sweep::is_study_file(options.target);
  sweep::definition result = file ? from_study_file(options) : from_command_line(options);
  if (!file || result.how.cache.empty()) result.how.cache = study::default_cache_folder();
  result.counters.insert(result.counters.end(), options.counters.begin(), options.counters.end());
  if (!options.keep.empty()) result.keep = list_of(options.keep);
  if (!options.engine.empty()) result.how.engine = options.engine;
  if (options.jobs) result.how.jobs = *options.jobs;
  if (!options.threads.empty()) result.how.threads = thread_count(options.threads);
  if (!options.cache.empty()) result.how.cache = options.cache;
  if (options.no_cache) result.how.cache.clear();
  if (!result.how.cache.empty()) result.how.cache = fs::absolute(result.how.cache).lexically_normal().string();
  result.how.slurm.sbatch.insert(result.how.slurm.sbatch.end(), options.sbatch.begin(), options.sbatch.end());
  if (options.no_wait) result.how.slurm.wait = false;
  if (!options.out.empty()) result.out = options.out;
  if (result.out.empty())
    throw input_error(options.target, 0, "has no 'out'; name the folder of results with --out");
  return result;
}

// A file in the kernel's folder that no option names may be the table of an earlier sweep.
void check_files(const sweep::planned_sweep& planned, const std::string& study_file) {
  command_files files;
  files.reads(study_file);
  for (const study::input_file& file : planned.work.inputs) files.reads(file.path);
  files.writes("--out", sweep::table_path(planned.work.folder));
  files.writes("--out", sweep::failures_path(planned.work.folder));
  files.check();
}

void show_progress(const study::progress& done) {
  if (isatty(STDERR_FILENO) == 0) return;
  fmt::print(stderr, "\r\x1b[K{} of {} points{}{}{}{}", done.points - done.unfinished(), done.points,
             done.kept == 0 ? "" : fmt::format(", {} from before", done.kept),
             done.cached == 0 ? "" : fmt::format(", {} from the cache", done.cached),
             done.failed == 0 ? "" : fmt::format(", {} failed", done.failed),
             done.note.empty() ? "" : "; " + done.note);
}

// "(2 from before, 1 from the cache)", or nothing.
std::string origin_of(const study::progress& done) {
  std::string text;
  if (done.kept != 0) text = fmt::format("{} from before", done.kept);
  if (done.cached != 0) text += fmt::format("{}{} from the cache", text.empty() ? "" : ", ", done.cached);
  return text.empty() ? "" : " (" + text + ")";
}

// `all`: every point should have ended.
exit_code report(const sweep::planned_sweep& planned, const study::progress& done, bool all) {
  const sweep::table_counts table = sweep::write_table(planned);
  const std::string folder = planned.work.folder;
  fmt::print("{}{} of {} points{}: {} correct or unchecked, {} failed; {}{}\n", done.stopped ? "interrupted: " : "",
             table.rows, planned.rows.size(), origin_of(done), table.rows - table.failed, table.failed,
             sweep::table_path(folder), table.failed == 0 ? "" : " and " + sweep::failures_path(folder));
  if (!done.note.empty()) fmt::print("{}\n", done.note);
  if (done.submitted)
    fmt::print("tasks are in the queue of Slurm: gt200 sweep status|collect|resume|cancel {}\n", folder);
  if (done.stopped) return exit_code::interrupted;
  const bool complete = !all || done.submitted || table.rows == planned.rows.size();
  return table.failed == 0 && complete ? exit_code::ok : exit_code::check_failed;
}

exit_code run_planned(sweep::planned_sweep& planned) {
  const volatile std::sig_atomic_t* stop = catch_interrupts();
  const study::progress done = study::run(planned.work, stop, show_progress, [&] { sweep::write_plan(planned); });
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\x1b[K");
  return report(planned, done, true);
}

exit_code run_sweep(const sweep_options& options) {
  if (options.target.empty()) throw CLI::RequiredError("kernel or study file");
  sweep::planned_sweep planned = sweep::plan(definition_of(options));
  check_files(planned, options.target);
  return run_planned(planned);
}

exit_code show_status(const sweep_options& options) {
  const study::study work = study::read_study(options.folder);
  const study::status now = study::status_of(work);
  const std::size_t ended = now.done.cached + now.done.ran;
  fmt::print("{} of {} points have ended{}, {} of them failed\n", ended, now.done.points,
             now.done.cached == 0 ? "" : fmt::format(" ({} from the cache)", now.done.cached), now.done.failed);
  if (ended != 0) fmt::print("{:.2f} s per point on average\n", now.mean_seconds);
  for (const auto& [state, count] : now.queue) fmt::print("{} tasks {}\n", count, state);
  return exit_code::ok;
}

// A subcommand for the folder of a study.
CLI::App* add_folder_command(CLI::App& command, sweep_options& options, const std::string& name,
                             const std::string& help) {
  auto* below = command.add_subcommand(name, help);
  below->add_option("folder", options.folder, "folder of the study")->required()->type_name("DIR");
  return below;
}

// Hands an option of this command on to every `gt200 run`.
CLI::Option* pass_on(CLI::App& command, sweep_options& options, const std::string& name, const std::string& type,
                     const std::string& help) {
  return command
      .add_option_function<std::string>(
          name,
          [&options, name](const std::string& text) {
            options.passed_on.insert(options.passed_on.end(), {name, text});
          },
          help)
      ->type_name(type);
}

void add_axis_options(CLI::App& command, const std::shared_ptr<sweep_options>& options) {
  command
      .add_option("--set", options->settings,
                  "values of a configuration key: A,B,... or LO..HI[..STEP]; repeatable")
      ->type_name("KEY=VALUES")
      ->allow_extra_args(false);
  command.add_option("--param", options->parameters, "values of a parameter of the launch description; repeatable")
      ->type_name("NAME=VALUES")
      ->allow_extra_args(false);
  command.add_option("--config", options->configs, "configurations: files or presets; default: gt200")
      ->type_name("FILES");
  command
      .add_option("--where", options->constraints,
                  "runs only points for which this holds, such as 'chip.tpcs * N <= 4096'; repeatable")
      ->type_name("EXPRESSION")
      ->allow_extra_args(false);
  command
      .add_option("--sample", options->sample,
                  "runs a sample of the points: random, latin_hypercube or sobol, their number, and a seed")
      ->type_name("METHOD:N[:SEED]");
  pass_on(command, *options, "--launch", "FILE", "as for gt200 run");
  pass_on(command, *options, "--source", "FILE", "as for gt200 run");
  pass_on(command, *options, "--seed", "N", "as for gt200 run")->check(CLI::Range(0u, UINT32_MAX));
  pass_on(command, *options, "--max-cycles", "N", "as for gt200 run")
      ->check(CLI::Range(std::uint64_t{0}, max_option_cycles));
  command.add_flag_callback(
      "--check", [options] { options->passed_on.emplace_back("--check"); }, "as for gt200 run");
}

void add_engine_options(CLI::App& command, const std::shared_ptr<sweep_options>& options) {
  command
      .add_option("--counter", options->counters,
                  "a further column: a counter of stats.json without indices, such as tpc.sm.icache.misses, "
                  "summed over the chip; repeatable")
      ->type_name("NAME")
      ->allow_extra_args(false);
  command
      .add_option("--keep", options->keep,
                  "files of every point: stats, csv, figures (config and figures always); default: all")
      ->type_name("LIST")
      ->check(CLI::Validator(
          [](const std::string& list) {
            for (const std::string& name : list_of(list))
              if (name != "stats" && name != "csv" && name != "config" && name != "figures")
                return "'" + name + "' is none of stats, csv, config, figures";
            return std::string();
          },
          ""));
  command.add_option("--engine", options->engine, "local: processes of this machine; slurm: tasks of Slurm")
      ->check(CLI::IsMember({"local", "slurm"}));
  command
      .add_option("--jobs", options->jobs, "runs at a time; default: processors / threads; of a task of Slurm: 1")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  command.add_option("--threads", options->threads, "threads of the host for every run, or auto; default: 1")
      ->type_name("N")
      ->check(CLI::Validator(check_threads, ""));
  command
      .add_option("--sbatch", options->sbatch, "a further option of sbatch, such as --partition=long; repeatable")
      ->type_name("OPTION")
      ->allow_extra_args(false);
  command.add_flag("--no-wait", options->no_wait, "Slurm: ends when everything is submitted");
  command.add_option("--cache", options->cache, "folder with results of all sweeps; default: ~/.cache/gt200")
      ->type_name("DIR");
  command.add_flag("--no-cache", options->no_cache, "neither uses nor keeps results of other sweeps");
  command
      .add_option(
          "--out", options->out,
          "folder for sweep.csv, failures.txt and a folder per point; for a study file: instead of its 'out'")
      ->type_name("DIR");
}

}  // namespace

void add_sweep(CLI::App& program, action& chosen) {
  auto* command =
      program.add_subcommand("sweep", "run kernels on many configurations and put the figures in a table");
  const auto options = std::make_shared<sweep_options>();
  command->add_option("kernel", options->target, "as for gt200 run; or a study file (.toml with 'kernels')");
  add_axis_options(*command, options);
  add_engine_options(*command, options);
  const auto add_folder = [&](const std::string& name, const std::string& help, auto run) {
    add_folder_command(*command, *options, name, help)->callback([&chosen, options, run] {
      chosen = [options, run] { return run(*options); };
    });
  };
  add_folder("status", "say how far a study is", show_status);
  add_folder("collect", "write the table of the points that have ended, also while others run",
             [](const sweep_options& o) { return report(sweep::read_sweep(o.folder), {}, false); });
  add_folder("resume", "run the points of a study that have no result, as it was planned",
             [](const sweep_options& o) {
               sweep::planned_sweep planned = sweep::read_sweep(o.folder);
               return run_planned(planned);
             });
  add_folder("cancel", "cancel the tasks of a study that are in the queue of Slurm; results stay",
             [](const sweep_options& o) {
               fmt::print("{} tasks cancelled\n", study::cancel(study::read_study(o.folder)));
               return exit_code::ok;
             });
  auto* task = add_folder_command(*command, *options, "task", "");
  task->group("");  // for the scripts of Slurm's tasks
  task->add_option("round", options->round)->required();
  task->add_option("first", options->first_element)->required();
  task->callback([&chosen, options] {
    chosen = [options] {
      const char* element = std::getenv("SLURM_ARRAY_TASK_ID");
      if (element == nullptr) throw input_error("SLURM_ARRAY_TASK_ID is not set: only Slurm starts tasks");
      return static_cast<exit_code>(
          study::run_task(options->folder, options->round,
                          options->first_element + static_cast<unsigned>(std::atoi(element)), catch_interrupts()));
    };
  });
  // After the commands below it, which have the footer of the program.
  command->footer(
      "Every point is a process of its own. An interrupted sweep continues where it stopped; results are found\n"
      "again by the hash of everything that decides them. Exit code 3: at least one point failed.\n\n"
      "Columns of sweep.csv: the keys, exit_code, and\n" +
      sweep::column_help() + "\n" + exit_code_help);
  command->callback([&chosen, options, command] {
    if (!command->get_subcommands().empty()) return;
    chosen = [options] { return run_sweep(*options); };
  });
}

}  // namespace gt200::apps
