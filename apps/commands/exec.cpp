#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "apps/commands/commands.h"
#include "apps/support/config_files.h"
#include "apps/support/direct_launch.h"
#include "apps/support/environment.h"
#include "apps/support/interrupt.h"
#include "apps/support/launch_limits.h"
#include "apps/support/live_page.h"
#include "apps/support/message.h"
#include "apps/support/thread_option.h"
#include "apps/support/watch_option.h"
#include "cuda/worker/selection.h"
#include "sc_models/config/load.h"
#include "toolchain/cubin/load.h"
#include "toolchain/cuda/process.h"
#include "toolchain/error.h"
#include "toolchain/left_behind.h"
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
  std::string max_cycles;  // empty: not given, as for the two others
  std::string max_instructions;
  std::string max_seconds;
  bool check = false;
  bool warp_synchronous = false;
  bool quiet = false;
  watch_options watch;
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
  if (!options.max_cycles.empty()) set(variable_max_cycles, options.max_cycles);
  if (!options.max_instructions.empty()) set(variable_max_instructions, options.max_instructions);
  if (!options.max_seconds.empty()) set(variable_max_seconds, options.max_seconds);
  if (options.check) set("GT200_CHECK", "1");
  if (options.watch.on) set("GT200_WATCH", std::to_string(options.watch.port));
  if (options.warp_synchronous) set("GT200_WARP_SYNCHRONOUS", "1");
  set("GT200_TABLE", (folder / "table").string());
  set("GT200_STATUS", (folder / "status").string());
  set("GT200_PROGRAM", std::filesystem::read_symlink("/proc/self/exe").string());
}

// Signals for this process, while a program runs.
volatile std::sig_atomic_t told_to_end = 0;  // the signal; 0: none
volatile std::sig_atomic_t comes_from_process = 0;

// The keyboard's interrupt reaches the program as well; what another process has sent may be for this one alone.
extern "C" void note_ending(int signal, siginfo_t* from, void*) {
  if (told_to_end == 0) comes_from_process = from->si_code == SI_USER ? 1 : 0;
  told_to_end = signal;
}

// Waits for the program and, because they write the results, for the workers that it leaves behind: they become
// children of this process. What comes to an end by a signal ends in this order: the program gets the signal, its
// workers end when it has ended, and this process shows the table.
class program_run {
 public:
  explicit program_run(const std::vector<std::string>& words) {
    adopt_orphans();
    struct sigaction noted {};
    noted.sa_sigaction = note_ending;
    noted.sa_flags = SA_SIGINFO;  // waiting ends
    sigemptyset(&noted.sa_mask);
    for (const int signal : ending_signals) {
      sigaddset(&ending_, signal);
      struct sigaction before {};
      sigaction(signal, &noted, &before);
      if (signal == SIGHUP && before.sa_handler == SIG_IGN) sigaction(signal, &before, nullptr);
    }
    std::signal(SIGCHLD, [](int) {});
    sigaddset(&ending_, SIGCHLD);
    // From here on they come while this process waits, and never between two steps.
    sigprocmask(SIG_BLOCK, &ending_, &before_);
    start(words);
  }
  ~program_run() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  program_run(const program_run&) = delete;
  program_run& operator=(const program_run&) = delete;

  // The code of the program; 128 + n after signal n, and exit_code::interrupted if this process got one.
  int end() {
    while (collect()) {
      const timespec longest = {0, told_at_ < 0 ? 500'000'000 : 50'000'000};  // ns
      // Handlers run within the call alone.
      if (told_to_end <= 0) ppoll(nullptr, 0, &longest, &before_);
      pass_on();
    }
    return code_;
  }

 private:
  void start(const std::vector<std::string>& words) {
    const pid_t own = getpid();
    program_ = fork();
    if (program_ < 0) throw input_error(std::string("no process can be started: ") + std::strerror(errno));
    if (program_ != 0) return;
    cuda::become_ordinary_child(own, SIGKILL);
    std::signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
    std::vector<char*> arguments;
    for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    std::perror(arguments[0]);
    _exit(127);
  }

