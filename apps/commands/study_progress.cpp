#include "apps/commands/study_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "apps/support/message.h"

namespace gt200::apps {

void show_study(const study::progress& now, const std::string& line) {
  static std::string last_obstacle;
  if (now.obstacle != last_obstacle) {
    clear_study();
    if (!now.obstacle.empty()) say(fmt::format("gt200: {}\n", now.obstacle));
    last_obstacle = now.obstacle;
  }
  if (isatty(STDERR_FILENO) != 0) say(fmt::format("\r\x1b[K{}{}", line, now.note.empty() ? "" : "; " + now.note));
}

void clear_study() {
  if (isatty(STDERR_FILENO) != 0) say("\r\x1b[K");
}

}  // namespace gt200::apps
