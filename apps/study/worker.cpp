#include "apps/study/worker.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <string>

#include "apps/exit_code.h"
#include "apps/study/ending.h"
#include "apps/study/program_hash.h"
#include "apps/study/sha256.h"
#include "apps/support/load_program.h"
#include "toolchain/error.h"

namespace gt200::apps::study {
namespace {

using steady = std::chrono::steady_clock;

int (*command_line)(const words& command, const words& shown) = nullptr;

// Signals that end the wait of the loop. They are blocked everywhere else in it, so none arrives unnoticed.
class loop_signals {
 public:
  loop_signals() {
    struct sigaction wake {};
    wake.sa_handler = [](int) {};
    sigaction(SIGCHLD, &wake, &before_child_);
    sigset_t blocked;
    sigemptyset(&blocked);
    for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&blocked, signal);
    sigprocmask(SIG_BLOCK, &blocked, &before_);
  }
  ~loop_signals() { restore(); }
  loop_signals(const loop_signals&) = delete;
  loop_signals& operator=(const loop_signals&) = delete;

  // As before the loop: for forked runs.
  void restore() const {
    sigaction(SIGCHLD, &before_child_, nullptr);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
  void wait() const {
    const timespec longest{1, 0};
    ppoll(nullptr, 0, &longest, &before_);
  }

 private:
  struct sigaction before_child_ {};
  sigset_t before_{};
};

void redirect(const char* path, int flags, int to) {
  const int file = open(path, flags, 0666);  // NOLINT(android-cloexec-open): programs a run starts inherit it
  if (file < 0) _exit(static_cast<int>(exit_code::internal));
  dup2(file, to);
  close(file);
}

// The life of a forked run.
[[noreturn]] void run_forked(const study& work, const point& of, const std::string& folder,
                             const loop_signals& signals, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(static_cast<int>(exit_code::interrupted));
  setpgid(0, 0);  // Ctrl-C on the terminal reaches the parent alone, which passes it on
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  signals.restore();
  redirect("/dev/null", O_RDONLY, STDIN_FILENO);
  redirect("/dev/null", O_WRONLY, STDOUT_FILENO);
  redirect((folder + "/" + messages_file).c_str(), O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO);
  words command = {"gt200"};
  command.insert(command.end(), of.command.begin(), of.command.end());
  words shown = command;
  command.insert(command.end(), {"--out", folder});
  shown.insert(shown.end(), {"--out", point_folder(work, of)});
  int code = static_cast<int>(exit_code::internal);
  try {
    code = command_line(command, shown);
  } catch (const std::exception& error) {
    fmt::print(stderr, "gt200: {}\n", error.what());
  }
  std::cout.flush();
  std::fflush(nullptr);
  _exit(code);
}

std::string first_line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

class point_loop {
 public:
  point_loop(const study& work, const std::vector<std::size_t>& numbers, unsigned jobs,
             const volatile std::sig_atomic_t* stop, const std::function<void(std::size_t, const ending&)>& ended)
      : work_(work),
        numbers_(numbers),
        jobs_(jobs),
        stop_(stop),
        ended_(ended),
        store_(work),
        inputs_(work.inputs) {}

  void run() {
    try {
      while (true) {
        while (*stop_ == 0 && running_.size() < jobs_ && next_ < numbers_.size()) begin(numbers_[next_++]);
        if (running_.empty()) return;
        if (*stop_ != 0) interrupt();
        if (!collect()) signals_.wait();
      }
    } catch (...) {
      interrupt();
      while (!running_.empty()) {
        int status = 0;
        const pid_t process = waitpid(running_.begin()->first, &status, 0);
        if (process < 0 && errno == EINTR) continue;
        store_.abandon(running_.begin()->second.folder);
        running_.erase(running_.begin());
      }
      throw;
    }
  }

 private:
  struct running_point {
    std::size_t number = 0;
    std::string folder;
    steady::time_point began;
  };

  void begin(std::size_t number) {
    const point& of = work_.points.at(number);
    // Another task may have run it since: an orphan on a lost node, or the one requeued in its place.
    if (const auto there = ending_of(work_, of); there && is_result(there->exit_code)) {
      ended_(number, *there);
      return;
    }
    if (const auto cached = store_.from_cache(of); !cached.folder.empty()) {
      store_.publish(of, cached.folder, cached.end);
      ended_(number, cached.end);
      return;
    }
    const std::string folder = store_.begin(of);
    std::cout.flush();
    std::fflush(nullptr);
    const pid_t parent = getpid();
    const pid_t process = fork();
    if (process < 0) throw input_error(of.name, 0, std::string("no process can be made: ") + std::strerror(errno));
    if (process == 0) run_forked(work_, of, folder, signals_, parent);
    running_[process] = {number, folder, steady::now()};
  }

  // True when a run had ended.
  bool collect() {
    int status = 0;
    rusage used{};
    const pid_t process = wait4(-1, &status, WNOHANG, &used);
    if (process <= 0) return false;
    const auto found = running_.find(process);
    if (found == running_.end()) return true;
    const running_point run = found->second;
    running_.erase(found);
    ending end;
    end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    end.seconds = std::chrono::duration<double>(steady::now() - run.began).count();
    end.peak_kib = static_cast<std::uint64_t>(used.ru_maxrss);
    finish(run, end);
    return true;
  }

  void finish(const running_point& run, ending& end) {
    if (end.exit_code == static_cast<int>(exit_code::interrupted)) {
      store_.abandon(run.folder);
      return;
    }
    const point& of = work_.points.at(run.number);
    if (end.exit_code > 128) end.reason = fmt::format("killed by signal {}", end.exit_code - 128);
    if (const std::string line = first_line_of(run.folder + "/" + messages_file);
        end.reason.empty() && end.exit_code != 0)
      end.reason = line;
    if (const std::string path = inputs_.changed(); !path.empty()) {
      end.exit_code = static_cast<int>(exit_code::bad_input);
      end.reason = path + ": has changed since the study was planned";
    } else if (is_result(end.exit_code) && !of.config.empty() &&
               sha256_of_file(run.folder + "/config.toml") != of.config) {
      end.exit_code = static_cast<int>(exit_code::bad_input);
      end.reason = "the configuration of the run is not the planned one";
    }
    store_.publish(of, run.folder, end);
    ended_(run.number, end);
  }

  void interrupt() {
    if (told_) return;
    for (const auto& [process, run] : running_) kill(process, SIGINT);
    told_ = true;
  }

  const study& work_;
  const std::vector<std::size_t>& numbers_;
  const unsigned jobs_;
  const volatile std::sig_atomic_t* stop_;
  const std::function<void(std::size_t, const ending&)>& ended_;
  point_store store_;
  input_watch inputs_;
  loop_signals signals_;
  std::map<pid_t, running_point> running_;
  std::size_t next_ = 0;
  bool told_ = false;
};

}  // namespace

void set_command_line(int (*main_of)(const words& command, const words& shown)) { command_line = main_of; }

void load_shared_programs(const study& work) {
  share_programs();
  for (const shared_program& program : work.programs)
    if (hash_of(apps::shared_program(program.path, program.capability)) != program.hash)
      throw input_error(
          program.path, 0,
          "compiles to something else than when the study was planned; start the study again to plan it "
          "anew");
}

void run_points(const study& work, const std::vector<std::size_t>& numbers, unsigned jobs,
                const volatile std::sig_atomic_t* stop,
                const std::function<void(std::size_t, const ending&)>& ended) {
  point_loop(work, numbers, jobs, stop, ended).run();
}

}  // namespace gt200::apps::study
