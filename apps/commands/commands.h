// The subcommands of `gt200`, one file each. An add_* function declares options and help text; after a successful
// parse `chosen` is the work to do.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "apps/exit_code.h"

namespace gt200::apps {

// Throws input_error for anything wrong with what the user named, and CLI::ValidationError for options that only
// these files show not to go together.
using action = std::function<exit_code()>;

// `command_line` is stored with the results.
void add_run(CLI::App& program, action& chosen, const std::vector<std::string>& command_line);
void add_sweep(CLI::App& program, action& chosen);
void add_emulate(CLI::App& program, action& chosen);
void add_asm(CLI::App& program, action& chosen);
void add_compile(CLI::App& program, action& chosen);
void add_disasm(CLI::App& program, action& chosen);
void add_info(CLI::App& program, action& chosen);
void add_launch(CLI::App& program, action& chosen);
void add_corpus(CLI::App& program, action& chosen);
void add_isa(CLI::App& program, action& chosen);
void add_report(CLI::App& program, action& chosen);
void add_trace(CLI::App& program, action& chosen);
void add_config(CLI::App& program, action& chosen);

}  // namespace gt200::apps
