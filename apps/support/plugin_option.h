// The options --plugin and --use: parts of the chip from outside (docs/extending.md).
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gt200::apps {

void add_plugin_option(CLI::App& command, std::vector<std::string>& files);
void add_use_option(CLI::App& command, std::vector<std::string>& choices);

// Loads these plug-ins. Before a configuration is read. Throws input_error with the file.
void load_plugins(const std::vector<std::string>& files);
// Those of the variable GT200_PLUGINS, names divided by colons: for every command, and for processes that other
// commands start.
void load_plugins_of_environment();

// Chooses by name, "MODULE=POLICY". Throws input_error.
void use_policies(const std::vector<std::string>& choices);
// After the chip is made: throws input_error if a choice has matched no module that could take it.
void require_used_policies();

}  // namespace gt200::apps
