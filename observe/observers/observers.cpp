#include "observe/observers/observers.h"

#include <fmt/format.h>
#include <chrono>
#include <ctime>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <utility>

#include "driver/grid_needs.h"
#include "driver/launch_fault.h"
#include "observe/checker/checker.h"
#include "observe/lockstep.h"
#include "observe/observers/attempts.h"
#include "observe/observers/claimed_files.h"
#include "observe/observers/hang_watch.h"
#include "observe/statistics_csv.h"
#include "observe/stats_document.h"
#include "observe/summary.h"
#include "toolchain/error.h"
#include "toolchain/output_file.h"

namespace gt200::observe {
namespace {

std::vector<std::string> files_of(const observer_options& o) {
  std::vector<std::string> files;
  for (const std::string* file :
       {&o.trace.log, &o.trace.outputs.waves, &o.trace.outputs.pipeline_view, &o.trace.outputs.timeline,
        &o.statistics.json, &o.statistics.csv, &o.statistics.summary, &o.hang_report})
    if (!file->empty()) files.push_back(*file);
  return files;
}

void replace_chip(std::string& text, const std::string& name) {
  static const std::string place = "{chip}";
  for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place, at + name.size()))
    text.replace(at, place.size(), name);
}

// SystemC warns of a second stop: several observers may find something, of several chips, in any thread.
void stop_once() {
  static std::atomic<bool> stopped = false;
  const bool by_platform = sc_core::sc_get_curr_simcontext()->sim_status() == sc_core::SC_SIM_USER_STOP;
  if (!stopped.exchange(true) && !by_platform) sc_core::sc_stop();
}

std::function<void()> stop_or_default(std::function<void()> stop) { return stop ? std::move(stop) : stop_once; }

}  // namespace

observer_options observer_options::of_chip(const std::string& name) const {
  observer_options o = *this;
  trace_outputs& outputs = o.trace.outputs;
  for (std::string* text : {&o.trace.log, &outputs.waves, &outputs.pipeline_view, &outputs.timeline,
                            &o.statistics.json, &o.statistics.csv, &o.statistics.summary, &o.hang_report})
    replace_chip(*text, name);
  for (auto* list : {&outputs.scope, &outputs.values})
    for (std::string& pattern : *list) replace_chip(pattern, name);
  if (o.trace.trigger) replace_chip(o.trace.trigger->counter, name);
  return o;
}

class observers::state {
 public:
  state(model::chip& chip, device* board, const observer_options& options, std::function<void()> stop)
      : chip_(chip),
        board_(board),
        options_(options.of_chip(chip.name())),
        stop_(std::move(stop)),
        claimed_(chip.name(), files_of(options_)) {
    if (board == nullptr && sc_core::sc_get_status() < sc_core::SC_START_OF_SIMULATION)
      throw std::logic_error(fmt::format(
          "observers of {}: the elaboration has not ended: call sc_start(SC_ZERO_TIME) before", chip.name()));
    const statistics_options& s = options_.statistics;
    for (const std::string& file : {s.json, s.csv, s.summary, options_.hang_report})
      if (!file.empty()) require_writable(file);
    figures_.emplace(chip);
    if (!options_.statistics.json.empty()) document_.emplace(*figures_);
    if (options_.check && board != nullptr)
      checker_.emplace(*board);
    else if (options_.check)
      checker_.emplace(
          chip, [this]() -> const launch::launch_parameters& { return launched(); }, [this] { differs(); });
    if (board != nullptr)
      lockstep_.emplace(*board);
    else
      lockstep_.emplace(chip, stop_);
    require_comparison(options_.trace, chip, options_.check);
    if (board != nullptr)
      trace_.emplace(*board, options_.trace);
    else
      trace_.emplace(chip, options_.trace, stop_);
    if (board == nullptr && !options_.hang_report.empty())
      watch_.emplace(chip, [this](const std::string& why) {
        hang_ = why;
        stop_();
      });
  }

  void launch_begins(const launch::launch_parameters& parameters) {
    if (parameters.kernel == nullptr) throw wrong_call("launch_begins()", "launch_parameters.kernel is not set");
    if (const std::string why = refusal(chip_.config.chip, parameters); !why.empty())
      throw wrong_call("launch_begins()", "launch_parameters are wrong: " + why);
    if (board_ == nullptr && chip_.command_processor.status() == model::registers::chip_status::busy)
      throw wrong_call("launch_begins()", "a launch runs: call launch_ended() when it has ended, before the next");
    parameters_ = parameters;
    described_ = true;
    hang_.clear();
    begun_before_ = chip_.command_processor.launches.value();
    figures_->launch_begins();
    if (watch_) watch_->begin();
  }

  launch_result launch_ended() {
    require_described();
    launch_result result;
    const model::command_processor& cp = chip_.command_processor;
    const tlm_bus::femtoseconds now = sc_core::sc_time_stamp().value();
    const bool begun = cp.launches.value() != begun_before_;
    switch (cp.status()) {
      case model::registers::chip_status::faulted:
        result.reason = end_reason::fault;
        result.fault = fault_of_launch(chip_, *parameters_.kernel, parameters_.grid);
        break;
      case model::registers::chip_status::idle:
        result.reason = begun ? end_reason::done : end_reason::stopped;
        break;
      default: result.reason = hang_.empty() ? end_reason::stopped : end_reason::hang; break;
    }
    result.explanation = hang_;
    const bool ended = result.reason == end_reason::done;
    result.ended_at = ended ? cp.ended() * chip_.uncore.period() : now;
    result.began_at = begun ? cp.began() * chip_.uncore.period() : result.ended_at;
    const tlm_bus::femtoseconds core = chip_.core.period();
    result.cycles = (result.ended_at - result.began_at + core - 1) / core;
    launch_ended(result);
    return result;
  }

