#include "apps/sweep/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "observe/csv_field.h"
#include "observe/statistics_counters.h"
#include "toolchain/error.h"

namespace gt200::apps::sweep {
namespace {

using json = nlohmann::ordered_json;

// Sums over all launches of a run.
struct sums {
  std::uint64_t core_cycles = 0;
  std::uint64_t femtoseconds = 0;
  std::uint64_t slots = 0;
  std::uint64_t issued = 0;
  std::uint64_t resident_warp_cycles = 0;
};

sums sums_of(const json& stats) {
  sums result;
  for (const json& launch : stats.at("launches")) {
    result.core_cycles += launch.at("core_cycles").get<std::uint64_t>();
    result.femtoseconds +=
        launch.at("ended_at_fs").get<std::uint64_t>() - launch.at("began_at_fs").get<std::uint64_t>();
    const json& accounting = launch.at("cycle_accounting");
    for (const auto& [cause, count] : accounting.at("total").items()) result.slots += count.get<std::uint64_t>();
    result.issued += accounting.at("total").at("issued").get<std::uint64_t>();
    for (const json& sm : accounting.at("sms"))
      result.resident_warp_cycles += sm.at("resident_warp_cycles").get<std::uint64_t>();
  }
  return result;
}

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::uint64_t sm_cycles(const json& stats, const sums& s) {
  return s.core_cycles * stats.at("chip").at("sms").get<std::uint64_t>();
}

struct column {
  const char* name;
  const char* meaning;
  std::string (*text)(const json& stats, const sums& s);
};

constexpr column columns[] = {
    {"end", "how the last launch ended",
     [](const json& j, const sums&) { return j.at("result").at("end").get<std::string>(); }},
    {"passed", "true, false, or empty when nothing was checked",
     [](const json& j, const sums&) {
       const json& passed = j.at("result").at("passed");
       return passed.is_null() ? std::string() : passed.dump();
     }},
    {"core_cycles", "of all launches", [](const json&, const sums& s) { return std::to_string(s.core_cycles); }},
    {"microseconds", "simulated, of all launches",
     [](const json&, const sums& s) { return fmt::format("{:.6f}", static_cast<double>(s.femtoseconds) * 1e-9); }},
    {"warp_instructions", "issued", [](const json&, const sums& s) { return std::to_string(s.issued); }},
    {"ipc", "warp instructions per core cycle and SM",
     [](const json& j, const sums& s) { return fmt::format("{:.6f}", ratio(s.issued, sm_cycles(j, s))); }},
    {"resident_warps", "per SM, on average",
     [](const json& j, const sums& s) {
       return fmt::format("{:.4f}", ratio(s.resident_warp_cycles, sm_cycles(j, s)));
     }},
    {"issued_share", "issue slots used",
     [](const json&, const sums& s) { return fmt::format("{:.6f}", ratio(s.issued, s.slots)); }},
};

// Causes in the order of the first result that has any; the order is the same in all results of one version.
std::vector<std::string> causes_of(const std::vector<row>& rows) {
  std::vector<std::string> result;
  for (const row& r : rows) {
    if (r.stats.is_null() || r.stats.at("launches").empty()) continue;
    for (const auto& [cause, count] : r.stats.at("launches").at(0).at("cycle_accounting").at("total").items())
      if (cause != "issued") result.push_back(cause);
    break;
  }
  return result;
}

std::string share_of_cause(const json& stats, const sums& s, const std::string& cause) {
  std::uint64_t count = 0;
  for (const json& launch : stats.at("launches"))
    count += launch.at("cycle_accounting").at("total").at(cause).get<std::uint64_t>();
  return fmt::format("{:.6f}", ratio(count, s.slots));
}

// Empty when the run has no such counter.
std::string counter_sum(const json& stats, const std::string& kind) {
  bool found = false;
  std::uint64_t sum = 0;
  for (const json& counter : stats.at("counters")) {
    if (observe::kind_path(counter.at("path").get<std::string>()) != kind) continue;
    found = true;
    sum += counter.at("value").get<std::uint64_t>();
  }
  return found ? std::to_string(sum) : std::string();
}

std::string line(const std::vector<std::string>& fields) {
  std::string text;
  for (std::size_t i = 0; i < fields.size(); ++i) text += (i == 0 ? "" : ",") + observe::csv_field(fields[i]);
  return text + "\n";
}

}  // namespace

std::string column_help() {
  std::string text;
  for (const column& c : columns) text += fmt::format("  {:<20}{}\n", c.name, c.meaning);
  return text + "  ..._share            issue slots lost to each cause\n";
}

std::string csv(const std::vector<axis>& axes, const std::vector<row>& rows,
                const std::vector<std::string>& counters) {
  const std::vector<std::string> causes = causes_of(rows);
  std::vector<std::string> names;
  for (const axis& a : axes) names.push_back(a.name());
  names.emplace_back("exit_code");
  for (const column& c : columns) names.emplace_back(c.name);
  for (const std::string& cause : causes) names.push_back(cause + "_share");
  names.insert(names.end(), counters.begin(), counters.end());
  std::string text = line(names);

  std::vector<bool> counter_found(counters.size(), false);
  bool any_stats = false;
  for (const row& r : rows) {
    std::vector<std::string> fields;
    for (std::size_t i = 0; i < axes.size(); ++i) fields.push_back(axes[i].values[r.values[i]]);
    fields.push_back(std::to_string(r.exit_code));
    if (!r.stats.is_null()) {
      any_stats = true;
      const sums s = sums_of(r.stats);
      for (const column& c : columns) fields.push_back(c.text(r.stats, s));
      for (const std::string& cause : causes) fields.push_back(share_of_cause(r.stats, s, cause));
      for (std::size_t i = 0; i < counters.size(); ++i) {
        fields.push_back(counter_sum(r.stats, counters[i]));
        if (!fields.back().empty()) counter_found[i] = true;
      }
    }
    fields.resize(names.size());
    text += line(fields);
  }
  for (std::size_t i = 0; any_stats && i < counters.size(); ++i)
    if (!counter_found[i])
      throw input_error("--counter " + counters[i], 0,
                        "no result has such a counter; stats.json lists them, here without their indices");
  return text;
}

}  // namespace gt200::apps::sweep
