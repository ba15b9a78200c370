#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <systemc>

#include "apps/commands/again.h"
#include "apps/commands/commands.h"
#include "apps/commands/replicate.h"
#include "apps/support/config_files.h"
#include "apps/support/cycle_limit.h"
#include "apps/support/evidence.h"
#include "apps/support/host_time.h"
#include "apps/support/interrupt.h"
#include "apps/support/json_text.h"
#include "apps/support/kept_files.h"
#include "apps/support/live_page.h"
#include "apps/support/message.h"
#include "apps/support/model_run.h"
#include "apps/support/plugin_option.h"
#include "apps/support/rtl_option.h"
#include "apps/support/thread_option.h"
#include "apps/support/trace_outputs.h"
#include "apps/support/trust.h"
#include "apps/support/watch_option.h"
#include "apps/support/workload.h"
#include "apps/sweep/axis.h"
#include "apps/sweep/figures.h"
#include "inject/fault_injector.h"
#include "observe/checker/checker.h"
#include "observe/dram_commands.h"
#include "observe/hang_report.h"
#include "observe/host_profile.h"
#include "observe/observers/attempts.h"
#include "observe/port_record.h"
#include "observe/report/run_data.h"
#include "observe/statistics_csv.h"
#include "observe/stats_document.h"
#include "observe/summary.h"
#include "rtl_ref/library/library.h"
#include "sc_models/config/hints.h"
#include "sc_models/config/load.h"
#include "sc_models/config/print.h"
#include "sc_models/sm/cosimulation/rtl_requests.h"
#include "toolchain/error.h"
#include "toolchain/output_file.h"