  // False when there are no more children.
  bool collect() {
    for (;;) {
      int status = 0;
      const pid_t ended = waitpid(-1, &status, WNOHANG);
      if (ended < 0 && errno == EINTR) continue;
      if (ended <= 0) return ended == 0;
      if (ended == program_) note_end(status);
    }
  }

  void note_end(int status) {
    has_ended_ = true;
    if (WIFEXITED(status)) {
      code_ = WEXITSTATUS(status);
      return;
    }
    const int signal = WTERMSIG(status);
    // Who ends a process group may have told the program first.
    if (sigismember(&ending_, signal) == 1)
      for (const double until = seconds() + 0.2; told_to_end == 0 && seconds() < until;) {
        constexpr timespec pause = {0, 10'000'000};
        ppoll(nullptr, 0, &pause, &before_);
      }
    code_ = told_to_end != 0 ? static_cast<int>(exit_code::interrupted) : 128 + signal;
    if (told_to_end == 0)
      say(fmt::format("gt200: the program was ended by signal {} ({})\n", signal, strsignal(signal)));
  }

  // A second signal ends everything at once. The first is passed on, unless the program ends without: who ends a
  // process group has told it already.
  void pass_on() {
    if (told_to_end == 0) return;
    const double now = seconds();
    if (told_at_ < 0) {
      told_at_ = asked_at_ = now;
      signal_ = told_to_end;
    } else if (told_to_end > 0 && now - told_at_ >= one_signal) {
      clear_away();
      _exit(static_cast<int>(exit_code::interrupted));
    }
    told_to_end = -signal_;  // noted
    if (comes_from_process == 0 || now - asked_at_ < time_to_hear) return;
    if (!has_ended_) {
      if (!is_passed_on_) kill(program_, signal_);
      is_passed_on_ = true;
    } else if (now - asked_at_ >= one_signal) {
      // Programs that the program had started, and that have not heard of it. Workers take no notice.
      asked_at_ = now;
      signal_children(signal_);
    }
  }

  static double seconds() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  // Who ends a process group may tell each process as well: what comes so soon is the same signal.
  static constexpr double one_signal = 0.25;  // seconds
  static constexpr double time_to_hear = 0.1;

  sigset_t ending_{};
  sigset_t before_{};
  pid_t program_ = 0;
  bool has_ended_ = false;
  int code_ = 0;
  int signal_ = 0;
  double told_at_ = -1;  // seconds; negative: not yet
  double asked_at_ = 0;
  bool is_passed_on_ = false;
};

// Checks the variable that the option --devices sets.
void check_devices(const std::string& text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 1 || number > most_devices)
    throw input_error(fmt::format("GT200_DEVICES: '{}' is no number from 1 to {}", text, most_devices));
}

// Refuses what the workers would refuse, before the program begins.
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
  limit_of(variable_max_cycles);
  limit_of(variable_max_instructions);
  seconds_of(variable_max_seconds);
  if (options.watch.on) live_page::require_available();
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
  int code = program_run(options.words).end();
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
  command
      ->add_option("--max-cycles", options->max_cycles,
                   "core cycles that a launch may take on the model; 0: no limit")
      ->type_name("N")
      ->check(CLI::Validator(check_limit, ""));
  command
      ->add_option("--max-instructions", options->max_instructions,
                   "warp instructions that a launch may take on model and emulator; 0: no limit")
      ->type_name("N")
      ->check(CLI::Validator(check_limit, ""));
  command
      ->add_option("--max-seconds", options->max_seconds,
                   "seconds of this computer that a launch may take on any engine; 0: no limit")
      ->type_name("N")
      ->check(CLI::Validator(check_seconds, ""));
  command->add_flag("--check", options->check, "compare every instruction of the model with the emulator");
  command->add_flag("--warp-synchronous", options->warp_synchronous, warp_synchronous_help);
  add_watch_options(*command, options->watch, "the page of each device");
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
