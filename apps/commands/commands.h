// The subcommands of `gt200`, one file each. An add_* function declares options and help text. After a successful
// parse, `chosen` holds the work to do.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "apps/exit_code.h"

namespace CLI {
class App;
}

namespace gt200::apps {

// Throws input_error for anything wrong with what the user named, and CLI::ValidationError for options that turn
// out not to go together only when these files are read.
using action = std::function<exit_code()>;

// `command_line` is stored with the results.
void add_run(CLI::App& program, action& chosen, const std::vector<std::string>& command_line);
void add_sweep(CLI::App& program, action& chosen);
// Points of a campaign repeat its command line.
void add_campaign(CLI::App& program, action& chosen, const std::vector<std::string>& command_line);
void add_emulate(CLI::App& program, action& chosen);
void add_asm(CLI::App& program, action& chosen);
void add_compile(CLI::App& program, action& chosen);
void add_regmutex(CLI::App& program, action& chosen);
void add_disasm(CLI::App& program, action& chosen);
void add_lint(CLI::App& program, action& chosen);
void add_info(CLI::App& program, action& chosen);
void add_launch(CLI::App& program, action& chosen);
void add_corpus(CLI::App& program, action& chosen);
void add_isa(CLI::App& program, action& chosen);
void add_report(CLI::App& program, action& chosen);
void add_trace(CLI::App& program, action& chosen);
void add_config(CLI::App& program, action& chosen);
void add_kernels(CLI::App& program, action& chosen);
void add_rtl(CLI::App& program, action& chosen);
void add_nvcc(CLI::App& program, action& chosen);
void add_exec(CLI::App& program, action& chosen);
void add_worker(CLI::App& program, action& chosen);
void add_session(CLI::App& program, action& chosen);
// Describes what is declared when it is chosen, itself included.
void add_reference(CLI::App& program, action& chosen);

}  // namespace gt200::apps
