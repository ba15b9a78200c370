#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "apps/commands/commands.h"
#include "apps/support/config_files.h"
#include "apps/support/json_text.h"
#include "apps/support/plugin_option.h"
#include "sc_models/config/explain.h"
#include "sc_models/config/load.h"
#include "sc_models/config/peaks.h"
#include "sc_models/config/print.h"
#include "sc_models/config/schema.h"
#include "sc_models/config/text.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

using json = nlohmann::ordered_json;

struct config_options {
  std::vector<std::string> files;
  std::vector<std::string> overrides;
  std::vector<std::string> plugins;
  std::string key;
  bool comments = false;
  bool json = false;
};

config::resolved_config load(const std::string& file, const std::vector<std::string>& overrides) {
  return config::load(find_config(file), overrides);
}

exit_code show(const config_options& options) {
  load_plugins(options.plugins);
  const auto loaded = load(options.files.front(), options.overrides);
  std::cout << config::to_toml(loaded.values, options.comments ? config::comments::all : config::comments::none);
  return exit_code::ok;
}

// The value of a key, and what a program needs to choose another one.
void add_value(const config::leaf_ref& leaf, json& entry) {
  if (bool* const* flag = std::get_if<bool*>(&leaf)) {
    entry["value"] = **flag;
  } else if (const auto* number = std::get_if<config::number_ref>(&leaf)) {
    std::visit([&](const auto* value) { entry["value"] = *value; }, number->value);
    entry["low"] = number->allowed.low;
    entry["high"] = number->allowed.high;
    if (number->allowed.step != 1) entry["step"] = number->allowed.step;
    if (number->allowed.power_of_two) entry["power_of_two"] = true;
  } else if (const auto* real = std::get_if<config::real_ref>(&leaf)) {
    entry["value"] = *real->value;
    entry["low"] = real->allowed.low;
    entry["high"] = real->allowed.high;
  } else if (const auto* choice = std::get_if<config::choice_ref>(&leaf)) {
    entry["value"] = choice->names[*choice->value];
    for (std::size_t i = 0; i < choice->count; ++i)
      entry["choices"][choice->names[i]] = choice->texts == nullptr ? "" : choice->texts[i];
  } else {
    entry["value"] = *std::get<config::file_ref>(leaf).value;
  }
}

std::string explanation_json(const config::resolved_config& loaded) {
  config::gpu_config values = loaded.values;  // a copy: descriptions need members that can be written
  const config::schema known(values);
  json keys = json::object();
  for (const config::key_info& key : known.keys) {
    json& entry = keys[key.path];
    add_value(key.value, entry);
    entry["unit"] = config::unit_text(key.about.in);
    entry["text"] = key.about.text;
    entry["allowed"] = config::allowed_text(key.value);
    const config::location& at = loaded.set_at.at(key.path);
    entry["source"] = config::source_of(key, at);
    entry["set_at"] = at.file + (at.line == 0 ? "" : fmt::format(":{}", at.line));
  }
  json groups = json::object();
  for (const config::group_info& group : known.groups) groups[group.path] = group.text;
  const json peaks = {{"dram_bytes_per_second", config::peak_dram_bytes_per_second(values)},
                      {"single_flops_per_second", config::peak_single_flops(values)},
                      {"double_flops_per_second", config::peak_double_flops(values)}};
  const std::string hash = fmt::format("{:016x}", config::hash_of(values));
  return json_text({{"hash", hash}, {"peaks", peaks}, {"groups", groups}, {"keys", keys}}, 1);
}

exit_code explain(const config_options& options) {
  load_plugins(options.plugins);
  const config::resolved_config loaded = load(options.files.front(), options.overrides);
  if (!options.json) {
    std::cout << config::explain(loaded, options.key);
    return exit_code::ok;
  }
  if (!options.key.empty()) throw input_error("--json", 0, "prints all keys; leave out '" + options.key + "'");
  std::cout << explanation_json(loaded) << "\n";
  return exit_code::ok;
}

exit_code check(const config_options& options) {
  load_plugins(options.plugins);
  for (const std::string& file : options.files) {
    const auto loaded = load(file, options.overrides);
    std::cout << fmt::format("{}: ok, {} keys, hash {:016x}\n", file, loaded.set_at.size(),
                             config::hash_of(loaded.values));
  }
  return exit_code::ok;
}

