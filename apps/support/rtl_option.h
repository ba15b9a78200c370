// The option --rtl: shared objects with RTL of one's own (docs/cosimulation.md).
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gt200::apps {

void add_rtl_option(CLI::App& command, std::vector<std::string>& files);

// Settings, as of --set, for the blocks that these files hold: the file stands in place of the description, and RTL
// and model run in lockstep. They come before those of --set, which may say otherwise. Throws input_error for a
// file without a block, and for two files with the same one.
std::vector<std::string> settings_of_rtl(const std::vector<std::string>& files);

}  // namespace gt200::apps
