#include "apps/study/run_host_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>

#include "apps/exit_code.h"
#include "apps/study/ending.h"
#include "apps/study/messages.h"
#include "apps/study/program_hash.h"
#include "apps/study/study.h"
#include "apps/support/interrupt.h"
#include "apps/support/load_program.h"
#include "apps/support/message.h"
#include "toolchain/error.h"

namespace gt200::apps::study {
namespace {

using steady = std::chrono::steady_clock;

int (*command_line)(const words& command, const words& shown) = nullptr;

void redirect(const char* path, int flags, int to) {
  const int file = open(path, flags, 0666);  // NOLINT(android-cloexec-open): programs a run starts inherit it
  if (file < 0) _exit(static_cast<int>(exit_code::internal));
  dup2(file, to);
  close(file);
}

class host_process {
 public:
  host_process(int socket, pid_t parent) : socket_(socket) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    setpgid(0, 0);  // Ctrl-C on the terminal reaches the parent alone, which passes it on
    // Slurm tells every process of a task; the parent decides.
    sigset_t ignored;  // they are blocked since the fork
    sigemptyset(&ignored);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
      std::signal(signal, SIG_IGN);
      sigaddset(&ignored, signal);
    }
    sigprocmask(SIG_UNBLOCK, &ignored, nullptr);
    struct sigaction wake {};
    wake.sa_handler = [](int) {};
    sigaction(SIGCHLD, &wake, nullptr);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    // A run is told to stop by a signal; until it can take it, the signal stays pending.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&child, signal);
    sigprocmask(SIG_BLOCK, &child, &while_waiting_);
    sigdelset(&while_waiting_, SIGCHLD);
  }

  [[noreturn]] void serve() {
    words message;
    while (true) {
      while (collect()) {
      }
      while (take_message(received_, message)) obey(message);
      pollfd watched{socket_, POLLIN, 0};
      if (ppoll(&watched, 1, nullptr, &while_waiting_) <= 0) continue;
      std::array<char, 65536> part{};
      const ssize_t count = recv(socket_, part.data(), part.size(), 0);
      if (count == 0 || (count < 0 && errno != EINTR)) end();
      if (count > 0) received_.append(part.data(), static_cast<std::size_t>(count));
    }
  }

 private:
  struct running {
    std::string number;
    steady::time_point began;
  };

  [[noreturn]] void end() {
    for (const auto& [process, run] : running_) kill(process, SIGKILL);
    _exit(0);
  }
  void answer(const words& message) {
    if (!send_all(socket_, packed_message(message))) end();
  }

  void obey(const words& message) {
    if (message.at(0) == message::load) return load(message);
    if (message.at(0) == message::begin) return begin(message);
    for (const auto& [process, run] : running_) kill(process, SIGINT);
  }

  void load(const words& message) {
    try {
      std::filesystem::current_path(message.at(1));
      share_programs();
      for (std::size_t i = 2; i + 2 < message.size(); i += 3)
        if (hash_of(apps::shared_program(message[i], static_cast<unsigned>(std::stoul(message[i + 1])))) !=
            message[i + 2])
          throw input_error(
              message[i], 0,
              "compiles to something else than when the study was planned; start the study again to plan it anew");
      answer({message::loaded});
    } catch (const std::exception& error) {
      answer({message::refused, error.what()});
    }
  }

  void begin(const words& message) {
    const pid_t host = getpid();
    const steady::time_point now = steady::now();
    const pid_t process = fork();
    if (process == 0) run_forked(message, host);
    if (process > 0)
      running_[process] = {message.at(1), now};
    else
      answer({message::refused, fmt::format("no process can be made: {}", std::strerror(errno))});
  }

  // The life of a run.
  [[noreturn]] void run_forked(const words& message, pid_t host) const {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != host) _exit(static_cast<int>(exit_code::interrupted));
    close(socket_);
    std::signal(SIGCHLD, SIG_DFL);
    for (const int signal : ending_signals) std::signal(signal, SIG_DFL);
    clear_away_at_signals();
    sigprocmask(SIG_SETMASK, &while_waiting_, nullptr);
    const std::string& folder = message[2];
    redirect("/dev/null", O_RDONLY, STDIN_FILENO);
    redirect("/dev/null", O_WRONLY, STDOUT_FILENO);
    redirect((folder + "/" + messages_file).c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
    words command = {"gt200"};
    command.insert(command.end(), message.begin() + 4, message.end());
    words shown = command;
    command.insert(command.end(), {"--out", folder});
    shown.insert(shown.end(), {"--out", message[3]});
    int code = static_cast<int>(exit_code::internal);
    try {
      code = command_line(command, shown);
    } catch (const std::exception& error) {
      say(fmt::format("gt200: {}\n", error.what()));
    }
    std::cout.flush();
    std::fflush(nullptr);
    _exit(code);
  }

  // True when a run had ended.
  bool collect() {
    int status = 0;
    rusage used{};
    const pid_t process = wait4(-1, &status, WNOHANG, &used);
    if (process <= 0) return false;
    const auto found = running_.find(process);
    if (found == running_.end()) return true;
    const double seconds = std::chrono::duration<double>(steady::now() - found->second.began).count();
    answer({message::ended, found->second.number, std::to_string(status), fmt::format("{}", seconds),
            std::to_string(used.ru_maxrss)});
    running_.erase(found);
    return true;
  }

  const int socket_;
  sigset_t while_waiting_{};
  std::string received_;
  std::map<pid_t, running> running_;
};

}  // namespace

void set_command_line(int (*main_of)(const words& command, const words& shown)) { command_line = main_of; }

void serve_runs(int socket, pid_t parent) { host_process(socket, parent).serve(); }

}  // namespace gt200::apps::study
