// An option with a window A:B of core cycles: from A up to, not including, B; either may be missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tlm_bus/time.h"

namespace CLI {
class App;
}

namespace gt200::apps {

struct cycle_window {
  tlm_bus::cycle_t begin = 0;
  tlm_bus::cycle_t end = tlm_bus::no_cycle;
};

// Reads "A:B", "A:" or ":B". Nothing when it is none of these.
std::optional<cycle_window> window_of(const std::string& text);
// Adds an option that takes nothing else.
void add_window_option(CLI::App& command, const char* name, std::string& window, const char* help);

}  // namespace gt200::apps
