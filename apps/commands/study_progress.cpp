#include "apps/commands/study_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>

#include "apps/support/message.h"

namespace gt200::apps {

std::string study_status(const study::progress& now, const std::string& line) {
  return line + (now.seconds_left > 0 ? fmt::format(", about {:.0f} s left", now.seconds_left) : "") +
         (now.note.empty() ? "" : "; " + now.note);
}

void show_study(const study::progress& now, const std::string& line) {
  using clock = std::chrono::steady_clock;
  constexpr std::chrono::seconds interval{60};  // between two lines where there is no terminal
  static std::string last_obstacle;
  static clock::time_point said_at = clock::now();
  if (now.obstacle != last_obstacle) {
    clear_study();
    if (!now.obstacle.empty()) say(fmt::format("gt200: {}\n", now.obstacle));
    last_obstacle = now.obstacle;
  }
  if (isatty(STDERR_FILENO) != 0) {
    say("\r\x1b[K" + study_status(now, line));
  } else if (clock::now() - said_at >= interval) {
    said_at = clock::now();
    say("gt200: " + study_status(now, line) + "\n");
  }
}

void clear_study() {
  if (isatty(STDERR_FILENO) != 0) say("\r\x1b[K");
}

}  // namespace gt200::apps
