// The option with a window of core cycles.
#pragma once

#include <string>

#include "observe/observers/cycle_window.h"

namespace CLI {
class App;
}

namespace gt200::apps {

// Adds an option that takes nothing else than a window A:B.
void add_window_option(CLI::App& command, const char* name, std::string& window, const char* help);

}  // namespace gt200::apps
