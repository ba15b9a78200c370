#include "apps/support/plugin_option.h"

#include <CLI/CLI.hpp>

#include <cstdlib>

#include "sc_models/config/added_policy.h"
#include "sc_models/load_plugin.h"
#include "toolchain/error.h"

namespace gt200::apps {

void add_plugin_option(CLI::App& command, std::vector<std::string>& files) {
  command
      .add_option("--plugin", files, "shared object with policies, networks or memories of your own; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

void add_use_option(CLI::App& command, std::vector<std::string>& choices) {
  command
      .add_option("--use", choices,
                  "give modules whose names match a policy, whatever their keys say, such as "
                  "'gt200.partition_0.dram=fixed_latency'; repeatable")
      ->type_name("MODULE=POLICY")
      ->allow_extra_args(false);
}

void load_plugins(const std::vector<std::string>& files) {
  for (const std::string& file : files) load_plugin(file);
}

void load_plugins_of_environment() {
  const char* names = std::getenv("GT200_PLUGINS");
  if (names == nullptr) return;
  std::string file;
  for (const char* c = names;; ++c) {
    if (*c != ':' && *c != '\0') {
      file += *c;
      continue;
    }
    if (!file.empty()) load_plugin(file);
    file.clear();
    if (*c == '\0') return;
  }
}

void use_policies(const std::vector<std::string>& choices) {
  for (const std::string& choice : choices) config::choose_at(choice);
}

void require_used_policies() {
  const std::vector<std::string> unused = config::unused_choices();
  if (!unused.empty())
    throw input_error("--use " + unused.front() + ": no module of the chip that could take it has such a name");
}

}  // namespace gt200::apps
