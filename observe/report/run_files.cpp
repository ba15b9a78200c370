#include "observe/report/run_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "observe/report/stats_schema.h"
#include "observe/statistics_counters.h"
#include "observe/stats_version.h"
#include "sc_models/config/load.h"
#include "toolchain/cubin/load.h"
#include "toolchain/error.h"

namespace gt200::observe::report {
namespace {

void add_slots(std::vector<cause_slots>& to, const std::string& cause, std::uint64_t count) {
  const auto found = std::find_if(to.begin(), to.end(), [&](const cause_slots& s) { return s.cause == cause; });
  if (found == to.end())
    to.push_back({cause, count});
  else
    found->slots += count;
}

void add_slots(std::vector<cause_slots>& to, const json& slots) {
  for (const auto& [cause, count] : slots.items()) add_slots(to, cause, count.get<std::uint64_t>());
}

void add_to_line(run_files& run, std::uint32_t number, const std::string& cause, std::uint64_t slots) {
  auto found =
      std::find_if(run.lines.begin(), run.lines.end(), [&](const line_figures& l) { return l.line == number; });
  if (found == run.lines.end()) found = run.lines.insert(run.lines.end(), {number, 0, 0, {}});
  found->slots += slots;
  if (cause == "issued") found->issued += slots;
  add_slots(found->causes, cause, slots);
}

void add_instruction(run_files& run, const std::string& kernel, const json& from) {
  const auto pc = from.at("pc").get<std::uint32_t>();
  auto found = std::find_if(run.instructions.begin(), run.instructions.end(),
                            [&](const instruction_figures& i) { return i.kernel == kernel && i.pc == pc; });
  if (found == run.instructions.end()) {
    instruction_figures fresh;
    fresh.kernel = kernel;
    fresh.pc = pc;
    fresh.text = from.at("instruction").get<std::string>();
    fresh.line = from.value("line", 0u);
    fresh.live_registers = from.value("live_registers", 0u);
    run.instructions.push_back(std::move(fresh));
    found = run.instructions.end() - 1;
  }
  const auto lanes = from.at("active_lanes").get<std::uint64_t>();
  found->lanes += lanes;
  found->flops += lanes * from.at("flops").get<std::uint64_t>();
  for (const auto& [cause, slots] : from.at("slots").items()) {
    const auto count = slots.get<std::uint64_t>();
    found->slots += count;
    if (cause == "issued") found->issued += count;
    if (count > found->most.slots) found->most = {cause, count};
    if (found->line != 0) add_to_line(run, found->line, cause, count);
  }
}

void add_intervals(run_files& run, const json& over_time) {
  const json& ends = over_time.at("core_cycles");
  for (std::size_t i = 0; i < ends.size(); ++i) {
    interval_figures interval;
    interval.begin = run.intervals.empty() ? 0 : run.intervals.back().end;
    interval.end = ends[i].get<std::uint64_t>();
    for (const auto& [cause, counts] : over_time.at("slots").items())
      interval.slots.push_back({cause, counts.at(i).get<std::uint64_t>()});
    interval.resident_warp_cycles = over_time.at("resident_warp_cycles").at(i).get<std::uint64_t>();
    interval.read_bytes = over_time.at("dram_read_bytes").at(i).get<std::uint64_t>();
    interval.written_bytes = over_time.at("dram_written_bytes").at(i).get<std::uint64_t>();
    run.intervals.push_back(std::move(interval));
  }
}

// Counts the slots without a launch apart from those of launches. All of them are slots without a warp.
void separate_outside(run_files& run) {
  struct extent {
    std::uint64_t begin, end;  // core cycles
  };
  std::vector<extent> launches;
  for (const json& launch : run.stats.at("launches")) {
    const std::uint64_t begin = first_cycle_of(run, launch);
    launches.push_back({begin, begin + launch.at("core_cycles").get<std::uint64_t>()});
  }
  auto next = launches.begin();  // launches and intervals are in the order of time
  for (interval_figures& i : run.intervals) {
    std::uint64_t busy = 0;
    while (next != launches.end() && next->end <= i.begin) ++next;
    for (auto l = next; l != launches.end() && l->begin < i.end; ++l)
      busy += std::min(l->end, i.end) - std::max(l->begin, i.begin);
    const std::uint64_t length = i.end - i.begin;
    const auto none =
        std::find_if(i.slots.begin(), i.slots.end(), [](const cause_slots& s) { return s.cause == "no_warp"; });
    if (none == i.slots.end()) continue;
    i.outside = std::min(none->slots, (length - std::min(busy, length)) * run.slots_per_cycle());
    none->slots -= i.outside;
  }
}

// Values with their counts, in turn.
void add_distribution(run_files& run, const std::string& kind, std::uint64_t sum, const json& counted) {
  using tlm_bus::histogram;
  histogram::values values;
  values.sum = sum;
  for (std::size_t i = 0; i + 1 < counted.size(); i += 2)
    values.counts.push_back(
        {histogram::class_of(counted[i].get<std::uint64_t>()), counted[i + 1].get<std::uint64_t>()});
  run.distributions[kind] += values;
}

// Older files have only the powers of two: each counts as the largest value in it.
void add_histogram(run_files& run, const std::string& kind, const json& from) {
  json counted = json::array();
  const json& bins = from.at("bins");
  for (unsigned bin = 0; bin < bins.size(); ++bin) {
    if (bins[bin] == json(0)) continue;
    counted.push_back(tlm_bus::histogram::end_of(bin) - 1);
    counted.push_back(bins[bin]);
  }
  add_distribution(run, kind, from.at("sum").get<std::uint64_t>(), counted);
}

void add_launch(run_files& run, const json& launch) {
  run.cycles += launch.at("core_cycles").get<std::uint64_t>();
  run.seconds += static_cast<double>(launch.at("ended_at_fs").get<std::uint64_t>() -
                                     launch.at("began_at_fs").get<std::uint64_t>()) *
                 1e-15;
  const json& accounting = launch.at("cycle_accounting");
  add_slots(run.slots, accounting.at("total"));
  const json& sms = accounting.at("sms");
  run.sms.resize(sms.size());
  for (std::size_t i = 0; i < sms.size(); ++i) {
    run.sms[i].path = sms[i].at("path").get<std::string>();
    run.sms[i].resident_warp_cycles += sms[i].at("resident_warp_cycles").get<std::uint64_t>();
    add_slots(run.sms[i].slots, sms[i].at("slots"));
  }
  const auto kernel = launch.at("kernel").get<std::string>();
  run.registers[kernel] = launch.value("registers", 0u);
  for (const json& i : accounting.at("instructions")) add_instruction(run, kernel, i);
  for (const auto& [path, value] : launch.at("counters").items()) {
    run.counters[kind_path(path)] += value.get<std::uint64_t>();
    run.instances[path] += value.get<std::uint64_t>();
  }
  if (launch.contains("distributions"))
    for (const auto& [kind, of] : launch.at("distributions").items())
      add_distribution(run, kind, of.at("sum").get<std::uint64_t>(), of.at("values"));
  else if (launch.contains("histograms"))
    for (const auto& [path, values] : launch.at("histograms").items()) add_histogram(run, kind_path(path), values);
}

}  // namespace

std::uint64_t first_cycle_of(const run_files& run, const json& launch) {
  return launch.at("began_at_fs").get<std::uint64_t>() / run.config.clocks.core_period() + 1;
}

std::uint64_t run_files::cycles_outside() const {
  return intervals.empty() ? 0 : intervals.back().end - std::min(intervals.back().end, cycles);
}

std::uint64_t run_files::all_slots() const {
  std::uint64_t sum = 0;
  for (const cause_slots& s : slots) sum += s.slots;
  return sum;
}

std::uint64_t run_files::slots_per_cycle() const {
  if (cycles != 0) return all_slots() / cycles;
  if (intervals.empty()) return 1;
  std::uint64_t sum = 0;
  for (const cause_slots& s : intervals[0].slots) sum += s.slots;
  return sum / (intervals[0].end - intervals[0].begin);
}

std::uint64_t run_files::counter(const std::string& kind) const {
  const auto found = counters.find(kind);
  return found == counters.end() ? 0 : found->second;
}

std::string run_files::text_of_line(std::uint32_t line) const {
  const auto found = stats.find("source_lines");
  return found == stats.end() ? "" : found->value(std::to_string(line), "");
}

std::uint64_t run_files::dram_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& [kind, value] : counters) {
    const std::string name = kind.substr(kind.rfind('.') + 1);
    if (name == "read_bytes" || name == "written_bytes") sum += value;
  }
  return sum;
}

