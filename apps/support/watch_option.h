// The options --watch and --watch-port.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace gt200::apps {

struct watch_options {
  bool on = false;
  unsigned port = 0;  // 0: any that is free
};

// `what` is served: "the page of the run".
void add_watch_options(CLI::App& command, watch_options& options, const std::string& what);

}  // namespace gt200::apps
