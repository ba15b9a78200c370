#include "apps/support/watch_option.h"

#include <CLI/CLI.hpp>

namespace gt200::apps {

void add_watch_options(CLI::App& command, watch_options& options, const std::string& what) {
  auto* watch = command.add_flag(
      "--watch", options.on, "serve " + what + ", while it runs, at an address of this machine that is printed");
  command.add_option("--watch-port", options.port, "port of --watch; 0: any that is free")
      ->type_name("N")
      ->check(CLI::Range(0u, 65535u))
      ->needs(watch);
}

}  // namespace gt200::apps
