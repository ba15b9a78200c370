#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "apps/commands/commands.h"
#include "apps/support/config_files.h"
#include "apps/support/direct_launch.h"
#include "apps/support/environment.h"
#include "apps/support/thread_option.h"
#include "cuda/worker/selection.h"
#include "sc_models/config/load.h"
#include "toolchain/cubin/load.h"
#include "toolchain/cuda/process.h"
#include "toolchain/error.h"
#include "toolchain/output_file.h"

namespace gt200::apps {
namespace {

constexpr unsigned most_devices = 16;

struct exec_options {
  std::string config;
  std::vector<std::string> overrides;
  std::string out;
  std::string engine;
  std::string host_clock;
  unsigned devices = 0;  // 0: not given
  std::string threads;
  bool check = false;
  bool warp_synchronous = false;
  bool quiet = false;
  std::vector<std::string> words;
};

// The option, or the variable of the environment that says the same.
std::string chosen_by(const std::string& option, const char* name) {
  return option.empty() ? setting(name) : option;
}

void set(const char* name, const std::string& value) { setenv(name, value.c_str(), 1); }

void set_environment(const exec_options& options, const std::filesystem::path& folder) {
  if (!options.config.empty()) set("GT200_CONFIG", find_config(options.config));
  std::string overrides;
  for (const std::string& o : options.overrides) overrides += o + " ";
  if (!overrides.empty()) set("GT200_SET", overrides);
  if (!options.out.empty()) set("GT200_OUT", std::filesystem::absolute(options.out).string());
  if (!options.engine.empty()) set("GT200_ENGINE", options.engine);
  if (!options.host_clock.empty()) set("GT200_HOST_CLOCK", options.host_clock);
  if (options.devices != 0) set("GT200_DEVICES", std::to_string(options.devices));
  if (!options.threads.empty()) set("GT200_THREADS", options.threads);
  if (options.check) set("GT200_CHECK", "1");
  if (options.warp_synchronous) set("GT200_WARP_SYNCHRONOUS", "1");
  set("GT200_TABLE", (folder / "table").string());
  set("GT200_STATUS", (folder / "status").string());
  set("GT200_PROGRAM", std::filesystem::read_symlink("/proc/self/exe").string());
}

// The code of the program. Workers that it leaves behind become children of this process: it waits for them as
// well, because they write the results.
int run_to_the_end(const std::vector<std::string>& words) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  // Ctrl-C is for the program; this process shows the table then.
  std::signal(SIGINT, SIG_IGN);
  const pid_t child = fork();
  if (child < 0) throw input_error("no process can be started");
  if (child == 0) {
    std::signal(SIGINT, SIG_DFL);
    std::vector<char*> arguments;
    for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    std::perror(arguments[0]);
    _exit(127);
  }
  int code = 0;
  for (;;) {
    int status = 0;
    const pid_t ended = waitpid(-1, &status, 0);
    if (ended < 0 && errno == EINTR) continue;
    if (ended < 0) return code;
    if (ended == child) code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
}

// Of the variable that the option --devices sets.
void check_devices(const std::string& text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > most_devices)
    throw input_error(fmt::format("GT200_DEVICES: '{}' is no number from 1 to {}", text, most_devices));
}

// What the workers would refuse, before the program begins.
void check(const exec_options& options) {
  const std::string config = chosen_by(options.config, "GT200_CONFIG");
  config::load(find_config(config.empty() ? default_config : config),
               options.overrides.empty() ? words_of(setting("GT200_SET")) : options.overrides);
  const std::string threads = chosen_by(options.threads, "GT200_THREADS");
  if (const std::string why = threads.empty() ? "" : check_threads(threads); !why.empty())
    throw input_error("GT200_THREADS: " + why);
  if (const std::string devices = setting("GT200_DEVICES"); options.devices == 0 && !devices.empty())
    check_devices(devices);
  if (const std::string clock = setting("GT200_HOST_CLOCK"); options.host_clock.empty() && !clock.empty())
    if (clock != "real" && clock != "model")
      throw input_error(fmt::format("GT200_HOST_CLOCK: '{}' is neither real nor model", clock));
  cudart::selection{chosen_by(options.engine, "GT200_ENGINE")};
  if (const std::string out = chosen_by(options.out, "GT200_OUT"); !out.empty()) {
    make_folder(out);
    require_writable(out + "/launches.csv");
  }
}

exit_code exec(const exec_options& options) {
  check(options);
  const cuda::temporary_folder folder;
  set_environment(options, folder.path());
  std::cout.flush();
  int code = run_to_the_end(options.words);
  std::vector<std::filesystem::path> tables;
  for (const auto& file : std::filesystem::directory_iterator(folder.path()))
    if (file.path().filename().string().rfind("table.", 0) == 0) tables.push_back(file.path());
  std::sort(tables.begin(), tables.end());
  if (!options.quiet)
    for (const auto& table : tables) std::cerr << cubin::read_file(table.string());
  // A program may not look at errors; a launch that did not end is one all the same.
  if (code == 0 && std::filesystem::exists(folder.path() / "status"))
    code = std::stoi(cubin::read_file((folder.path() / "status").string()));
  return static_cast<exit_code>(code);
}

}  // namespace

void add_exec(CLI::App& program, action& chosen) {
  auto* command =
      program.add_subcommand("exec", "run a CUDA program compiled by `gt200 nvcc`, and show its launches");
  const auto options = std::make_shared<exec_options>();
  command->add_option("--config", options->config, "configuration of the chip: file or preset")->type_name("FILE");
  command->add_option("--set", options->overrides, "key=value that overrides the configuration; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--out", options->out, "folder for launches.csv, stats.json, stats.csv and config.toml")
      ->type_name("DIR");
  command
      ->add_option(
          "--engine", options->engine,
          "model (default), emulator, auto (the first launch of every kernel on the model), the launches for the "
          "model, as bfs*:3-5,scan, or cpu: the processor of the host (default of programs compiled with -cpu)")
      ->type_name("ENGINE");
  command
      ->add_option(
          "--host-clock", options->host_clock,
          "what the program's clocks show (gettimeofday, clock_gettime, clock): real (default), or model: the "
          "time that its calls take, and nothing for what it does itself")
      ->type_name("CLOCK")
      ->check(CLI::IsMember({"real", "model"}));
  command->add_option("--devices", options->devices, "number of devices")->check(CLI::Range(1u, most_devices));
  command->add_option("--threads", options->threads, threads_help)
      ->type_name("N")
      ->check(CLI::Validator(check_threads, ""));
  command->add_flag("--check", options->check, "compare every instruction of the model with the emulator");
  command->add_flag("--warp-synchronous", options->warp_synchronous, warp_synchronous_help);
  command->add_flag("--quiet", options->quiet, "no table of the launches");
  command->prefix_command();
  command->callback([&chosen, options, command] {
    options->words = command->remaining();
    if (options->words.empty()) throw CLI::ValidationError("exec", "names no program");
    if (options->words.front()[0] == '-')
      throw CLI::ValidationError("exec", "unknown option '" + options->words.front() + "'");
    chosen = [options] { return exec(*options); };
  });
}

}  // namespace gt200::apps