  void launch_ended(const launch_result& result) {
    require_described();
    // A launch of a platform that was stopped goes on, and may end once more.
    described_ = board_ == nullptr && result.reason == end_reason::stopped;
    if (watch_) watch_->end();
    if (trace_->attached() != nullptr) trace_->attached()->require_written();
    if (result.reason == end_reason::hang) hang_ = result.explanation;
    // A launch of a platform that has not ended goes on, and so do its figures.
    if (board_ != nullptr || result.reason == end_reason::done) figures_->launch_ended(parameters_, result);
    last_ = result.reason;
    if (checker_) checker_->launch_ended(result);
    if (trace_->attached() != nullptr && !difference().empty()) trace_->attached()->mismatch_found();
  }

  std::string difference() const {
    if (checker_ && checker_->difference()) return describe(*checker_->difference());
    if (const auto found = lockstep_->difference()) return found->describe();
    return "";
  }
  std::string trouble() const {
    const std::string found = difference();
    return found.empty() ? hang_ : found;
  }

  std::string finish() {
    if (std::exchange(finished_, true)) return "";
    std::string text;
    attempts all;
    const auto said = [&](const char* what, const std::string& line) {
      if (!line.empty()) text += labelled(what, line);
    };
    const auto write = [&](const char* what, const std::string& file, const auto& content) {
      if (file.empty()) return;
      all.make([&] {
        write_file(file, content());
        said(what, file);
      });
    };
    if (trace_->attached() != nullptr && !difference().empty()) trace_->attached()->mismatch_found();
    all.make([&] { said("traced", trace_->finish()); });
    const statistics_options& s = options_.statistics;
    write("statistics", s.json, [&] { return document_->assemble(facts()).dump(1, ' ', false, replaced) + "\n"; });
    write("statistics", s.csv, [&] { return to_csv(*figures_); });
    write("statistics", s.summary, [&] { return summary_text(); });
    if (!hang_.empty()) write("hang", options_.hang_report, [&] { return hang_; });
    if (checker_) said("compared", fmt::format("{} warp instructions", grouped(checker_->counts().instructions)));
    said("lockstep", lockstep_->summary());
    all.require();
    return text;
  }
  const observe::statistics& figures() const { return *figures_; }

 private:
  static constexpr auto replaced = nlohmann::ordered_json::error_handler_t::replace;  // bytes that are no UTF-8

  std::logic_error wrong_call(const char* function, const std::string& why) const {
    return std::logic_error(fmt::format("observers of {}: {}: {}", chip_.name(), function, why));
  }
  // At the instant of the difference: a platform may never come to launch_ended().
  void differs() {
    if (trace_ && trace_->attached() != nullptr) trace_->attached()->mismatch_found();
    stop_();
  }
  void require_described() const {
    if (!described_) throw wrong_call("launch_ended()", "call launch_begins() before the launch");
  }
  // The launch that the reference executes when the chip begins one.
  const launch::launch_parameters& launched() const {
    if (!described_ || chip_.command_processor.launches.value() != begun_before_ + 1)
      throw wrong_call("LAUNCH was written",
                       "call launch_begins() before each launch, and launch_ended() after it");
    return parameters_;
  }

  std::string summary_text() const {
    if (!figures_->launches().empty()) return summary(*figures_);
    std::string text = labelled("chip", chip_.name()) + labelled("launches", "none has ended") + trouble();
    if (text.back() != '\n') text += '\n';
    return text;
  }

  run_facts facts() const {
    run_facts facts;
    facts.source = parameters_.kernel == nullptr ? "" : parameters_.kernel->name;
    facts.end = last_;
    facts.message = trouble();
    facts.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    facts.cpu_seconds = static_cast<double>(std::clock() - cpu_began_) / CLOCKS_PER_SEC;
    facts.threads = chip_.clocks.options().threads;
    facts.shared_windows = chip_.clocks.shared_windows();
    return facts;
  }

  model::chip& chip_;
  device* const board_;  // null: a platform programs the chip
  observer_options options_;
  std::function<void()> stop_;
  claimed_files claimed_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::clock_t cpu_began_ = std::clock();
  launch::launch_parameters parameters_;
  bool described_ = false;  // launch_begins() was called, and launch_ended() not yet
  std::uint64_t begun_before_ = 0;
  end_reason last_ = end_reason::done;
  std::string hang_;
  bool finished_ = false;
  std::optional<observe::statistics> figures_;
  std::optional<stats_document> document_;
  std::optional<observe::checker> checker_;
  std::optional<observe::lockstep> lockstep_;
  std::optional<traced_chip> trace_;
  std::optional<hang_watch> watch_;
};

observers::observers(model::chip& chip, const observer_options& options, std::function<void()> stop)
    : state_(std::make_unique<state>(chip, nullptr, options, stop_or_default(std::move(stop)))) {}
observers::observers(device& target, const observer_options& options)
    : state_(std::make_unique<state>(target.chip(), &target, options, [&target] { target.stop(); })) {}
observers::~observers() = default;

void observers::launch_begins(const launch::launch_parameters& parameters) { state_->launch_begins(parameters); }
launch_result observers::launch_ended() { return state_->launch_ended(); }
void observers::launch_ended(const launch_result& result) { state_->launch_ended(result); }
std::string observers::trouble() const { return state_->trouble(); }
std::string observers::finish() { return state_->finish(); }
const observe::statistics& observers::statistics() const { return state_->figures(); }

}  // namespace gt200::observe