namespace gt200::apps {
namespace {

constexpr const char* kept_by_default = "stats,csv,config";

struct run_options {
  workload_options workload;
  std::string config = default_config;
  std::vector<std::string> overrides;
  std::vector<std::string> plugins;
  std::vector<std::string> policies;  // of --use
  std::vector<std::string> rtl;       // shared objects
  std::string clocking = "due";
  std::string stages = "joined";
  bool check = false;
  bool audit = false;
  std::uint64_t shuffle = 0;
  std::string threads = "1";
  bool profile = false;
  bool share_every_window = false;
  std::string stalls;
  std::uint64_t jitter = 0;
  unsigned replicates = 0;
  std::string again;  // folder of a run
  std::uint64_t max_cycles = 0;
  std::uint64_t interrupt_at = 0;
  std::string out;
  std::string keep = kept_by_default;
  std::vector<std::string> record;  // module and file, or nothing
  std::string dram_trace;
  std::vector<std::string> inject;
  bool json = false;
  bool timed_copies = false;
  bool no_evidence = false;
  watch_options watch;
  trace_options trace;
  std::vector<std::string> command_line;
};

// "N" or "N/1024", N below 1024. Empty when fine: the form CLI11 asks for.
std::string check_stalls(const std::string& text) {
  const std::string number = text.substr(0, text.find('/'));
  unsigned value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  const bool whole = error == std::errc() && end == number.data() + number.size() && !number.empty();
  const bool unit = number.size() == text.size() || text.substr(number.size()) == "/1024";
  return whole && unit && value < 1024 ? "" : "'" + text + "' is not N/1024 with N from 0 to 1023";
}

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> result(1);
  for (const char c : list) {
    if (c == ',')
      result.emplace_back();
    else
      result.back() += c;
  }
  return result;
}

bool keeps(const run_options& options, const std::string& file) {
  const std::vector<std::string> kept = names_in(options.keep);
  return !options.out.empty() && std::find(kept.begin(), kept.end(), file) != kept.end();
}

// All that --out may hold.
std::vector<std::string> result_files(const std::string& folder) {
  std::vector<std::string> result = {folder + "/" + trace_file};
  for (const kept_file& file : kept_files) result.push_back(folder + "/" + file.name);
  return result;
}

// Those of an earlier run must not pass for results of this one, should it be killed. A run that is refused keeps
// them, so nothing may be refused after this. The log of a traced run has taken the place of an earlier one
// already.
void remove_earlier_results(const run_options& options) {
  if (options.out.empty()) return;
  for (const std::string& file : result_files(options.out))
    if (!options.trace.keep_log || file != options.out + "/" + trace_file) remove_file(file);
}

// Empty when fine.
std::string check_shuffle(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? "" : "'" + text + "' is no whole number from 0 to 2^64 - 1";
}

config::resolved_config load_config(const run_options& options) {
  std::vector<std::string> overrides = settings_of_rtl(options.rtl);
  overrides.insert(overrides.end(), options.overrides.begin(), options.overrides.end());
  if (!options.stalls.empty())
    overrides.push_back("simulation.stalls_per_1024=" + options.stalls.substr(0, options.stalls.find('/')));
  return config::load(find_config(options.config), overrides);
}

void check_files(const run_options& options, const workload& work, const config::resolved_config& config) {
  command_files files;
  add_files(work, files);
  std::set<std::string> configs = {find_config(options.config)};
  for (const auto& [key, place] : config.set_at) configs.insert(place.file);  // of --set: no file
  for (const std::string& file : configs) files.reads(file);
  if (!options.out.empty())
    for (const std::string& file : result_files(options.out)) files.writes("--out", file);
  add_files(options.trace.outputs, files);
  if (!options.record.empty()) files.writes("--record", options.record[1]);
  if (!options.dram_trace.empty())
    for (unsigned p = 0; p < config.values.chip.partitions; ++p)
      files.writes("--dram-trace", observe::file_of_partition(options.dram_trace, p));
  files.check();
}

device_options device_options_of(const run_options& options, const config::gpu_config& config) {
  device_options result;
  result.clocking = clocking_of(config.simulation);
  result.clocking.mode = options.clocking == "reference" ? tlm_bus::clocking_options::way::reference
                                                         : tlm_bus::clocking_options::way::due;
  result.clocking.audit = options.audit;
  result.clocking.shuffle_seed = options.shuffle;
  result.clocking.threads = thread_count(options.threads, config);
  result.clocking.share_every_window = options.share_every_window;
  result.max_cycles = options.max_cycles;
  result.stop_at_cycle = options.interrupt_at;
  result.stop = catch_interrupts();
  result.explain_hang = observe::explain_hang;
  result.unobserved = options.stages == "joined" && options.record.empty() && options.inject.empty() &&
                      !meaning_of(options.trace, options.out).any();
  return result;
}

std::string host_line(const host_time& host, std::uint64_t instructions) {
  return observe::labelled(
      "host",
      fmt::format(
          "{:.2f} s, {:.2f} s CPU, {} warp instructions per CPU second", host.wall_seconds, host.cpu_seconds,
          observe::grouped(static_cast<std::uint64_t>(static_cast<double>(instructions) / host.cpu_seconds))));
}

std::string checked_line(const observe::check_counts& counts) {
  return observe::labelled(
      "compared", fmt::format("{} warp instructions, {} accesses to shared and {} to device memory, {} blocks",
                              observe::grouped(counts.instructions), observe::grouped(counts.shared_accesses),
                              observe::grouped(counts.memory_accesses), observe::grouped(counts.blocks)));
}

std::string injected_lines(const std::optional<inject::fault_injector>& injector) {
  std::string text;
  if (injector)
    for (const inject::injection& i : injector->injections())
      text += observe::labelled("injected", inject::describe(i));
  return text;
}

// A site behind the end of a run that nothing cut short is a mistake: its bit has not flipped.
void refuse_late_sites(const inject::fault_injector& injector, const observe::statistics& statistics,
                       tlm_bus::femtoseconds core_period) {
  for (const inject::injection& i : injector.injections())
    if (!i.done) {
      const auto& launches = statistics.launches();
      const tlm_bus::femtoseconds end = launches.empty() ? 0 : launches.back().ended_at;
      throw input_error("--inject " + inject::text_of(i.at), 0,
                        fmt::format("the run ends in cycle {}", (end + core_period - 1) / core_period));
    }
}

// Hazards of a program that did no harm in this run; empty without any.
std::string hazard_lines(const observe::checker& checker) {
  constexpr std::size_t shown = 8;
  const std::map<std::string, std::uint64_t> hazards = checker.hazards();
  if (hazards.empty()) return "";
  std::string text = observe::labelled(
      "hazards", fmt::format("{} at {} places", observe::grouped(checker.counts().hazards), hazards.size()));
  std::size_t listed = 0;
  for (const auto& [place, count] : hazards) {
    if (listed++ == shown) break;
    text += observe::labelled("", fmt::format("{} x {}", observe::grouped(count), place));
  }
  return text;
}

observe::run_facts facts_of(const run_options& options, const workload& work, const run_outcome& outcome,
                            const host_time& host, const tlm_bus::clocking& clocks) {
  observe::run_facts facts;
  facts.source = work.launch.source;
  facts.launch_description = work.launch.file;
  facts.seed = work.launch.seed;
  facts.parameters = work.launch.parameters;
  facts.source_file = work.module.source_file;
  facts.end = outcome.end;
  facts.checks = outcome.check.checks;
  const bool ok = outcome.result.code == exit_code::ok;
  if (!ok || outcome.check.checks != 0) facts.passed = ok;
  facts.worst_error = outcome.check.worst_error;
  facts.message = outcome.end == end_reason::done ? outcome.check.message : outcome.message;
  facts.wall_seconds = host.wall_seconds;
  facts.cpu_seconds = host.cpu_seconds;
  facts.threads = clocks.options().threads;
  facts.shared_windows = clocks.shared_windows();
  const tlm_bus::cluster_workers::host_cost cost = clocks.cost_of_clusters();
  facts.windows = cost.windows;
  facts.cluster_seconds = 1e-9 * static_cast<double>(cost.drivers_ns);
  facts.longest_cluster_seconds = 1e-9 * static_cast<double>(cost.longest_ns);
  facts.command_line = options.command_line;
  return facts;
}

// A device that is not destroyed: the process ends after its run, and the system takes all memory back at once. The
// destructors of a chip would take as long as a tenth of a short run.
class kept_device {
 public:
  kept_device(const config::gpu_config& config, const device_options& options) {
    device_ = new device(config, options);
    device_->chip().forgo_reset();
  }
  kept_device(const kept_device&) = delete;
  kept_device& operator=(const kept_device&) = delete;
  ~kept_device() { device_->chip().clocks.park(); }
  device& operator*() const { return *device_; }

