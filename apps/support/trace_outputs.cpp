#include "apps/support/trace_outputs.h"

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <vector>

#include "apps/support/cycle_limit.h"
#include "apps/support/output_file.h"
#include "observe/trace/kanata.h"
#include "observe/trace/log_reader.h"
#include "observe/trace/timeline.h"
#include "observe/trace/waves.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool is_fst(const std::string& path) { return ends_with(path, ".fst"); }

observe::vcd_texts texts_of(const trace_outputs& outputs) {
  return outputs.texts == "ascii" ? observe::vcd_texts::ascii : observe::vcd_texts::string;
}

std::vector<std::string> scope_of(const trace_outputs& outputs) {
  return outputs.scope.empty() ? std::vector<std::string>{"*"} : outputs.scope;
}

// Of the signals in a log, which have been chosen before.
std::vector<std::string> shown_in_waves(const trace_outputs& outputs) {
  std::vector<std::string> patterns = scope_of(outputs);
  patterns.insert(patterns.end(), outputs.values.begin(), outputs.values.end());
  return patterns;
}

// Made from the log; empty without any.
std::string first_file(const trace_outputs& outputs) {
  for (const std::string* file : {&outputs.waves, &outputs.pipeline_view, &outputs.timeline})
    if (!file->empty()) return *file;
  return "";
}

observe::trace_settings settings_of(const trace_options& options, const std::string& log) {
  observe::trace_settings settings;
  settings.path = log;
  if (!options.keep_log) settings.named = first_file(options.outputs);
  const trace_outputs& outputs = options.outputs;
  if (options.keep_log || !outputs.waves.empty()) settings.signals = scope_of(outputs);
  settings.values = outputs.values;
  settings.operands = options.operands;
  if (!outputs.pipeline_view.empty())
    for (const std::string& s : observe::signals_of_pipeline_view()) settings.required.push_back(s);
  if (!outputs.timeline.empty())
    for (const std::string& s : observe::signals_of_timeline()) settings.required.push_back(s);
  // The views need events from everywhere, whatever part of them is shown.
  if (!outputs.pipeline_view.empty() || !outputs.timeline.empty())
    settings.events = {"*"};
  else
    settings.events = options.keep_log ? scope_of(outputs) : std::vector<std::string>{};
  if (const auto window = window_of(options.window)) {
    settings.begin = window->begin;
    settings.end = window->end;
  }
  if (!options.trigger.empty()) {
    settings.trigger = observe::trigger_of(options.trigger);
    settings.trigger->before = options.before;
    settings.trigger->after = options.after.value_or(tlm_bus::no_cycle);
  }
  return settings;
}

// Where the log goes: into the folder of the results, or beside a file that is made from it.
std::string log_path(const trace_options& options, const std::string& out) {
  if (options.keep_log) return out + "/" + trace_file;
  const std::string file = first_file(options.outputs);
  return file.empty() ? "" : fmt::format("{}.{}.log.tmp", file, getpid());
}

}  // namespace

void add_trace_outputs(CLI::App& command, trace_outputs& outputs) {
  command.add_option("--waves", outputs.waves, "waveforms: FILE.vcd, or FILE.fst where this build can write it")
      ->type_name("FILE")
      ->check([](const std::string& path) {
        if (!ends_with(path, ".vcd") && !is_fst(path)) return "'" + path + "' ends in neither .vcd nor .fst";
        return std::string();
      });
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

void add_files(const trace_outputs& outputs, command_files& files) {
  files.writes("--waves", outputs.waves);
  files.writes("--pipeline-view", outputs.pipeline_view);
  files.writes("--timeline", outputs.timeline);
}

void write_trace_outputs(const std::string& log, const trace_outputs& outputs, const cycle_window& window) {
  const auto opened = [&] {
    observe::log_reader reader(log);
    if (window.begin != 0 || window.end != tlm_bus::no_cycle) reader.only(window.begin, window.end);
    return reader;
  };
  if (!outputs.waves.empty()) {
    observe::log_reader reader = opened();
    new_file file(outputs.waves);
    const auto writer = is_fst(outputs.waves)
                            ? observe::make_fst_writer(file.path(), outputs.waves)
                            : observe::make_vcd_writer(file.path(), outputs.waves, texts_of(outputs));
    observe::write_waves(reader, *writer, shown_in_waves(outputs));
    file.commit();
  }
  if (!outputs.pipeline_view.empty()) {
    observe::log_reader reader = opened();
    growing_file file(outputs.pipeline_view);
    observe::write_pipeline_view(reader, file.stream(), scope_of(outputs));
    file.close();
  }
  if (!outputs.timeline.empty()) {
    observe::log_reader reader = opened();
    growing_file file(outputs.timeline);
    observe::write_timeline(reader, file.stream());
    file.close();
  }
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
  if (!traces && !options.outputs.scope.empty()) refuse("--wave-scope", "goes with --trace, --waves or a view");
  if (!traces && !options.window.empty()) refuse("--wave-window", "goes with --trace, --waves or a view");
  if (!traces && !options.trigger.empty()) refuse("--wave-trigger", "goes with --trace, --waves or a view");
  if (options.trigger.empty() && options.before != 0) refuse("--wave-before", "goes with --wave-trigger");
  if (options.trigger.empty() && options.after) refuse("--wave-after", "goes with --wave-trigger");
}

traced_run::traced_run(device& target, const trace_options& options, const std::string& out)
    : options_(options), log_(log_path(options, out)) {
  if (log_.empty()) return;
  if (is_fst(options.outputs.waves) && !observe::can_write_fst()) observe::make_fst_writer(options.outputs.waves);
  recorder_.emplace(target, settings_of(options, log_));
}

traced_run::~traced_run() {
  recorder_.reset();
  if (!log_.empty() && !options_.keep_log) std::remove(log_.c_str());
}

std::string traced_run::finish() {
  if (!recorder_) return "";
  recorder_->close();
  if (!recorder_->has_recorded()) {
    std::remove(log_.c_str());
    if (!recorder_->has_begun()) return "nothing: the run ended before the window";
    return options_.window.empty() ? "nothing: the trigger did not fire"
                                   : "nothing: the trigger did not fire within the window";
  }
  write_trace_outputs(log_, options_.outputs);
  std::string files = options_.keep_log ? log_ : "";
  for (const std::string* file :
       {&options_.outputs.waves, &options_.outputs.pipeline_view, &options_.outputs.timeline})
    if (!file->empty()) files += (files.empty() ? "" : ", ") + *file;
  return files;
}

}  // namespace gt200::apps
