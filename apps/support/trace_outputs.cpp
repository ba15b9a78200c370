#include "apps/support/trace_outputs.h"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "apps/support/cycle_limit.h"
#include "apps/support/cycle_window.h"

namespace gt200::apps {
namespace {

// A timeline shows the whole chip.
bool has_scope(const trace_outputs& outputs) { return !outputs.waves.empty() || !outputs.pipeline_view.empty(); }

}  // namespace

void add_trace_outputs(CLI::App& command, trace_outputs& outputs) {
  command.add_option("--waves", outputs.waves, "waveforms: FILE.vcd, or FILE.fst where this build can write it")
      ->type_name("FILE")
      ->check([](const std::string& path) { return observe::refusal_of_waves(path); });
  command.add_option("--pipeline-view", outputs.pipeline_view, "pipeline view for Konata (Kanata log)")
      ->type_name("FILE");
  command.add_option("--timeline", outputs.timeline, "timeline for Perfetto and Chrome (JSON trace events)")
      ->type_name("FILE");
  command
      .add_option("--wave-scope", outputs.scope,
                  "signals of waves and log, SMs of the pipeline view: pattern of paths; repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  command
      .add_option("--wave-values", outputs.values,
                  "what registers, memories and transactions hold, in waves and log: pattern of paths; repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  command
      .add_option(
          "--wave-texts", outputs.texts,
          "texts of a .vcd: as 'string' variables of GTKWave, or in registers of 32 ASCII characters, for viewers "
          "that know the standard alone")
      ->check(CLI::IsMember({"string", "ascii"}))
      ->capture_default_str();
}

void check_texts(const CLI::App& command, const trace_outputs& outputs) {
  const std::string& waves = outputs.waves;
  const bool vcd = waves.size() > 4 && waves.compare(waves.size() - 4, 4, ".vcd") == 0;
  if (command.count("--wave-texts") != 0 && !vcd)
    throw CLI::ValidationError("--wave-texts", "goes with --waves FILE.vcd");
}

void check_conversion(const CLI::App& command, const trace_outputs& outputs) {
  check_texts(command, outputs);
  if (!outputs.scope.empty() && !has_scope(outputs))
    throw CLI::ValidationError("--wave-scope", "goes with --waves or --pipeline-view");
  if (!outputs.values.empty() && outputs.waves.empty())
    throw CLI::ValidationError("--wave-values", "goes with --waves");
}

void add_files(const trace_outputs& outputs, command_files& files) {
  files.writes("--waves", outputs.waves);
  files.writes("--pipeline-view", outputs.pipeline_view);
  files.writes("--timeline", outputs.timeline);
}

void add_trace_options(CLI::App& command, trace_options& options) {
  command.add_flag("--trace", options.keep_log,
                   fmt::format("keep the log of what happened in {} of --out, for 'gt200 trace'", trace_file));
  command.add_flag("--trace-values", options.operands,
                   "with --trace: also the operands and results of every instruction, for 'gt200 trace find'");
  add_trace_outputs(command, options.outputs);
  add_window_option(command, "--wave-window", options.window,
                    "core cycles to record: from A up to, not including, B; either may be missing");
  command
      .add_option("--wave-trigger", options.trigger,
                  "record only around the first fault, mismatch (--check, lockstep), pc=ADDRESS, launch, launch=N "
                  "or SIGNAL>=N")
      ->type_name("CAUSE");
  command.add_option("--wave-before", options.before, "core cycles recorded before the trigger")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{0}, max_option_cycles));
  command
      .add_option("--wave-after", options.after, "core cycles recorded after it; without, to the end of the run")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{0}, max_option_cycles));
}

void check(const trace_options& options, const std::string& out) {
  const bool traces = options.keep_log || options.outputs.any();
  const auto refuse = [](const char* option, const char* why) { throw CLI::ValidationError(option, why); };
  if (options.keep_log && out.empty()) refuse("--trace", "needs --out, where the log goes");
  if (options.operands && !options.keep_log) refuse("--trace-values", "goes with --trace");
  if (!options.keep_log && options.outputs.waves.empty() && !options.outputs.values.empty())
    refuse("--wave-values", "goes with --trace or --waves");
  if (!options.keep_log && !has_scope(options.outputs) && !options.outputs.scope.empty())
    refuse("--wave-scope", "goes with --trace, --waves or --pipeline-view");
  if (!traces && !options.window.empty()) refuse("--wave-window", "goes with --trace, --waves or a view");
  if (!traces && !options.trigger.empty()) refuse("--wave-trigger", "goes with --trace, --waves or a view");
  if (options.trigger.empty() && options.before != 0) refuse("--wave-before", "goes with --wave-trigger");
  if (options.trigger.empty() && options.after) refuse("--wave-after", "goes with --wave-trigger");
}

observe::trace_options meaning_of(const trace_options& options, const std::string& out) {
  observe::trace_options result;
  if (options.keep_log) result.log = out + "/" + trace_file;
  result.operands = options.operands;
  result.outputs = options.outputs;
  if (const auto window = observe::window_of(options.window)) result.window = *window;
  if (!options.trigger.empty()) {
    result.trigger = observe::trigger_of(options.trigger);
    result.trigger->before = options.before;
    result.trigger->after = options.after.value_or(tlm_bus::no_cycle);
  }
  return result;
}

}  // namespace gt200::apps