 private:
  static inline device* device_ = nullptr;  // static, so that checkers of leaks find it
};

// Who has recorded the run needs no repetition.
void leave_evidence_of(const run_options& options, const device& target, const std::string& message,
                       std::uint64_t idle_cycles, double seconds) {
  const bool recorded = meaning_of(options.trace, options.out).any();
  if (options.no_evidence || recorded) return;
  leave_evidence(
      {options.command_line, options.out, message, sc_core::sc_time_stamp().value() / target.chip().core.period(),
       idle_cycles, target.chip().config.chip.sms_per_tpc, seconds},
      catch_interrupts());
}
// A defect of the simulator, of a plug-in or of RTL costs nothing of what was recorded before it.
void end_after_defect(const run_options& options, const device& target, observe::traced_chip& trace,
                      const std::function<void(observe::attempts&)>& close_records, const std::exception& defect,
                      double seconds) {
  observe::attempts files;
  std::string traced;
  files.make([&] { traced = trace.finish(); });
  close_records(files);
  if (!traced.empty()) say(fmt::format("gt200: traced up to the defect: {}\n", traced));
  leave_evidence_of(options, target, defect.what(), 0, seconds);
}
bool is_failure(const run_outcome& outcome) {
  const bool difference = outcome.end == end_reason::stopped && outcome.result.code == exit_code::check_failed;
  return difference || outcome.end == end_reason::fault || outcome.end == end_reason::hang;
}

// Wall seconds of the parts of a run, for --profile.
struct run_phases {
  double read = 0, built = 0, ran = 0;  // when each of them had ended

