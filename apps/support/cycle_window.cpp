#include "apps/support/cycle_window.h"

#include <CLI/CLI.hpp>

namespace gt200::apps {

void add_window_option(CLI::App& command, const char* name, std::string& window, const char* help) {
  command.add_option(name, window, help)->type_name("A:B")->check([](const std::string& text) {
    return observe::window_of(text) ? std::string() : "'" + text + "' is no window A:B of core cycles";
  });
}

}  // namespace gt200::apps
