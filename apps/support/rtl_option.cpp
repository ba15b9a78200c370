#include "apps/support/rtl_option.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <filesystem>
#include <map>

#include "rtl_ref/library/own_library.h"
#include "toolchain/error.h"

namespace gt200::apps {

void add_rtl_option(CLI::App& command, std::vector<std::string>& files) {
  command
      .add_option(
          "--rtl", files,
          "shared object with RTL of your own; it runs in lockstep with the model of its block, unless --set "
          "gives that block another model; repeatable")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

std::vector<std::string> settings_of_rtl(const std::vector<std::string>& files) {
  // The groups of keys by block.
  static const std::map<std::string, std::string> groups = {{"coalescer", "tpc.memory.coalescer"},
                                                            {"issue_arbiter", "tpc.sm.scheduler"},
                                                            {"scoreboard", "tpc.sm.scoreboard"},
                                                            {"scoreboard_at_issue", "tpc.sm.scoreboard"},
                                                            {"sp", "tpc.sm.sp"}};
  std::vector<std::string> blocks;
  std::string names;
  for (const auto& [block, group] : groups) {
    blocks.push_back(block);
    names += (names.empty() ? "" : ", ") + block;
  }
  std::map<std::string, std::string> file_of;  // by block
  std::vector<std::string> settings;
  for (const std::string& file : files) {
    if (!rtl::is_library(file))
      throw input_error(file, 0,
                        "--rtl takes a shared object, whose name ends in .so; a description of RTL goes to "
                        "the key 'rtl' of its block");
    const std::vector<std::string> held = rtl::blocks_in_library(file, blocks);
    if (held.empty()) throw input_error(file, 0, "holds no RTL of a block; blocks are " + names);
    for (const std::string& block : held) {
      const auto [other, fresh] = file_of.emplace(block, file);
      if (!fresh)
        throw input_error(file, 0, fmt::format("{} holds RTL of the same block, {}", other->second, block));
      settings.push_back(fmt::format("{}.model=lockstep", groups.at(block)));
      settings.push_back(
          fmt::format("{}.rtl={}", groups.at(block), std::filesystem::absolute(file).lexically_normal().string()));
    }
  }
  return settings;
}

}  // namespace gt200::apps
