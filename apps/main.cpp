// gt200: everything a user does with the model, as subcommands.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string>
#include <systemc>

#include "apps/commands/commands.h"
#include "apps/study/study.h"
#include "apps/support/crash_report.h"
#include "apps/support/internal_error.h"
#include "apps/support/interrupt.h"
#include "apps/support/large_pages.h"
#include "apps/support/message.h"
#include "apps/support/plugin_option.h"
#include "apps/support/resources.h"
#include "gt200/version.h"
#include "toolchain/cuda/clang.h"
#include "toolchain/error.h"

namespace {

using gt200::apps::exit_code;

// Prints one line, whatever the message contains.
int fail(exit_code code, std::string message) {
  while (!message.empty() && message.back() == '\n') message.pop_back();
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  std::replace_if(message.begin(), message.end(), is_control, ' ');
  std::cout.flush();
  gt200::apps::say(fmt::format("gt200: {}\n", message));
  return static_cast<int>(code);
}

// A reader that has enough is no fault to speak of.
int fail_of_output(const std::string& message) {
  if (gt200::apps::nobody_reads_output()) return static_cast<int>(exit_code::bad_input);
  return fail(exit_code::bad_input, message);
}

// The innermost subcommand on the command line, for error messages.
const CLI::App& innermost(const CLI::App& app) {
  const auto below = app.get_subcommands();
  return below.empty() ? app : innermost(*below.front());
}

std::string path_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : path_of(*app.get_parent()) + " " + app.get_name();
}

int usage_error(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& app = innermost(program);
  std::string reason = error.what();
  const auto commands = app.get_subcommands([](const CLI::App*) { return true; });
  const auto unknown = app.remaining();
  if (!commands.empty() && !unknown.empty())
    reason = fmt::format("unknown command or option '{}'", unknown.front());
  return fail(exit_code::usage, fmt::format("{} (see {} --help)", reason, path_of(app)));
}

// An empty text is no file and no folder: a variable of a script that is not set must not mean "none".
void refuse_empty_paths(CLI::App& app) {
  for (CLI::Option* option : app.get_options())
    for (const char* path : {"DIR", "FILE", "FILES", "FOLDER", "MODULE FILE"})
      if (option->get_type_name() == path)
        option->check(
            CLI::Validator([](const std::string& text) { return text.empty() ? "names no path" : ""; }, ""));
  for (CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; })) refuse_empty_paths(*below);
}

int with_written_output(int code) {
  return std::cout.flush() ? code : fail_of_output("standard output: cannot be written");
}

// `shown`: the command line for records, when it is not `words`.
int run(const std::vector<std::string>& words, const std::vector<std::string>& shown) {
  CLI::App program("A cycle-level model of NVIDIA's GT200 that executes its machine code", "gt200");
  program.require_subcommand(1);
  program.set_version_flag("--version", "gt200 " GT200_VERSION);
  program.footer(gt200::apps::exit_code_help);
  gt200::apps::action chosen;
  gt200::apps::add_run(program, chosen, shown);
  gt200::apps::add_sweep(program, chosen);
  gt200::apps::add_campaign(program, chosen, words);
  gt200::apps::add_emulate(program, chosen);
  gt200::apps::add_asm(program, chosen);
  gt200::apps::add_compile(program, chosen);
  gt200::apps::add_regmutex(program, chosen);
  gt200::apps::add_disasm(program, chosen);
  gt200::apps::add_lint(program, chosen);
  gt200::apps::add_info(program, chosen);
  gt200::apps::add_corpus(program, chosen);
  gt200::apps::add_report(program, chosen);
  gt200::apps::add_trace(program, chosen);
  gt200::apps::add_launch(program, chosen);
  gt200::apps::add_isa(program, chosen);
  gt200::apps::add_config(program, chosen);
  gt200::apps::add_kernels(program, chosen);
  gt200::apps::add_rtl(program, chosen);
  gt200::apps::add_nvcc(program, chosen);
  gt200::apps::add_exec(program, chosen);
  gt200::apps::add_worker(program, chosen);
  gt200::apps::add_session(program, chosen);
  gt200::apps::add_reference(program, chosen);
  refuse_empty_paths(program);
  exit_code code = exit_code::ok;
  try {
    gt200::apps::load_plugins_of_environment();
    // CLI11 takes the words without the program's name, last one first.
    program.parse(std::vector<std::string>(words.rbegin(), words.rend() - 1));
    code = chosen();
  } catch (const CLI::Success& help) {
    return with_written_output(program.exit(help));
  } catch (const CLI::ParseError& error) {
    return usage_error(program, error);
  }
  return with_written_output(static_cast<int>(code));
}

}  // namespace

// libsystemc refers to it; this program has its own main.
int sc_main(int, char**) { return 0; }

namespace {

int run_or_fail(const std::vector<std::string>& words, const std::vector<std::string>& shown) {
  try {
    return run(words, shown);
  } catch (const gt200::cuda::clang_refusal& error) {
    const int code = fail(exit_code::bad_input, error.what());
    for (const std::string& line : error.further()) fail(exit_code::bad_input, line);
    return code;
  } catch (const gt200::input_error& error) {
    return fail(exit_code::bad_input, error.what());
  } catch (const std::exception& error) {
    if (const std::string missing = gt200::apps::text_of_missing_memory(error); !missing.empty())
      return fail(exit_code::no_memory, missing);
    if (const std::string output = gt200::apps::text_of_failed_output(error); !output.empty())
      return fail_of_output(output);
    return fail(exit_code::internal, gt200::apps::text_of_internal_error(error));
  } catch (...) {
    return fail(exit_code::internal, gt200::apps::text_of_unknown_exception());
  }
}

}  // namespace

int main(int argc, char** argv) {
  gt200::apps::prepare_for_limits();
  if (const std::string reason = gt200::apps::text_of_too_few_files(); !reason.empty())
    return fail(exit_code::no_memory, reason);
  gt200::apps::clear_away_at_signals();
  gt200::apps::use_large_pages_for_heap();
  gt200::apps::report_crashes_of_foreign_code();
  gt200::apps::study::set_command_line(run_or_fail);
  const std::vector<std::string> words(argv, argv + argc);
  return run_or_fail(words, words);
}
