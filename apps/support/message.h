// Lines for the user on the standard error output.
#pragma once

#include <string>

namespace gt200::apps {

// Writes the text as it stands. Nothing can be done, or said, if the standard error output is closed or full.
void say(const std::string& text);

}  // namespace gt200::apps
