// Traces of a chip, and the files made from the log: waveforms, pipeline view, timeline.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "observe/observers/cycle_window.h"
#include "observe/trace/recorder.h"
#include "toolchain/left_behind.h"

namespace gt200::observe {

// The files made from a log; empty: not wanted.
struct trace_outputs {
  std::string waves;  // .vcd, or .fst where this build can write it
  std::string pipeline_view;
  std::string timeline;
  std::vector<std::string> scope;   // of waves and pipeline view; empty = everything
  std::vector<std::string> values;  // of waves: what registers, memories and transactions hold; empty = none
  std::string texts = "string";     // of a VCD: string or ascii

  bool any() const { return !waves.empty() || !pipeline_view.empty() || !timeline.empty(); }
};

// Why this cannot be a file of waves; empty if it can.
std::string refusal_of_waves(const std::string& path);
// Writes the files from what the log holds of the window. Returns what the log lacks (log_reader::loss). Throws
// input_error, also if the log holds nothing of the window, after it has written what can be written.
std::string write_trace_outputs(const std::string& log, const trace_outputs& outputs,
                                const cycle_window& window = {});

struct trace_options {
  std::string log;        // to be kept; empty: the log is an intermediate step to the outputs
  bool operands = false;  // in the log: operands and results of every instruction
  trace_outputs outputs;
  cycle_window window;  // with a trigger: in which it may fire
  std::optional<trace_trigger> trigger;

  bool any() const { return !log.empty() || outputs.any(); }
};
// Why these options do not go together; empty if they do.
std::string refusal_of(const trace_options& options);
// Throws input_error for a trigger that waits for a mismatch where nothing is compared. `checked`: the reference
// runs beside the chip.
void require_comparison(const trace_options& options, const model::chip& chip, bool checked);

// Traces one chip.
class traced_chip {
 public:
  // Records nothing unless the options ask for it. Like a recorder. Throws input_error.
  traced_chip(device& target, trace_options options);
  traced_chip(model::chip& chip, trace_options options, std::function<void()> stop);
  ~traced_chip();
  traced_chip(const traced_chip&) = delete;
  traced_chip& operator=(const traced_chip&) = delete;

  recorder* attached() { return recorder_ ? &*recorder_ : nullptr; }
  // Writes the files after the run. Returns a line for the user on what was recorded; empty without tracing.
  std::string finish();

 private:
  explicit traced_chip(trace_options options);
  void remove_intermediate_log();

  trace_options options_;
  std::string log_;
  std::optional<unfinished_path> unfinished_;  // an intermediate log
  std::optional<recorder> recorder_;
};

}  // namespace gt200::observe
