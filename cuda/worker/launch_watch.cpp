#include "cuda/worker/launch_watch.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <thread>

namespace gt200::cudart {
namespace {

// A launch that takes so long is named on the error output, and again after twice the time, and so on: whoever
// waits for it can tell slow from endless.
constexpr double first_note = 60;    // seconds
constexpr int shortest_look = 1000;  // ms; a launch may begin at any time
constexpr double patience = 10;      // seconds in which a launch that is to end looks at stop()

}  // namespace

void launch_watch::start() {
  std::thread([this] { run(); }).detach();
}

void launch_watch::launch_begins(const std::string& what) {
  const std::lock_guard<std::mutex> own(mutex_);
  // The limit of the launch before, which had ended when it was looked at.
  if (reason() == stop_reason::seconds_used_up) stop_ = 0;
  running_ = what;
  began_ = clock::now();
  note_at_ = first_note;
}

void launch_watch::launch_ended() {
  const std::lock_guard<std::mutex> own(mutex_);
  running_.clear();
}

// A worker that cannot watch its program would outlive it: then it stops at once.
void launch_watch::run() {
  pollfd end = {socket_, 0, 0};
  for (;;) {
    const int ready = poll(&end, 1, time_left());
    if ((ready < 0 && errno != EINTR) || (ready > 0 && (end.revents & (POLLHUP | POLLERR | POLLNVAL)) != 0)) break;
    look();
  }
  {
    const std::lock_guard<std::mutex> own(mutex_);
    stop_ = static_cast<std::sig_atomic_t>(stop_reason::program_is_gone);
  }
  std::this_thread::sleep_for(std::chrono::duration<double>(patience));
  const std::lock_guard<std::mutex> own(mutex_);
  if (!running_.empty()) give_up_after(patience);
}

void launch_watch::give_up_after(double seconds) {
  const std::string text = fmt::format(
      "gt200: {} has not ended {:.0f} seconds behind its limit, as if code of RTL or of a plug-in never returned\n",
      running_, seconds);
  std::fputs(text.c_str(), stderr);
  give_up_(reason());
}

int launch_watch::time_left() {
  const std::lock_guard<std::mutex> own(mutex_);
  if (running_.empty()) return shortest_look;
  const double used = std::chrono::duration<double>(clock::now() - began_).count();
  double left = note_at_ - used;
  if (seconds_ != 0) left = std::min(left, used < seconds_ ? seconds_ - used : 1);
  return static_cast<int>(std::clamp(left * 1000 + 1, 1.0, static_cast<double>(shortest_look)));
}

void launch_watch::look() {
  const std::lock_guard<std::mutex> own(mutex_);
  if (running_.empty()) return;
  const double used = std::chrono::duration<double>(clock::now() - began_).count();
  if (seconds_ != 0 && used >= seconds_) stop_ = static_cast<std::sig_atomic_t>(stop_reason::seconds_used_up);
  if (seconds_ != 0 && used >= seconds_ + patience) give_up_after(patience);
  if (used < note_at_) return;
  const std::string text = fmt::format(
      "gt200: {} has run for {:.0f} s; --max-seconds or --max-cycles of gt200 exec end a launch that does not\n",
      running_, used);
  std::fputs(text.c_str(), stderr);
  note_at_ *= 2;
}

void end_by_seconds(grid_result& result, const launch_watch& watch) {
  if (result.reason != grid_result::end::interrupted || watch.reason() != stop_reason::seconds_used_up) return;
  result.reason = grid_result::end::limit;
  result.report = fmt::format("the limit of {} s is used up: {}", watch.seconds(), result.report);
}

}  // namespace gt200::cudart
