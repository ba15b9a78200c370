#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "observe/report/html.h"
#include "observe/report/pages.h"
#include "sc_models/config/schema.h"
#include "sc_models/config/text.h"

namespace gt200::observe::report {
namespace {

std::string signed_text(double value) { return fmt::format("{:+.2f}", value); }

std::string difference(std::uint64_t first, std::uint64_t second) {
  return second >= first ? "+" + grouped(second - first) : "-" + grouped(first - second);
}

std::string relative(std::uint64_t first, std::uint64_t second) {
  if (first == 0) return "";
  return fmt::format("{:+.2f} %", 100 * (static_cast<double>(second) / static_cast<double>(first) - 1));
}

std::uint64_t slots_of(const run_files& run, const std::string& cause) {
  for (const cause_slots& s : run.slots)
    if (s.cause == cause) return s.slots;
  return 0;
}

std::string overview(const run_files& a, const run_files& b) {
  const auto source = [](const run_files& run) {
    return escaped(run.stats.at("program").at("source").get<std::string>());
  };
  return table({"", "A", "B", "B - A", ""},
               {{"folder", escaped(a.folder), escaped(b.folder), "", ""},
                {"program", source(a), source(b), "", ""},
                {"core cycles", grouped(a.cycles), grouped(b.cycles), difference(a.cycles, b.cycles),
                 relative(a.cycles, b.cycles)},
                {"DRAM bytes", grouped(a.dram_bytes()), grouped(b.dram_bytes()),
                 difference(a.dram_bytes(), b.dram_bytes()), relative(a.dram_bytes(), b.dram_bytes())}});
}

std::string attribution(const run_files& a, const run_files& b) {
  struct part {
    std::string cause;
    double first, second;
  };
  std::vector<part> parts;
  for (const cause_slots& s : a.slots)
    parts.push_back({s.cause, static_cast<double>(s.slots) / static_cast<double>(a.slots_per_cycle()),
                     static_cast<double>(slots_of(b, s.cause)) / static_cast<double>(b.slots_per_cycle())});
  std::stable_sort(parts.begin(), parts.end(), [](const part& x, const part& y) {
    return std::abs(x.second - x.first) > std::abs(y.second - y.first);
  });
  const double most = parts.empty() ? 1 : std::max(std::abs(parts[0].second - parts[0].first), 1e-9);
  std::vector<std::vector<std::string>> rows;
  for (const part& p : parts) {
    if (p.first == 0 && p.second == 0) continue;
    const double d = p.second - p.first;
    rows.push_back({escaped(text_of_cause(p.cause)), bar(std::abs(d) / most, d > 0 ? "#e03131" : "#2f9e44"),
                    fmt::format("{:.2f}", p.first), fmt::format("{:.2f}", p.second), signed_text(d)});
  }
  rows.push_back({"<b>all</b>", "", grouped(a.cycles), grouped(b.cycles), difference(a.cycles, b.cycles)});
  return table({"cause", "", "cycles of A", "cycles of B", "B - A"}, rows, 2);
}

std::string counters(const run_files& a, const run_files& b) {
  std::set<std::string> kinds;
  for (const run_files* run : {&a, &b})
    for (const auto& [kind, value] : run->counters) kinds.insert(kind);
  std::vector<std::vector<std::string>> rows;
  for (const std::string& kind : kinds) {
    const std::uint64_t first = a.counter(kind), second = b.counter(kind);
    rows.push_back(
        {escaped(kind), grouped(first), grouped(second), difference(first, second), relative(first, second)});
  }
  return table({"counter, all instances", "A", "B", "B - A", ""}, rows);
}

std::string configuration(const run_files& a, const run_files& b) {
  config::gpu_config first = a.config, second = b.config;
  std::vector<std::vector<std::string>> rows;
  const config::schema of_first(first), of_second(second);
  for (const config::key_info& key : of_first.keys) {
    const config::key_info* other = of_second.find_key(key.path);
    const std::string now = config::value_text(key.value), then = config::value_text(other->value);
    if (now != then) rows.push_back({escaped(key.path), escaped(now), escaped(then)});
  }
  return rows.empty() ? "<p>None.</p>\n" : table({"key", "A", "B"}, rows);
}

}  // namespace

std::string compare(const run_files& first, const run_files& second) {
  return page("Two runs", section("Overview", overview(first, second)) +
                              section("Configuration: what differs", configuration(first, second)) +
                              section("Where the difference in cycles comes from", attribution(first, second)) +
                              section("Counters", counters(first, second)));
}

}  // namespace gt200::observe::report