std::uint64_t run_files::flops() const {
  std::uint64_t sum = 0;
  for (const instruction_figures& i : instructions) sum += i.flops;
  return sum;
}

static void add_figures(run_files& run) {
  for (const json& c : run.stats.at("counters"))
    run.units[kind_path(c.at("path").get<std::string>())] = c.at("unit").get<std::string>();
  if (run.stats.contains("histograms"))
    for (const json& h : run.stats.at("histograms"))
      run.units[kind_path(h.at("path").get<std::string>())] = h.at("unit").get<std::string>();
  for (const json& launch : run.stats.at("launches")) add_launch(run, launch);
  if (run.stats.contains("over_time")) add_intervals(run, run.stats.at("over_time"));
}

run_files running(json stats, const config::gpu_config& config) {
  run_files run;
  run.stats = std::move(stats);
  run.config = config;
  add_figures(run);
  return run;
}

run_files read_run(const std::string& folder) {
  run_files run;
  run.folder = folder;
  const std::string file = folder + "/stats.json";
  const std::string text = cubin::read_file(file);
  run.config_text = cubin::read_file(folder + "/config.toml");
  run.config = config::load(folder + "/config.toml").values;
  try {
    run.stats = json::parse(text);
    const auto is = [&](const char* name, const json& value) {
      return run.stats.is_object() && run.stats.contains(name) && run.stats.at(name) == value;
    };
    if (!is("schema", stats_schema) || !is("schema_version", stats_schema_version))
      throw input_error(file, 0, fmt::format("is not {}, version {}", stats_schema, stats_schema_version));
    check_stats(run.stats, file);
    add_figures(run);
    if (run.cycles != 0 && !run.intervals.empty()) separate_outside(run);
  } catch (const json::exception& error) {
    throw input_error(file, 0, std::string("is not what gt200 run writes: ") + error.what());
  }
  if (run.cycles == 0) throw input_error(file, 0, "no launch has run");
  const std::string log = folder + "/trace.log";
  try {
    if (std::filesystem::exists(log)) run.traced = read_latencies(log);
  } catch (const input_error& error) {  // the results of the run are whole
    run.log_error = error.what();
  }
  const auto more_slots = [](const auto& a, const auto& b) { return a.slots > b.slots; };
  std::stable_sort(run.instructions.begin(), run.instructions.end(), more_slots);
  std::stable_sort(run.lines.begin(), run.lines.end(), more_slots);
  return run;
}

}  // namespace gt200::observe::report