  std::string text(const host_time& all) const {
    return fmt::format(
        "profile: {:.3f} s read and compiled, {:.3f} s built the chip, {:.3f} s ran and checked, {:.3f} s wrote\n",
        read, built - read, ran - built, all.wall_seconds - ran);
  }
};

// Hints on keys of --set that have no effect of their own. A policy that --use gives to modules by name may need
// keys that no other one does.
std::vector<std::string> hints_of(const run_options& options, const config::gpu_config& config) {
  if (options.overrides.empty() || !options.policies.empty()) return {};
  const auto copies = options.timed_copies ? config::buffer_copies::timed : config::buffer_copies::at_once;
  return config::hints(config::load(find_config(options.config)).values, config, copies);
}
// The label before the first one only.
std::string labelled_lines(const std::string& label, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += observe::labelled(text.empty() ? label : "", line);
  return text;
}
std::string hint_lines(const std::vector<std::string>& hints) {
  std::string text;
  for (const std::string& hint : hints) text += observe::labelled("hint", hint);
  return text;
}

// The present state, for the page of --watch.
nlohmann::ordered_json live_figures(const run_options& options, observe::stats_document& stats,
                                    const config::gpu_config& config, const progress_line& progress) {
  observe::run_facts facts;
  facts.command_line = options.command_line;
  facts.cpu_seconds = 1;
  nlohmann::ordered_json figures =
      observe::report::run_data(observe::report::running(stats.assemble(facts), config));
  figures["folder"] = options.out;
  figures["live"]["status"] = progress.text();
  return figures;
}

exit_code run(const run_options& options) {
  stopwatch watch;
  run_phases phases;
  load_plugins(options.plugins);
  use_policies(options.policies);
  const config::resolved_config resolved = load_config(options);
  const config::gpu_config& config = resolved.values;
  const auto work = load_workload(options.workload, config.chip.capability());
  check_files(options, *work, resolved);
  watch.without([&] {
    for (const rtl::request& rtl : model::rtl_in_use(config)) rtl::build(rtl);
  });
  phases.read = watch.elapsed().wall_seconds;
  std::optional<progress_line> progress;
  device_options device_settings = device_options_of(options, config);
  std::optional<live_page> live;
  device_settings.on_progress = [&] {
    progress->update();
    if (live) live->update();
  };
  const kept_device kept(config, device_settings);
  device& target = *kept;
  require_used_policies();
  if (options.jitter != 0) target.chip().vary(options.jitter);
  progress.emplace(target);
  prepare(*work, target.allocator(), config.tpc.sm.limits.threads_per_block);
  target.load(work->prepared);
  if (!options.out.empty()) make_folder(options.out);

  observe::statistics statistics(target);
  std::optional<observe::stats_document> stats;
  if (!options.out.empty() || options.json || options.watch.on) stats.emplace(statistics);
  if (options.watch.on) {
    live.emplace(options.watch.port, live_content{"Run of " + work->launch.source,
                                                  std::string(live_line) + "<div id=\"explorer\"></div>\n",
                                                  [&] { return live_figures(options, *stats, config, *progress); },
                                                  {}});
    say(fmt::format("gt200: the run can be watched at {}\n", live->address()));
  }
  std::optional<observe::checker> checker;
  if (options.check) checker.emplace(target);
  const unsigned needing_order = tlm_bus::observer_count::value();
  const observe::trace_options traced_options = meaning_of(options.trace, options.out);
  observe::require_comparison(traced_options, target.chip(), options.check);
  observe::traced_chip trace(target, traced_options);
  const unsigned of_trace = tlm_bus::observer_count::value() - needing_order;
  std::optional<growing_file> record_file;
  std::optional<observe::port_record> record;
  if (!options.record.empty()) {
    record_file.emplace(options.record[1]);
    record.emplace(target, options.record[0], record_file->stream());
  }
  std::optional<observe::dram_commands> dram_trace;
  if (!options.dram_trace.empty()) dram_trace.emplace(target, options.dram_trace);
  std::optional<inject::fault_injector> injector;
  if (!options.inject.empty()) {
    std::vector<inject::site> sites;
    for (const std::string& text : options.inject) sites.push_back(inject::parse_site(text));
    injector.emplace(target, sites);
  }
  if (device_settings.clocking.threads > 1 && tlm_bus::observer_count::value() != of_trace)
    fmt::print(
        stderr,
        "gt200: one thread runs the chip: recordings, and the checker of a chip with L1 data caches, need the "
        "order of time\n");
  else if (device_settings.clocking.threads > 1 && trace.attached() != nullptr)
    say("gt200: one thread runs the chip while it is traced: traces need the order of time\n");
  remove_earlier_results(options);
  target.start();
  phases.built = watch.elapsed().wall_seconds;
  observe::host_profile profile;
  if (options.profile) profile.start();
  const auto close_records = [&](observe::attempts& files) {
    if (record)
      files.make([&] {
        record->close();
        record_file->close();
      });
    if (dram_trace) files.make([&] { dram_trace->close(); });
  };
  run_outcome outcome;
  try {
    outcome = run_on_model(target, *work, {statistics, checker ? &*checker : nullptr, &*progress, trace.attached()},
                           options.timed_copies);
  } catch (const input_error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& defect) {
    progress->clear();
    end_after_defect(options, target, trace, close_records, defect, watch.elapsed().wall_seconds);
    throw;
  }
  profile.stop();
  if (injector && outcome.end == end_reason::done)
    refuse_late_sites(*injector, statistics, target.chip().core.period());
  phases.ran = watch.elapsed().wall_seconds;
  if (live) live->finish();
  progress->clear();
  // A file that cannot be written takes no other one along, and no result: the first failure is thrown at the end.
  observe::attempts& files = outcome.files;
  std::string traced;
  files.make([&] { traced = trace.finish(); });
  close_records(files);
  const host_time host = watch.elapsed();

  const std::vector<std::string> hints = hints_of(options, config);
  const std::vector<std::string> trust = trust_lines(
      options.config,
      options.overrides.empty() && options.rtl.empty() ? config : config::load(find_config(options.config)).values,
      config);
  if (stats) {
    observe::run_facts facts = facts_of(options, *work, outcome, host, target.chip().clocks);
    facts.hints = hints;
    facts.trust = trust;
    facts.provenance = provenance_of(*work);
    const nlohmann::ordered_json document = stats->assemble(facts);
    const bool whole = options.json || keeps(options, "stats");
    const std::string text = whole ? json_text(document, 1) + "\n" : "";
    const auto keep = [&](const char* word, const char* name, const auto& content) {
      if (keeps(options, word)) files.make([&] { write_file(options.out + "/" + name, content()); });
    };
    keep("stats", "stats.json", [&] { return text; });
    keep("config", "config.toml", [&] { return config::to_toml(config); });
    keep("csv", "stats.csv", [&] { return observe::to_csv(statistics); });
    keep("figures", "figures.json", [&] { return json_text(sweep::figures_of(document)) + "\n"; });
    if (options.json) std::cout << text;
  }
  if (!options.json)
    std::cout << observe::labelled("program", work->launch.source) << observe::summary(statistics)
              << (checker ? checked_line(checker->counts()) + hazard_lines(*checker) : "")
              << (outcome.lockstep.empty() ? "" : observe::labelled("lockstep", outcome.lockstep))
              << (traced.empty() ? "" : observe::labelled("traced", traced)) << injected_lines(injector)
              << hint_lines(hints) << labelled_lines("trust", trust) << host_line(host, statistics.total().issued())
              << observe::labelled("result", observe::beginning_of_explanation(outcome.result.text));
  if (options.profile) std::cerr << phases.text(watch.elapsed()) << profile.text();
  std::cout.flush();
  files.require();
  if (is_failure(outcome))
    leave_evidence_of(options, target, outcome.message,
                      outcome.end == end_reason::hang ? config.simulation.watchdog_idle_cycles : 0,
                      host.wall_seconds);
  if (outcome.result.code != exit_code::ok || *device_settings.stop == 0) return outcome.result.code;
  say("gt200: interrupted after the run, while its files were written; they are whole\n");
  return exit_code::interrupted;
}

void require_nothing_beside_again(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    if (option->count() != 0 && option->get_name() != "--again" && option->get_name() != "--out")
      throw CLI::ValidationError("--again", "does not go with " + option->get_name());
}

// Throws CLI::ValidationError for an option that a sweep of replicates does not have.
replicate_options replicates_of(const run_options& options, const CLI::App& command) {
  constexpr std::array taken = {"--replicate", "--set",  "--param",  "--config",
                                "--out",       "kernel", "--plugin", "--no-evidence"};
  constexpr std::array passed = {"--launch", "--source", "--seed", "--max-cycles", "--check"};
  replicate_options result;
  result.target = options.workload.target;
  result.config = options.config;
  result.overrides = options.overrides;
  result.parameters = options.workload.parameters;
  result.count = options.replicates;
  result.out = options.out;
  for (const CLI::Option* option : command.get_options()) {
    if (option->count() == 0) continue;
    const std::string name = option->get_name();
    if (std::find(taken.begin(), taken.end(), name) != taken.end()) continue;
    if (std::find(passed.begin(), passed.end(), name) == passed.end())
      throw CLI::ValidationError("--replicate", "does not go with " + name);
    result.passed_on.push_back(name);
    if (name != "--check") result.passed_on.push_back(option->results().front());
  }
  for (const std::string& plugin : options.plugins)
    result.passed_on.insert(result.passed_on.end(),
                            {"--plugin", std::filesystem::absolute(plugin).lexically_normal().string()});
  return result;
}

}  // namespace

