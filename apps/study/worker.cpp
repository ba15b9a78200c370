#include "apps/study/worker.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <csignal>
#include <fstream>
#include <map>
#include <string>

#include "apps/exit_code.h"
#include "apps/study/ending.h"
#include "apps/study/sha256.h"
#include "toolchain/error.h"

namespace gt200::apps::study {
namespace {

// Signals that end the wait of the loop. They are blocked everywhere else in it, so none arrives unnoticed.
class loop_signals {
 public:
  loop_signals() {
    sigset_t blocked;
    sigemptyset(&blocked);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&blocked, signal);
    sigprocmask(SIG_BLOCK, &blocked, &before_);
  }
  ~loop_signals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  loop_signals(const loop_signals&) = delete;
  loop_signals& operator=(const loop_signals&) = delete;

  // To be blocked while waiting.
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_{};
};

std::string first_line_of(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

class point_loop {
 public:
  point_loop(const study& work, const std::vector<std::size_t>& numbers, unsigned jobs,
             const volatile std::sig_atomic_t* stop, const std::function<void(std::size_t, const ending&)>& ended,
             const std::function<void()>& waited)
      : work_(work),
        numbers_(numbers),
        jobs_(jobs),
        stop_(stop),
        ended_(ended),
        waited_(waited),
        store_(work),
        inputs_(work.inputs),
        host_(take_run_host()) {
    host_->load(work.programs);
  }

  void run() {
    try {
      while (true) {
        begin_more();
        if (running_.empty()) return;
        if (*stop_ != 0) interrupt();
        const std::vector<run_host::ended_run> ended = host_->wait(signals_.before());
        std::vector<finished_run> finished;
        for (const run_host::ended_run& run : ended) {
          finished.push_back({run, running_.at(run.number)});
          running_.erase(run.number);
        }
        begin_more();  // first: what follows takes its time
        for (const finished_run& run : finished) finish(run);
        if (waited_) waited_();
      }
    } catch (...) {
      host_.reset();  // ends what runs
      for (const auto& [number, folder] : running_) store_.abandon(folder);
      throw;
    }
  }

 private:
  struct finished_run {
    run_host::ended_run run;
    std::string folder;
  };

  void begin_more() {
    while (*stop_ == 0 && running_.size() < jobs_ && next_ < numbers_.size()) begin(numbers_[next_++]);
  }

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
    running_[number] = folder;
    host_->begin(number, of.command, folder, point_folder(work_, of));
  }

  void finish(const finished_run& run) {
    ending end;
    const int status = run.run.status;
    end.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    end.seconds = run.run.seconds;
    end.peak_kib = run.run.peak_kib;
    if (end.exit_code == static_cast<int>(exit_code::interrupted)) {
      store_.abandon(run.folder);
      return;
    }
    const point& of = work_.points.at(run.run.number);
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
    ended_(run.run.number, end);
  }

  void interrupt() {
    if (told_) return;
    host_->interrupt();
    told_ = true;
  }

  const study& work_;
  const std::vector<std::size_t>& numbers_;
  const unsigned jobs_;
  const volatile std::sig_atomic_t* stop_;
  const std::function<void(std::size_t, const ending&)>& ended_;
  const std::function<void()>& waited_;
  point_store store_;
  input_watch inputs_;
  std::unique_ptr<run_host> host_;  // before the signals are blocked, which it would inherit
  loop_signals signals_;
  std::map<std::size_t, std::string> running_;  // unfinished folder, by number
  std::size_t next_ = 0;
  bool told_ = false;
};

}  // namespace

void run_points(const study& work, const std::vector<std::size_t>& numbers, unsigned jobs,
                const volatile std::sig_atomic_t* stop,
                const std::function<void(std::size_t, const ending&)>& ended, const std::function<void()>& waited) {
  point_loop(work, numbers, jobs, stop, ended, waited).run();
}

}  // namespace gt200::apps::study
