// gt200 sweep: one table for many runs; repeating a sweep continues where it stopped.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/commands/commands.h"
#include "apps/commands/live_study.h"
#include "apps/commands/study_progress.h"
#include "apps/commands/sweep_cache.h"
#include "apps/commands/sweep_options.h"
#include "apps/study/study.h"
#include "apps/support/command_files.h"
#include "apps/support/interrupt.h"
#include "apps/support/message.h"
#include "apps/support/plugin_option.h"
#include "apps/sweep/comparison.h"
#include "apps/sweep/definition.h"
#include "apps/sweep/sweep_folder.h"
#include "apps/sweep/table.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

// A file in the kernel's folder that no option names may be the table of an earlier sweep.
void check_files(const sweep::planned_sweep& planned, const std::string& study_file) {
  command_files files;
  files.reads(study_file);
  for (const study::input_file& file : planned.work.inputs) files.reads(file.path);
  files.writes("--out", sweep::table_path(planned.work.folder));
  files.writes("--out", sweep::failures_path(planned.work.folder));
  files.check();
}

std::string line_of(const study::progress& done) {
  return fmt::format("{} of {} points{}{}{}", done.points - done.unfinished(), done.points,
                     done.kept == 0 ? "" : fmt::format(", {} from before", done.kept),
                     done.cached == 0 ? "" : fmt::format(", {} from the cache", done.cached),
                     done.failed == 0 ? "" : fmt::format(", {} failed", done.failed));
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
  const std::string noise =
      planned.noise.empty() ? "" : fmt::format(" and {} runs for their noise", planned.noise.size());
  fmt::print("{}{} of {} points{}{}: {} correct or unchecked, {} failed; {}{}\n",
             done.stopped ? "interrupted: " : "", table.rows, planned.rows.size(), noise, origin_of(done),
             table.rows - table.failed, table.failed, sweep::table_path(folder),
             table.failed + table.missing == 0 ? "" : " and " + sweep::failures_path(folder));
  if (!table.first_failure.empty()) fmt::print("first failure: {}\n", table.first_failure);
  if (!done.note.empty()) fmt::print("{}\n", done.note);
  constexpr std::size_t most_hints = 3;
  for (std::size_t i = 0; i < std::min(table.hints.size(), most_hints); ++i)
    fmt::print("hint: {}\n", table.hints[i]);
  if (table.hints.size() > most_hints)
    fmt::print("... and {} more hints: {}\n", table.hints.size() - most_hints, sweep::hints_path(folder));
  if (sweep::has_comparison(planned) && table.rows != 0) {
    const std::vector<sweep::row> rows = sweep::rows_of(planned);
    fmt::print("{}{}", sweep::comparison_text(sweep::compare(planned, rows, planned.baseline)),
               sweep::noise_of(planned));
  }
  if (done.submitted)
    fmt::print("tasks are in the queue of Slurm: gt200 sweep status|collect|resume|cancel {}\n", folder);
  if (done.stopped) return exit_code::interrupted;
  const bool complete = !all || done.submitted || table.rows == planned.rows.size();
  return table.failed == 0 && complete ? exit_code::ok : exit_code::check_failed;
}

exit_code run_planned(sweep::planned_sweep& planned, const watch_options& watch) {
  const volatile std::sig_atomic_t* stop = catch_interrupts();
  std::optional<live_study> live;
  const auto show = [&](const study::progress& done) {
    const std::string line = line_of(done);
    show_study(done, line);
    if (live) live->update(study_status(done, line));
  };
  const study::progress done = study::run(planned.work, stop, show, [&] {
    sweep::write_plan(planned);
    if (watch.on) live.emplace(planned, watch.port);
  });
  clear_study();
  const exit_code code = report(planned, done, true);
  if (live) {
    std::fflush(stdout);
    live->finish();
  }
  return code;
}

