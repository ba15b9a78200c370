// Manual page and completion, made from the declarations of the commands: they cannot differ from the program.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <array>
#include <functional>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "apps/commands/commands.h"
#include "gt200/version.h"

namespace gt200::apps {
namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* below) { return !below->get_group().empty(); });
}
std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
}
std::vector<std::string> spellings(const CLI::Option& option) {
  std::vector<std::string> all;
  for (const std::string& name : option.get_snames()) all.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) all.push_back("--" + name);
  return all;
}

// `action(path, app)` for the program and every command below it.
void for_each_command(const CLI::App& app, const std::string& path,
                      const std::function<void(const std::string&, const CLI::App&)>& action) {
  action(path, app);
  for (const CLI::App* below : commands_of(app)) for_each_command(*below, path + " " + below->get_name(), action);
}

// Text for troff, which reads backslashes, and dots and quotes at the beginning of a line, as its own.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool begins_line = result.empty() || result.back() == '\n';
    if (begins_line && (c == '.' || c == '\'')) result += "\\&";
    if (c == '-') result += '\\';
    result += c == '\\' ? "\\e" : std::string(1, c);
  }
  return result;
}

std::string manual_of(const std::string& path, const CLI::App& app) {
  std::string text = fmt::format(".SS {}\n{}\n", escaped(path), escaped(app.get_description()));
  for (const CLI::Option* option : options_of(app)) {
    std::string head;
    for (const std::string& name : spellings(*option))
      head += fmt::format("{}\\fB{}\\fR", head.empty() ? "" : ", ", escaped(name));
    if (option->get_positional() && head.empty()) head = fmt::format("\\fI{}\\fR", escaped(option->get_name(true)));
    const std::string type = option->get_items_expected_max() == 0 ? "" : option->get_type_name();
    if (!type.empty()) head += fmt::format(" \\fI{}\\fR", escaped(type));
    text += fmt::format(".TP\n{}\n{}\n", head, escaped(option->get_description()));
  }
  return text;
}

constexpr std::array<std::pair<const char*, const char*>, 7> environment = {{
    {"GT200_CONFIG_DIR", "folder of the presets; default: configs beside the program or in ../share/gt200"},
    {"GT200_RTL_DIR", "folder with the reference RTL; default: rtl in ../share/gt200"},
    {"GT200_RTL_CACHE", "folder of verilated RTL; default: $XDG_CACHE_HOME/gt200, else ~/.cache/gt200"},
    {"GT200_RESULT_CACHE", "folder of finished points of studies; default: as for GT200_RTL_CACHE"},
    {"GT200_PLUGINS", "plug-ins that every command loads, divided by colons"},
    {"GT200_CLANG", "the clang that compiles CUDA C; default: the newest on PATH"},
    {"GT200_CONFIG, GT200_SET, GT200_ENGINE, GT200_OUT, GT200_CHECK, GT200_WARP_SYNCHRONOUS, GT200_THREADS, "
     "GT200_DEVICES, GT200_HOST_CLOCK, GT200_PROGRAM",
     "options of gt200 exec for the programs that it runs"},
}};

std::string manual(const CLI::App& program) {
  std::string text = fmt::format(".TH GT200 1 \"\" \"gt200 {0}\" \"User Commands\"\n.SH NAME\ngt200 \\- {1}\n",
                                 GT200_VERSION, escaped(program.get_description()));
  text += ".SH SYNOPSIS\n.B gt200\n.I COMMAND\n.RI [ OPTIONS ]\n.SH COMMANDS\n";
  for (const CLI::App* command : commands_of(program))
    for_each_command(*command, "gt200 " + command->get_name(),
                     [&](const std::string& path, const CLI::App& app) { text += manual_of(path, app); });
  text += fmt::format(".SH EXIT STATUS\n{}\n.SH ENVIRONMENT\n", escaped(exit_code_help));
  for (const auto& [name, meaning] : environment)
    text += fmt::format(".TP\n.B {}\n{}\n", escaped(name), escaped(meaning));
  return text + ".SH FILES\n.TP\n.I ../share/gt200/configs\nthe presets of --config\n";
}

// The function of the shell follows the words up to the one that is completed. A name of a file completes where no
// word does.
std::string completion(const CLI::App& program) {
  std::string known;
  std::string words;
  for_each_command(program, "gt200", [&](const std::string& path, const CLI::App& app) {
    std::string list;
    for (const CLI::App* below : commands_of(app)) list += below->get_name() + " ";
    for (const CLI::Option* option : options_of(app))
      for (const std::string& name : spellings(*option)) list += name + " ";
    if (&app != &program) known += fmt::format("{}\"{}\"", known.empty() ? "" : " | ", path);
    words += fmt::format("    \"{}\") words=\"{}\" ;;\n", path, list);
  });
  return fmt::format(
      "# Completion of gt200 {} for bash, made by `gt200 completion`.\n"
      "_gt200() {{\n"
      "  local command=gt200 words= i\n"
      "  for ((i = 1; i < COMP_CWORD; ++i)); do\n"
      "    case \"$command ${{COMP_WORDS[i]}}\" in\n"
      "      {}) command=\"$command ${{COMP_WORDS[i]}}\" ;;\n"
      "    esac\n"
      "  done\n"
      "  case $command in\n"
      "{}"
      "  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"${{COMP_WORDS[COMP_CWORD]}}\"))\n"
      "}}\n"
      "complete -o default -F _gt200 gt200\n",
      GT200_VERSION, known, words);
}

void add(CLI::App& program, action& chosen, const char* name, const char* text,
         std::string (*make)(const CLI::App&)) {
  program.add_subcommand(name, text)->callback([&program, &chosen, make] {
    chosen = [&program, make] {
      std::cout << make(program);
      return exit_code::ok;
    };
  });
}

}  // namespace

void add_reference(CLI::App& program, action& chosen) {
  add(program, chosen, "manual", "print the manual page, for man -l", manual);
  add(program, chosen, "completion", "print a script with which bash completes commands and options", completion);
}

}  // namespace gt200::apps
