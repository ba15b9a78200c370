// How far a study is, on standard error.
#pragma once

#include <string>

#include "apps/study/study.h"

namespace gt200::apps {

// `line` with an estimate of the time that is left.
std::string study_status(const study::progress& now, const std::string& line);
// Shows the status: on a terminal in place of the line before, else once a minute. What keeps a study from going on
// is a line of its own.
void show_study(const study::progress& now, const std::string& line);
// Removes the line from the terminal.
void clear_study();

}  // namespace gt200::apps
