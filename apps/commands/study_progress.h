// How far a study is, on standard error.
#pragma once

#include <string>

#include "apps/study/study.h"

namespace gt200::apps {

// Shows `line`: on a terminal, in place of the line before. What keeps a study from going on is a line of its own,
// also in a file.
void show_study(const study::progress& now, const std::string& line);
// Removes the line from the terminal.
void clear_study();

}  // namespace gt200::apps
