// Options that choose what a run traces, and the files made from the log (observe/observers/trace_files.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/support/command_files.h"
#include "observe/observers/trace_files.h"

namespace CLI {
class App;
}

namespace gt200::apps {

using observe::trace_outputs;
void add_trace_outputs(CLI::App& command, trace_outputs& outputs);
// Throws CLI::ValidationError for --wave-texts without a file that it concerns.
void check_texts(const CLI::App& command, const trace_outputs& outputs);
// The same for all options that choose from a log for a file that is not made.
void check_conversion(const CLI::App& command, const trace_outputs& outputs);
void add_files(const trace_outputs& outputs, command_files& files);

// As words of a command line; observe::trace_options is what they mean.
struct trace_options {
  bool keep_log = false;  // --trace
  bool operands = false;  // --trace-values
  trace_outputs outputs;
  std::string window;
  std::string trigger;
  std::uint64_t before = 0;
  std::optional<std::uint64_t> after;
};
void add_trace_options(CLI::App& command, trace_options& options);
// Throws CLI::ValidationError for options that do not go together. `out`: the folder of --out, may be empty.
void check(const trace_options& options, const std::string& out);

inline constexpr const char* trace_file = "trace.log";  // in --out

// The options of the recorder that they mean, after check().
observe::trace_options meaning_of(const trace_options& options, const std::string& out);

}  // namespace gt200::apps
