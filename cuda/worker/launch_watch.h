// Watches a worker from a thread of its own: the program that it works for, and how long a launch takes.
#pragma once

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <mutex>
#include <string>
#include <utility>

#include "cuda/worker/engine.h"

namespace gt200::cudart {

// What ends the launch that runs; the value of launch_watch::stop().
enum class stop_reason : std::sig_atomic_t { none, program_is_gone, seconds_used_up };

class launch_watch {
 public:
  // `socket`: the connection to the program. `seconds` of the host's clock that a launch may take; 0: no limit.
  // `give_up` ends the process: a launch that is to end looks no more at stop(), because code of RTL or of a
  // plug-in never returns.
  launch_watch(int socket, double seconds, std::function<void(stop_reason)> give_up)
      : socket_(socket), seconds_(seconds), give_up_(std::move(give_up)) {}
  launch_watch(const launch_watch&) = delete;
  launch_watch& operator=(const launch_watch&) = delete;

  // Starts the thread, which lives as long as the process: the object must, too.
  void start();

  // A launch looks at it every few milliseconds, and ends when it is no longer 0.
  const volatile std::sig_atomic_t* stop() const { return &stop_; }
  stop_reason reason() const { return static_cast<stop_reason>(stop_); }
  double seconds() const { return seconds_; }

  // `what`: the launch that runs from now on, for messages.
  void launch_begins(const std::string& what);
  void launch_ended();

 private:
  using clock = std::chrono::steady_clock;

  void run();
  // The time until something is due, in milliseconds for poll(); negative: nothing is.
  int time_left();
  void look();

  // Of a launch that should have ended so many seconds ago.
  void give_up_after(double seconds);

  int socket_;
  double seconds_;
  std::function<void(stop_reason)> give_up_;
  volatile std::sig_atomic_t stop_ = 0;
  std::mutex mutex_;
  std::string running_;  // empty: no launch runs
  clock::time_point began_;
  double note_at_ = 0;  // seconds of the launch
};

// A launch that was ended because its time is used up has reached a limit: the report says so, and keeps the place.
void end_by_seconds(grid_result& result, const launch_watch& watch);

}  // namespace gt200::cudart