exit_code diff(const config_options& options) {
  load_plugins(options.plugins);
  auto left = load(options.files.front(), {});
  auto right = load(options.files.back(), options.overrides);
  const config::schema left_keys(left.values);
  const config::schema right_keys(right.values);
  for (std::size_t i = 0; i < left_keys.keys.size(); ++i) {
    const std::string before = config::value_text(left_keys.keys[i].value);
    const std::string after = config::value_text(right_keys.keys[i].value);
    if (before == after) continue;
    const std::string unit = config::unit_text(left_keys.keys[i].about.in);
    std::cout << fmt::format("{:<48} {} -> {}{}\n", left_keys.keys[i].path, before, after,
                             unit.empty() ? "" : " " + unit);
  }
  return exit_code::ok;
}

std::string in_small_letters(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

// Keys and groups whose path or text has the word.
exit_code search(const config_options& options) {
  load_plugins(options.plugins);
  auto loaded = load(options.files.front(), options.overrides);
  const config::schema known(loaded.values);
  const std::string word = in_small_letters(options.key);
  std::size_t found = 0;
  const auto fits = [&](const std::string& path, const std::string& text) {
    const bool fit = in_small_letters(path + " " + text).find(word) != std::string::npos;
    found += fit ? 1 : 0;
    return fit;
  };
  for (const config::group_info& group : known.groups)
    if (fits(group.path, group.text)) std::cout << fmt::format("{:<48} group: {}\n", group.path, group.text);
  for (const config::key_info& key : known.keys) {
    if (!fits(key.path, key.about.text)) continue;
    const std::string unit = config::unit_text(key.about.in);
    std::cout << fmt::format("{:<48} {}{}: {}\n", key.path, config::value_text(key.value),
                             unit.empty() ? "" : " " + unit, key.about.text);
  }
  if (found == 0) throw input_error(options.key, 0, "no key or group has it in its name or meaning");
  return exit_code::ok;
}

void add_overrides(CLI::App& command, config_options& options) {
  command.add_option("--set", options.overrides, "key=value that overrides the file; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_plugin_option(command, options.plugins);
}

std::shared_ptr<config_options> with_one_file() {
  auto options = std::make_shared<config_options>();
  options->files = {default_config};
  return options;
}

void add_show(CLI::App& group, action& chosen) {
  auto* command = group.add_subcommand("show", "print a configuration, complete and resolved, as TOML");
  const auto options = with_one_file();
  command->add_option("config", options->files.front(), "file or preset")->capture_default_str();
  add_overrides(*command, *options);
  command->add_flag("--comments", options->comments, "add the meaning, range and source of each key");
  command->callback([&chosen, options] { chosen = [options] { return show(*options); }; });
}

void add_explain(CLI::App& group, action& chosen) {
  auto* command =
      group.add_subcommand("explain", "meaning, range, source and origin of a key or of a group of keys");
  const auto options = with_one_file();
  command->add_option("key", options->key, "tpc.sm.scheduler.policy, tpc.sm, ...; default: all keys");
  command->add_option("--config", options->files.front(), "file or preset")->capture_default_str();
  add_overrides(*command, *options);
  command->add_flag("--json", options->json, "print all keys as JSON, with ranges as numbers");
  command->callback([&chosen, options] { chosen = [options] { return explain(*options); }; });
}

void add_search(CLI::App& group, action& chosen) {
  auto* command = group.add_subcommand("search", "keys and groups with a word in their name or meaning");
  const auto options = with_one_file();
  command->add_option("word", options->key, "such as mshrs, or latency")->required();
  command->add_option("--config", options->files.front(), "file or preset")->capture_default_str();
  add_overrides(*command, *options);
  command->callback([&chosen, options] { chosen = [options] { return search(*options); }; });
}

void add_check(CLI::App& group, action& chosen) {
  auto* command = group.add_subcommand("check", "check configurations and print their hashes");
  const auto options = std::make_shared<config_options>();
  command->add_option("config", options->files, "files or presets")->required();
  add_overrides(*command, *options);
  command->callback([&chosen, options] { chosen = [options] { return check(*options); }; });
}

void add_diff(CLI::App& group, action& chosen) {
  auto* command = group.add_subcommand("diff", "keys in which two configurations differ");
  const auto options = std::make_shared<config_options>();
  options->files = {default_config, default_config};
  command->add_option("from", options->files.front(), "file or preset")->required();
  command->add_option("to", options->files.back(), "file or preset")->required();
  command->add_option("--set", options->overrides, "key=value that overrides the second one; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_plugin_option(*command, options->plugins);
  command->callback([&chosen, options] { chosen = [options] { return diff(*options); }; });
}

}  // namespace

void add_config(CLI::App& program, action& chosen) {
  auto* group = program.add_subcommand("config", "show, explain, search, check and compare configurations");
  group->require_subcommand(1);
  add_show(*group, chosen);
  add_explain(*group, chosen);
  add_search(*group, chosen);
  add_check(*group, chosen);
  add_diff(*group, chosen);
}

}  // namespace gt200::apps