exit_code run_sweep(const sweep_options& options) {
  if (options.target.empty()) throw CLI::RequiredError("kernel or study file");
  load_plugins(options.plugins);
  const sweep::definition what = definition_of(options);
  if (!options.plugins.empty() && what.how.engine != "local")
    throw input_error("--plugin goes with the engine local; for others set GT200_PLUGINS");
  sweep::planned_sweep planned = sweep::plan(what);
  if (!planned.note.empty()) say(fmt::format("gt200: {}\n", planned.note));
  for (const std::string& hint : planned.hints) say(fmt::format("gt200: hint: {}\n", hint));
  check_files(planned, options.target);
  return run_planned(planned, options.watch);
}

exit_code show_status(const sweep_options& options) {
  const sweep::planned_sweep planned = sweep::read_sweep(options.folder);
  const study::status now = study::status_of(planned.work);
  const std::size_t ended = now.done.cached + now.done.ran;
  fmt::print("{} of {} points have ended{}, {} of them failed\n", ended, now.done.points,
             now.done.cached == 0 ? "" : fmt::format(" ({} from the cache)", now.done.cached), now.done.failed);
  const auto refused = std::count_if(planned.rows.begin(), planned.rows.end(),
                                     [](const sweep::planned_row& row) { return !row.refusal.empty(); });
  if (refused != 0) fmt::print("{} more cannot run: sweep.csv and failures.txt say why\n", refused);
  if (ended != 0) fmt::print("{:.2f} s per point on average\n", now.mean_seconds);
  for (const auto& [state, count] : now.queue) fmt::print("{} tasks {}\n", count, state);
  return exit_code::ok;
}

exit_code compare_designs(const sweep_options& options) {
  const sweep::planned_sweep planned = sweep::read_sweep(options.folder);
  const std::vector<sweep::row> rows = sweep::rows_of(planned);
  const sweep::comparison compared =
      sweep::compare(planned, rows, options.baseline.empty() ? planned.baseline : options.baseline);
  if (options.csv == "summary")
    fmt::print("{}", sweep::summary_csv(compared, planned.counters));
  else if (options.csv == "comparison")
    fmt::print("{}", sweep::comparison_csv(compared));
  else if (options.csv == "designs")
    fmt::print("{}", sweep::designs_csv(compared));
  else
    fmt::print("{}{}", sweep::comparison_text(compared, compared.designs.size(), options.width / 100),
               sweep::noise_of(planned));
  return exit_code::ok;
}

// A subcommand for the folder of a study.
CLI::App* add_folder_command(CLI::App& command, sweep_options& options, const std::string& name,
                             const std::string& help) {
  auto* below = command.add_subcommand(name, help);
  below->add_option("folder", options.folder, "folder of the study")->required()->type_name("DIR");
  return below;
}

}  // namespace

void add_sweep(CLI::App& program, action& chosen) {
  auto* command =
      program.add_subcommand("sweep", "run kernels on many configurations and put the figures in a table");
  const auto options = std::make_shared<sweep_options>();
  command->add_option("kernel", options->target, "as for gt200 run; or a study file (.toml with 'kernels')");
  add_axis_options(*command, options);
  add_engine_options(*command, options);
  add_watch_options(*command, options->watch, "the page of the study");
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
               study::prepare_runs();
               sweep::planned_sweep planned = sweep::read_sweep(o.folder);
               return run_planned(planned, o.watch);
             });
  add_folder("cancel", "cancel the tasks of a study that are in the queue of Slurm; results stay",
             [](const sweep_options& o) {
               fmt::print("{} tasks cancelled\n", study::cancel(study::read_study(o.folder)));
               return exit_code::ok;
             });
  auto* compare =
      add_folder_command(*command, *options, "compare",
                         "compare the designs of a study with one of them, by the points that have ended");
  compare->add_option("--baseline", options->baseline, "KEY=VALUE of the design to compare with; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  compare->add_option("--csv", options->csv, "print this table: summary, comparison or designs")
      ->check(CLI::IsMember({"summary", "comparison", "designs"}));
  compare
      ->add_option("--width", options->width,
                   "say how many replicates would give intervals of this half width, in percent")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.001, 100.0))
      ->capture_default_str();
  compare->callback([&chosen, options] { chosen = [options] { return compare_designs(*options); }; });
  add_sweep_cache(*command, chosen);
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
