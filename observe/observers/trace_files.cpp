#include "observe/observers/trace_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "observe/lockstep.h"
#include "observe/observers/attempts.h"
#include "observe/trace/glob.h"
#include "observe/trace/kanata.h"
#include "observe/trace/log_reader.h"
#include "observe/trace/timeline.h"
#include "observe/trace/waves.h"
#include "toolchain/error.h"
#include "toolchain/output_file.h"

namespace gt200::observe {
namespace {

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool is_fst(const std::string& path) { return ends_with(path, ".fst"); }

vcd_texts texts_of(const trace_outputs& outputs) {
  return outputs.texts == "ascii" ? vcd_texts::ascii : vcd_texts::string;
}

std::vector<std::string> scope_of(const trace_outputs& outputs) {
  return outputs.scope.empty() ? std::vector<std::string>{"*"} : outputs.scope;
}

// Patterns for the signals in a log, which have been chosen before.
std::vector<std::string> shown_in_waves(const trace_outputs& outputs) {
  std::vector<std::string> patterns = scope_of(outputs);
  patterns.insert(patterns.end(), outputs.values.begin(), outputs.values.end());
  return patterns;
}

// A choice of signals that is none.
void require_match(const log_reader& log, const std::vector<std::string>& patterns) {
  const auto& signals = log.definitions().signals;
  const bool found = std::any_of(signals.begin(), signals.end(),
                                 [&](const logged_signal& s) { return matches_any(patterns, s.path); });
  if (!patterns.empty() && !found) throw input_error("no signal in the log matches " + listed(patterns));
}

// Made from the log; empty without any.
std::string first_file(const trace_outputs& outputs) {
  for (const std::string* file : {&outputs.waves, &outputs.pipeline_view, &outputs.timeline})
    if (!file->empty()) return *file;
  return "";
}

trace_settings settings_of(const trace_options& options, const std::string& log) {
  trace_settings settings;
  settings.path = log;
  const bool kept = !options.log.empty();
  if (!kept) settings.named = first_file(options.outputs);
  const trace_outputs& outputs = options.outputs;
  if (kept || !outputs.waves.empty()) settings.signals = scope_of(outputs);
  settings.values = outputs.values;
  settings.operands = options.operands;
  if (!outputs.pipeline_view.empty())
    for (const std::string& s : signals_of_pipeline_view()) settings.required.push_back(s);
  if (!outputs.timeline.empty())
    for (const std::string& s : signals_of_timeline()) settings.required.push_back(s);
  // The views need events from everywhere, whatever part of them is shown.
  if (!outputs.pipeline_view.empty() || !outputs.timeline.empty())
    settings.events = {"*"};
  else
    settings.events = kept ? scope_of(outputs) : std::vector<std::string>{};
  settings.begin = options.window.begin;
  settings.end = options.window.end;
  settings.trigger = options.trigger;
  return settings;
}

// The log, or a file beside the first one that is made from it.
std::string log_path(const trace_options& options) {
  if (!options.log.empty()) return options.log;
  const std::string file = first_file(options.outputs);
  return file.empty() ? "" : fmt::format("{}.{}.log.tmp", file, getpid());
}

}  // namespace

std::string refusal_of_waves(const std::string& path) {
  return ends_with(path, ".vcd") || is_fst(path) ? "" : "'" + path + "' ends in neither .vcd nor .fst";
}

std::string write_trace_outputs(const std::string& log, const trace_outputs& outputs, const cycle_window& window) {
  std::string loss;
  attempts all;
  const auto convert = [&](const std::string& file, const auto& write) {
    if (file.empty()) return;
    all.make([&] {
      log_reader reader(log);
      if (!window.whole()) reader.only(window.begin, window.end);
      write(reader);
      if (reader.cut_off()) loss = reader.loss();
    });
  };
  convert(outputs.waves, [&](log_reader& reader) {
    require_match(reader, outputs.scope);
    require_match(reader, outputs.values);
    new_file file(outputs.waves);
    const auto writer = is_fst(outputs.waves) ? make_fst_writer(file.path(), outputs.waves)
                                              : make_vcd_writer(file.path(), outputs.waves, texts_of(outputs));
    write_waves(reader, *writer, shown_in_waves(outputs));
    file.commit();
  });
  convert(outputs.pipeline_view, [&](log_reader& reader) {
    growing_file file(outputs.pipeline_view);
    write_pipeline_view(reader, file.stream(), scope_of(outputs));
    file.close();
  });
  convert(outputs.timeline, [&](log_reader& reader) {
    growing_file file(outputs.timeline);
    write_timeline(reader, file.stream());
    file.close();
  });
  all.require();
  return loss;
}

std::string refusal_of(const trace_options& options) {
  const trace_outputs& outputs = options.outputs;
  if (!outputs.waves.empty())
    if (std::string why = refusal_of_waves(outputs.waves); !why.empty()) return why;
  if (options.operands && options.log.empty()) return "operands are recorded in a log that is kept";
  if (options.log.empty() && outputs.waves.empty() && !outputs.values.empty())
    return "values are recorded for a log or waves";
  if (options.log.empty() && outputs.waves.empty() && outputs.pipeline_view.empty() && !outputs.scope.empty())
    return "a scope is for a log, waves or a pipeline view";
  if (options.any()) return "";
  if (!options.window.whole()) return "a window is for a log, waves or a view";
  if (options.trigger) return "a trigger is for a log, waves or a view";
  return "";
}

void require_comparison(const trace_options& options, const model::chip& chip, bool checked) {
  if (checked || !options.trigger || options.trigger->kind != trace_trigger::cause::mismatch) return;
  if (!has_lockstep(chip))
    throw input_error("the trigger 'mismatch' never fires: the run is not checked, and no RTL is in lockstep");
}

traced_chip::traced_chip(trace_options options) : options_(std::move(options)), log_(log_path(options_)) {
  const std::string& waves = options_.outputs.waves;
  if (!log_.empty() && is_fst(waves) && !can_write_fst()) make_fst_writer(waves);  // says why
  for (const std::string& file : {waves, options_.outputs.pipeline_view, options_.outputs.timeline})
    if (!file.empty()) require_writable(file);
  if (!log_.empty() && options_.log.empty()) unfinished_.emplace(log_);
}

traced_chip::traced_chip(device& target, trace_options options) : traced_chip(std::move(options)) {
  if (!log_.empty()) recorder_.emplace(target, settings_of(options_, log_));
}

traced_chip::traced_chip(model::chip& chip, trace_options options, std::function<void()> stop)
    : traced_chip(std::move(options)) {
  if (!log_.empty()) recorder_.emplace(chip, settings_of(options_, log_), std::move(stop));
}

traced_chip::~traced_chip() {
  recorder_.reset();
  remove_intermediate_log();
}

void traced_chip::remove_intermediate_log() {
  if (!log_.empty() && options_.log.empty()) std::remove(log_.c_str());
}

std::string traced_chip::finish() {
  if (!recorder_) return "";
  recorder_->close();
  if (!recorder_->has_recorded()) {
    discard_file(log_);
    if (!recorder_->has_begun()) return "nothing: the run ended before the window";
    return options_.window.whole() ? "nothing: the trigger did not fire"
                                   : "nothing: the trigger did not fire within the window";
  }
  attempts views;
  views.make([&] { write_trace_outputs(log_, options_.outputs); });
  remove_intermediate_log();  // the files that are written next may need its place on the disk
  views.require();
  std::string files = options_.log;
  for (const std::string* file :
       {&options_.outputs.waves, &options_.outputs.pipeline_view, &options_.outputs.timeline})
    if (!file->empty()) files += (files.empty() ? "" : ", ") + *file;
  return files;
}

}  // namespace gt200::observe
