// Loads plug-ins (plugin.h) into the running program.
#pragma once

#include <string>
#include <vector>

namespace gt200 {

// Loads a shared object, which adds what it has. Loading one twice does nothing. Before the first configuration is
// loaded. Throws input_error with the file: it cannot be loaded, is no plug-in, was built for another version, or
// adds what is there already; what is refused for one of the last three stays refused.
void load_plugin(const std::string& file);

struct loaded_plugin {
  std::string name;
  std::string file;  // absolute
};
// In the order of their names.
std::vector<loaded_plugin> loaded_plugins();

}  // namespace gt200
