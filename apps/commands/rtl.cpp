#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "apps/commands/commands.h"
#include "apps/support/config_files.h"
#include "rtl_ref/library/cache.h"
#include "rtl_ref/library/library.h"
#include "sc_models/config/load.h"
#include "sc_models/sm/cosimulation/rtl_requests.h"

namespace gt200::apps {
namespace {

struct rtl_options {
  std::string config = default_config;
  std::vector<std::string> overrides;
};

exit_code build(const rtl_options& options) {
  const auto loaded = config::load(find_config(options.config), options.overrides);
  for (const rtl::request& rtl : model::rtl_available(loaded.values)) std::cout << rtl::build(rtl) << '\n';
  return exit_code::ok;
}

exit_code list() {
  std::cout << rtl::cache_folder() << '\n';
  for (const rtl::cached_library& library : rtl::cached_libraries())
    std::cout << fmt::format("  {:<40} {}\n", library.name, library.file);
  return exit_code::ok;
}

exit_code clear() {
  const std::uint64_t bytes = rtl::clear_cache();
  std::cout << fmt::format("{}: {} kB removed\n", rtl::cache_folder(), bytes / 1024);
  return exit_code::ok;
}

void add_build(CLI::App& group, action& chosen) {
  auto* command = group.add_subcommand(
      "build", "verilate and compile the RTL that a configuration has beside its models, and print the libraries");
  const auto options = std::make_shared<rtl_options>();
  command->add_option("config,--config", options->config, "file or preset")->capture_default_str();
  command->add_option("--set", options->overrides, "key=value that overrides the file; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->callback([&chosen, options] { chosen = [options] { return build(*options); }; });
}

}  // namespace

void add_rtl(CLI::App& program, action& chosen) {
  auto* group = program.add_subcommand(
      "rtl", "RTL in the chip: a run verilates what it needs on first use and keeps it in a cache");
  group->require_subcommand(1);
  add_build(*group, chosen);
  group->add_subcommand("list", "the folder of the cache, and the libraries in it")->callback([&chosen] {
    chosen = list;
  });
  group->add_subcommand("clear", "empty the cache")->callback([&chosen] { chosen = clear; });
}

}  // namespace gt200::apps