void add_run(CLI::App& program, action& chosen, const std::vector<std::string>& command_line) {
  auto* command = program.add_subcommand("run", "run a kernel on the cycle model and say what it took and why");
  const auto options = std::make_shared<run_options>();
  add_workload_options(*command, options->workload);
  add_buffer_options(*command, options->workload);
  command->add_option("--config", options->config, "configuration of the chip: file or preset")
      ->type_name("FILE")
      ->capture_default_str();
  command->add_option("--set", options->overrides, "key=value that overrides the configuration; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_plugin_option(*command, options->plugins);
  add_use_option(*command, options->policies);
  add_rtl_option(*command, options->rtl);
  command
      ->add_option(
          "--record", options->record,
          "write what crosses the ports of a scoreboard or issue arbiter, cycle by cycle (tpc_0.sm_1.scoreboard)")
      ->type_name("MODULE FILE")
      ->expected(2);
  command
      ->add_option(
          "--dram-trace", options->dram_trace,
          "write the commands of each partition's DRAM, to NAME.partition_0.ENDING and so on: .cmdtrace for "
          "Ramulator and DRAMPower 4, .csv for DRAMPower 5, .dramsim for DRAMSim2")
      ->type_name("NAME.ENDING")
      ->check([](const std::string& file) { return observe::refusal_of_dram_trace(file); });
  command->add_option("--out", options->out, "folder for stats.json, stats.csv and the resolved config.toml")
      ->type_name("DIR");
  command
      ->add_option("--keep", options->keep,
                   "files to leave in --out: stats, csv, config, and figures (figures.json: sums over the chip)")
      ->type_name("LIST")
      ->check(CLI::Validator([](const std::string& list) { return check_kept(names_in(list)); }, ""))
      ->capture_default_str();
  command->add_flag("--json", options->json, "print the statistics as JSON instead of the summary");
  command->add_flag(
      "--copies", options->timed_copies,
      "buffers are copied over PCI Express (host.pcie_mb_per_s) by transactions to the DRAM, which takes "
      "simulated time; without, they are loaded at once");
  add_watch_options(*command, options->watch, "the page of the run");
  command->add_option("--max-cycles", options->max_cycles, "core cycles allowed per launch; 0 = no limit")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{0}, max_option_cycles));
  command
      ->add_option("--interrupt-at", options->interrupt_at,
                   "end a launch after this many core cycles as Ctrl-C does; 0 = never")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{0}, max_option_cycles));
  command->add_option("--clocking", options->clocking, "due: sleeping parts cost nothing; reference: real clocks")
      ->check(CLI::IsMember({"due", "reference"}))
      ->capture_default_str();
  command
      ->add_option(
          "--stages", options->stages,
          "joined: stages of an SM into which nobody looks share one state; apart: each has its own, which "
          "is slower and gives the same")
      ->check(CLI::IsMember({"joined", "apart"}))
      ->capture_default_str();
  command->add_flag("--check", options->check,
                    "run the emulator beside the model and stop at the first difference");
  command->add_flag("--no-evidence", options->no_evidence,
                    "after a fault, a hang, a difference or a defect: do not repeat the run with waves of its end");
  command->add_flag("--audit", options->audit, "fail if a part that sleeps would have done something");
  command->add_option("--shuffle", options->shuffle, "order of parts within a cycle; must not change anything")
      ->type_name("SEED")
      ->check(CLI::Validator(check_shuffle, ""));
  command->add_option("--stalls", options->stalls, "random stalls of every connection, probability N/1024")
      ->type_name("N/1024")
      ->check(CLI::Validator(check_stalls, ""));
  command
      ->add_option(
          "--jitter", options->jitter,
          "another moment of the same machine: replies of memory up to one cycle later, another phase of the "
          "refresh; 0 = off (docs/sweep.md)")
      ->type_name("SEED");
  command
      ->add_option(
          "--replicate", options->replicates,
          "so many runs with other input seeds and jitter, and means with 95 % intervals; --out holds them as a "
          "study (docs/sweep.md)")
      ->type_name("N")
      ->check(CLI::Range(2u, sweep::max_replicates));
  command
      ->add_option(
          "--again", options->again,
          "repeat the run of this folder, which --out made, and say what differs; takes no kernel, and --out alone")
      ->type_name("DIR");
  command->add_option("--threads", options->threads, threads_help)
      ->type_name("N")
      ->check(CLI::Validator(check_threads, ""))
      ->capture_default_str();
  command->add_flag("--share-every-window", options->share_every_window,
                    "use all --threads in every window, even more than there are processors; for tests");
  command->add_flag("--profile", options->profile,
                    "print where the host's time went, by phase and by kind of stage");
  command
      ->add_option("--inject", options->inject,
                   "flip a bit of the running chip: MODULE:BIT@CYCLE (docs/sweep.md); repeatable")
      ->type_name("SITE")
      ->allow_extra_args(false);
  add_trace_options(*command, options->trace);
  options->command_line = command_line;
  command->get_option("kernel")->required(false);  // but for --again
  command->callback([&chosen, options, command] {
    if (!options->again.empty()) {
      require_nothing_beside_again(*command);
      chosen = [options] { return run_again(options->again, options->out); };
      return;
    }
    if (options->workload.target.empty()) throw CLI::RequiredError("kernel");
    check(options->workload);
    check(options->trace, options->out);
    check_texts(*command, options->trace.outputs);
    if (command->count("--keep") != 0 && options->out.empty())
      throw CLI::ValidationError("--keep", "goes with --out, where the files stay");
    if (options->audit && options->clocking != "due")
      throw CLI::ValidationError("--audit", "goes with --clocking due only");
    if (!options->inject.empty() && options->clocking != "due")
      throw CLI::ValidationError("--inject", "goes with --clocking due only");
    if (thread_count(options->threads) > 1 && (options->audit || options->clocking != "due"))
      throw CLI::ValidationError("--threads", "does not go with --audit and --clocking reference");
    if (options->replicates != 0) {
      chosen = [options, replicates = replicates_of(*options, *command)] {
        load_plugins(options->plugins);
        return run_replicates(replicates);
      };
      return;
    }
    chosen = [options] { return run(*options); };
  });
}

}  // namespace gt200::apps
