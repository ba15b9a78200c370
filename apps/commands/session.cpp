// The device of an interpreter: the Python package starts one process for each device (docs/python.md).
#include <poll.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "apps/commands/commands.h"
#include "apps/session/server.h"
#include "apps/support/config_files.h"
#include "apps/support/cycle_limit.h"
#include "apps/support/thread_option.h"
#include "observe/hang_report.h"
#include "rtl_ref/library/library.h"
#include "sc_models/config/load.h"
#include "sc_models/sm/cosimulation/rtl_requests.h"

namespace gt200::apps {
namespace {

struct session_options {
  int socket = -1;
  std::string config = default_config;
  std::vector<std::string> overrides;
  std::string threads = "1";
  std::uint64_t max_cycles = 0;
  bool check = false;
};

volatile std::sig_atomic_t stop_launch = 0;
std::atomic<bool> session_is_gone{false};

extern "C" void note_stop(int) { stop_launch = 1; }

// Ends the launch that runs when the session closes its end, or dies.
void watch_client(int socket) {
  pollfd end = {socket, 0, 0};
  for (bool watches = true; watches;) {
    const int ready = poll(&end, 1, -1);
    // A session that cannot be watched would be outlived.
    watches = ready < 0 ? errno == EINTR : (end.revents & (POLLHUP | POLLERR | POLLNVAL)) == 0;
  }
  session_is_gone = true;
  stop_launch = 1;
  // A launch looks at it every few milliseconds, unless code of RTL or of a plug-in never returns.
  std::this_thread::sleep_for(std::chrono::seconds(10));
  _exit(static_cast<int>(exit_code::interrupted));
}

// A signal that came between two launches was meant for the first one.
void forget_stop() {
  stop_launch = 0;
  if (session_is_gone) stop_launch = 1;
}

exit_code serve_session(const session_options& options) {
  // The session decides what Ctrl-C ends: it sends the signal itself while a launch runs.
  std::signal(SIGINT, note_stop);
  cudart::channel connection(options.socket);
  const config::resolved_config resolved = config::load(find_config(options.config), options.overrides);
  for (const rtl::request& rtl : model::rtl_in_use(resolved.values)) rtl::build(rtl);
  device_options settings;
  settings.clocking = clocking_of(resolved.values.simulation);
  settings.clocking.threads = thread_count(options.threads, resolved.values);
  settings.max_cycles = options.max_cycles;
  settings.stop = &stop_launch;
  settings.explain_hang = observe::explain_hang;
  settings.unobserved = true;
  session::board device(resolved.values, settings, options.check);
  std::thread(watch_client, options.socket).detach();
  session::serve(connection, device, forget_stop);
  return exit_code::ok;
}

}  // namespace

void add_session(CLI::App& program, action& chosen) {
  auto* command = program.add_subcommand("session", "a device of an interpreter; its package starts this");
  const auto options = std::make_shared<session_options>();
  command->add_option("--socket", options->socket, "number of the open connection to the session")->required();
  command->add_option("--config", options->config, "configuration of the chip: file or preset");
  command->add_option("--set", options->overrides, "key=value that overrides the configuration; repeatable")
      ->allow_extra_args(false);
  command->add_option("--threads", options->threads, threads_help)->check(CLI::Validator(check_threads, ""));
  command->add_option("--max-cycles", options->max_cycles, "core cycles allowed per launch; 0 = no limit")
      ->check(CLI::Range(std::uint64_t{0}, max_option_cycles));
  command->add_flag("--check", options->check, "compare every instruction of the model with the emulator");
  command->group("");  // not in the list of commands
  command->callback([&chosen, options] { chosen = [options] { return serve_session(*options); }; });
}

}  // namespace gt200::apps
