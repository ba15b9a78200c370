// Options that choose what a run traces, and the files made from the log: waveforms, pipeline view, timeline.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/support/command_files.h"
#include "apps/support/cycle_window.h"
#include "observe/trace/recorder.h"

namespace CLI {
class App;
}

namespace gt200::apps {

// The files made from a log; empty: not wanted.
struct trace_outputs {
  std::string waves;
  std::string pipeline_view;
  std::string timeline;
  std::vector<std::string> scope;   // of waves and pipeline view; empty = everything
  std::vector<std::string> values;  // of waves: what registers, memories and transactions hold; empty = none
  std::string texts = "string";     // of a VCD: string or ascii

  bool any() const { return !waves.empty() || !pipeline_view.empty() || !timeline.empty(); }
};
void add_trace_outputs(CLI::App& command, trace_outputs& outputs);
void add_files(const trace_outputs& outputs, command_files& files);
// Writes the files from what the log holds of the window. Throws input_error, also if that is nothing.
void write_trace_outputs(const std::string& log, const trace_outputs& outputs, const cycle_window& window = {});

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

// Traces one run.
class traced_run {
 public:
  // Records nothing unless the options ask for it. Throws input_error.
  traced_run(device& target, const trace_options& options, const std::string& out);
  ~traced_run();
  traced_run(const traced_run&) = delete;
  traced_run& operator=(const traced_run&) = delete;

  observe::recorder* recorder() { return recorder_ ? &*recorder_ : nullptr; }
  // Writes the files after the run. Returns a line for the user on what was recorded; empty without tracing.
  std::string finish();

 private:
  const trace_options& options_;
  std::string log_;
  std::optional<observe::recorder> recorder_;
};

}  // namespace gt200::apps
