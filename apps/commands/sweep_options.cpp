#include "apps/commands/sweep_options.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "apps/study/cache.h"
#include "apps/support/config_files.h"
#include "apps/support/cycle_limit.h"
#include "apps/support/kept_files.h"
#include "apps/support/kernels.h"
#include "apps/support/message.h"
#include "apps/support/plugin_option.h"
#include "apps/support/thread_option.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

namespace fs = std::filesystem;
using word_list = std::vector<std::string>;

word_list list_of(const std::string& text) {
  word_list result(1);
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
  sweep::definition result;
  result.axes.push_back({"kernel", "", {options.target}, {{find_kernel(options.target)}}, {}});
  for (const std::string& text : options.settings) result.axes.push_back(sweep::parse_axis("--set", text));
  for (const std::string& text : options.parameters) result.axes.push_back(sweep::parse_axis("--param", text));
  result.axes.push_back(sweep::parse_axis("--config", options.configs.empty() ? default_config : options.configs));
  result.run_options = options.passed_on;
  for (const std::string& constraint : options.constraints) result.constraints.push_back({constraint, {}});
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

// The folder, absolute. One that the user named must keep results; without the default one a sweep only takes
// longer.
std::string usable_cache(const std::string& folder, bool named) {
  const std::string path = fs::absolute(folder).lexically_normal().string();
  const std::string wrong = study::check_cache(path);
  if (wrong.empty()) return path;
  const char* const by_environment = std::getenv("GT200_RESULT_CACHE");
  if (named || (by_environment != nullptr && *by_environment != '\0'))
    throw input_error(path, 0, "cannot be the cache of results: " + wrong + "; --no-cache uses none");
  say(fmt::format("gt200: {}: cannot be the cache of results: {}; this sweep uses none\n", path, wrong));
  return "";
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

}  // namespace

sweep::definition definition_of(const sweep_options& options) {
  const bool file = sweep::is_study_file(options.target);
  sweep::definition result = file ? from_study_file(options) : from_command_line(options);
  const bool own_cache = !options.cache.empty() || !result.how.cache.empty();
  if (result.how.cache.empty()) result.how.cache = study::default_cache_folder();
  // A path that holds wherever the run begins.
  for (const std::string& plugin : options.plugins)
    result.run_options.insert(result.run_options.end(),
                              {"--plugin", std::filesystem::absolute(plugin).lexically_normal().string()});
  for (const std::string& counter : options.counters) result.counters.push_back({counter, {}});
  if (!options.keep.empty()) result.keep = list_of(options.keep);
  if (!options.baseline.empty()) result.baseline = options.baseline;
  if (options.replicates != 0) {
    if (result.axes.back().is_replicate()) throw input_error(options.target, 0, "has [replicates] of its own");
    add_replicates({options.replicates, options.replicates}, result);
  }
  if (options.noise) result.noise = *options.noise;
  if (!options.engine.empty()) result.how.engine = options.engine;
  if (options.jobs) result.how.jobs = *options.jobs;
  if (!options.threads.empty()) {
    result.how.threads = thread_count(options.threads);
    result.threads = options.threads;
  }
  if (!options.cache.empty()) result.how.cache = options.cache;
  if (options.no_cache) result.how.cache.clear();
  if (!result.how.cache.empty()) result.how.cache = usable_cache(result.how.cache, own_cache);
  result.how.slurm.sbatch.insert(result.how.slurm.sbatch.end(), options.sbatch.begin(), options.sbatch.end());
  if (options.no_wait) result.how.slurm.wait = false;
  if (!options.out.empty()) result.out = options.out;
  if (result.out.empty())
    throw input_error(options.target, 0, "has no 'out'; name the folder of results with --out");
  return result;
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
  command
      .add_option(
          "--replicate", options->replicates,
          "runs every point so often, with other input seeds and other moments of the machine, and gives means "
          "with intervals (docs/sweep.md)")
      ->type_name("N")
      ->check(CLI::Range(2u, sweep::max_replicates));
  command
      .add_option(
          "--noise", options->noise,
          "without --replicate: so many replicates of the baseline measure the noise of a single run; default: 5; "
          "0: none")
      ->type_name("N")
      ->check(CLI::Range(0u, sweep::max_replicates));
  command
      .add_option("--baseline", options->baseline,
                  "the design with which others are compared; default: the first one; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  pass_on(command, *options, "--launch", "FILE", "as for gt200 run");
  pass_on(command, *options, "--source", "FILE", "as for gt200 run");
  pass_on(command, *options, "--seed", "N", "as for gt200 run")->check(CLI::Range(0u, UINT32_MAX));
  pass_on(command, *options, "--max-cycles", "N", "as for gt200 run")
      ->check(CLI::Range(std::uint64_t{0}, max_option_cycles));
  add_plugin_option(command, options->plugins);
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
      ->check(CLI::Validator([](const std::string& list) { return check_kept(list_of(list)); }, ""));
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

}  // namespace gt200::apps
