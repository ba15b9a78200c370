#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "observe/report/causes.h"
#include "observe/report/explorer.h"
#include "observe/report/html.h"
#include "observe/report/pages.h"
#include "observe/report/run_data.h"
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
    rows.push_back({cause_name(p.cause), bar(std::abs(d) / most, d > 0 ? "#e03131" : "#2f9e44"),
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
  return table({"counter, all instances", "A", "B", "B - A", ""}, rows, 1, "counters");
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

// The core cycles that two runs spent on a line, an instruction, a kernel or a launch.
struct pair_of_cycles {
  std::vector<std::string> names;  // HTML
  double first = 0, second = 0;
  bool in_first = false, in_second = false;
};

std::string cycles_text(double cycles) {
  return cycles == std::floor(cycles) ? grouped(static_cast<std::uint64_t>(cycles)) : fmt::format("{:.1f}", cycles);
}

// Sorted by the size of the difference.
std::string differences(std::vector<std::string> heads, std::vector<pair_of_cycles> parts,
                        const std::string& name) {
  std::stable_sort(parts.begin(), parts.end(), [](const pair_of_cycles& x, const pair_of_cycles& y) {
    return std::abs(x.second - x.first) > std::abs(y.second - y.first);
  });
  std::vector<std::vector<std::string>> rows;
  for (const pair_of_cycles& p : parts) {
    std::vector<std::string> row = p.names;
    const double d = p.second - p.first;
    row.insert(row.end(),
               {p.in_first ? cycles_text(p.first) : "", p.in_second ? cycles_text(p.second) : "",
                fmt::format("<span class=\"{}\">{:+.1f}</span>",
                            d > 0   ? "worse"
                            : d < 0 ? "better"
                                    : "",
                            d),
                p.first > 0 && p.in_second ? fmt::format("{:+.2f} %", 100 * (p.second / p.first - 1)) : ""});
    rows.push_back(std::move(row));
  }
  const std::size_t texts = heads.size();
  heads.insert(heads.end(), {"cycles of A", "cycles of B", "B - A", "change"});
  return table(heads, rows, texts, name);
}

// Adds what a run spent on `key`; `names` are those of its row.
using pairs = std::map<std::vector<std::string>, pair_of_cycles>;
void add(pairs& to, const std::vector<std::string>& key, std::vector<std::string> names, double cycles,
         bool second) {
  pair_of_cycles& p = to.try_emplace(key, pair_of_cycles{std::move(names)}).first->second;
  (second ? p.second : p.first) += cycles;
  (second ? p.in_second : p.in_first) = true;
}

std::vector<pair_of_cycles> values_of(const pairs& from) {
  std::vector<pair_of_cycles> result;
  for (const auto& [key, p] : from) result.push_back(p);
  return result;
}

struct kernel_code {
  std::uint64_t launches = 0;
  std::set<std::string> hashes;
};

std::map<std::string, kernel_code> kernels_of(const run_files& run) {
  std::map<std::string, kernel_code> result;
  for (const json& l : run.stats.at("launches")) {
    kernel_code& k = result[l.at("kernel").get<std::string>()];
    ++k.launches;
    if (l.contains("code_hash")) k.hashes.insert(l.at("code_hash").get<std::string>());
  }
  return result;
}

std::string joined(const std::set<std::string>& words) {
  std::string result;
  for (const std::string& w : words) result += (result.empty() ? "" : " ") + w;
  return result;
}

std::string code(const run_files& a, const run_files& b) {
  std::map<std::string, kernel_code> first = kernels_of(a), second = kernels_of(b);
  std::map<std::string, kernel_code> all = first;
  all.insert(second.begin(), second.end());
  std::vector<std::vector<std::string>> rows;
  for (const auto& [name, unused] : all) {
    const kernel_code x = first[name], y = second[name];
    const std::string verdict = x.launches == 0                        ? "only in B"
                                : y.launches == 0                      ? "only in A"
                                : x.hashes.empty() || y.hashes.empty() ? "not known: an older run"
                                : x.hashes == y.hashes                 ? "the same code"
                                                                       : "<b class=\"worse\">the code differs</b>";
    rows.push_back(
        {escaped(name), verdict, joined(x.hashes), joined(y.hashes), grouped(x.launches), grouped(y.launches)});
  }
  return table({"kernel", "code", "hash of A", "hash of B", "launches of A", "launches of B"}, rows, 4, "code");
}

std::string by_kernel(const run_files& a, const run_files& b) {
  pairs all;
  for (const run_files* run : {&a, &b})
    for (const json& l : run->stats.at("launches")) {
      const auto name = l.at("kernel").get<std::string>();
      add(all, {name}, {escaped(name)}, l.at("core_cycles").get<double>(), run == &b);
    }
  return differences({"kernel"}, values_of(all), "kernels");
}

// The n-th launch of a kernel in A beside the n-th in B.
std::string by_launch(const run_files& a, const run_files& b) {
  pairs all;
  for (const run_files* run : {&a, &b}) {
    std::map<std::string, unsigned> seen;
    for (const json& l : run->stats.at("launches")) {
      const auto name = l.at("kernel").get<std::string>();
      const std::string number = std::to_string(++seen[name]);
      add(all, {name, number}, {escaped(name), number}, l.at("core_cycles").get<double>(), run == &b);
    }
  }
  return all.size() < 2 ? "" : differences({"kernel", "its launch"}, values_of(all), "launches");
}

// Lines of the same text are the same, the n-th of A that of B, so that lines which moved are still found.
std::string by_line(const run_files& a, const run_files& b) {
  pairs all;
  for (const run_files* run : {&a, &b}) {
    std::map<std::string, unsigned> seen;
    std::vector<const line_figures*> lines;
    for (const line_figures& l : run->lines) lines.push_back(&l);
    std::sort(lines.begin(), lines.end(), [](const auto* x, const auto* y) { return x->line < y->line; });
    for (const line_figures* l : lines) {
      const std::string text = run->text_of_line(l->line);
      const std::string number = std::to_string(text.empty() ? l->line : ++seen[text]);
      const bool second = run == &b;
      const std::vector<std::string> key = {text, number};
      add(all, key, {"", "", "<code>" + escaped(text) + "</code>"},
          static_cast<double>(l->slots) / static_cast<double>(run->slots_per_cycle()), second);
      all.at(key).names[second ? 1 : 0] = std::to_string(l->line);
    }
  }
  return differences({"line of A", "line of B", "source"}, values_of(all), "lines");
}

std::string by_instruction(const run_files& a, const run_files& b) {
  pairs all;
  for (const run_files* run : {&a, &b}) {
    std::map<std::string, unsigned> seen;
    std::vector<const instruction_figures*> code;
    for (const instruction_figures& i : run->instructions) code.push_back(&i);
    std::sort(code.begin(), code.end(), [](const auto* x, const auto* y) {
      return x->kernel != y->kernel ? x->kernel < y->kernel : x->pc < y->pc;
    });
    for (const instruction_figures* i : code) {
      const bool second = run == &b;
      const std::vector<std::string> key = {i->kernel, i->text, std::to_string(++seen[i->kernel + "\n" + i->text])};
      add(all, key, {escaped(i->kernel), "", "", "<code>" + escaped(i->text) + "</code>"},
          static_cast<double>(i->slots) / static_cast<double>(run->slots_per_cycle()), second);
      all.at(key).names[second ? 2 : 1] = fmt::format("{:#06x}", i->pc);
    }
  }
  return differences({"kernel", "pc of A", "pc of B", "instruction"}, values_of(all), "instructions");
}

}  // namespace

std::string compare(const run_files& first, const run_files& second, page_style style) {
  const std::string note =
      "<p class=\"note\">Lines and instructions are paired by their text. Their cycles are their issue slots "
      "divided by "
      "the slots of the chip per cycle.</p>\n";
  const std::string body = section("Overview", overview(first, second)) + section("Code", code(first, second)) +
                           section("Configuration: what differs", configuration(first, second)) +
                           section("Where the difference in cycles comes from", attribution(first, second)) +
                           section("By kernel", by_kernel(first, second)) +
                           section("By launch", by_launch(first, second)) +
                           section("By source line", by_line(first, second)) +
                           section("By instruction", note + by_instruction(first, second)) +
                           section("Counters", counters(first, second));
  if (style == page_style::explorer && has_explorer())
    return explorer_page("Two runs", body, {{"kind", "comparison"}, {"causes", cause_list()}});
  return page("Two runs", (style == page_style::explorer ? static_note() : "") + body);
}

}  // namespace gt200::observe::report
