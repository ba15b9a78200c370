#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "observe/report/causes.h"
#include "observe/report/charts.h"
#include "observe/report/explorer.h"
#include "observe/report/html.h"
#include "observe/report/pages.h"
#include "observe/report/run_data.h"
#include "observe/summary.h"
#include "sc_models/config/peaks.h"

namespace gt200::observe::report {
namespace {

constexpr std::size_t max_launches = 64;
constexpr std::size_t max_instructions = 40;

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string percent(double fraction) { return fmt::format("{:.2f} %", 100 * fraction); }

// The outcome of the checks, and why a run did not end normally.
std::string outcome_of(const json& result) {
  const auto message = result.at("message").get<std::string>();
  const std::string why = message.empty() ? "" : ": " + message;
  if (result.at("checks").get<std::uint64_t>() == 0) return ", results not checked" + why;
  return (result.at("passed") == json(true) ? ", results correct" : ", RESULTS WRONG") + why;
}

std::string overview(const run_files& run) {
  const json& result = run.stats.at("result");
  const json& program = run.stats.at("program");
  std::uint64_t issued = 0;
  for (const cause_slots& s : run.slots)
    if (s.cause == "issued") issued = s.slots;
  std::string command;
  for (const json& word : run.stats.at("command_line"))
    command += (command.empty() ? "" : " ") + word.get<std::string>();
  const double dram = static_cast<double>(run.dram_bytes()) / run.seconds * 1e-9;
  const double arithmetic = static_cast<double>(run.flops()) / run.seconds * 1e-9;
  return table({"", ""},
               {{"program", escaped(program.at("source").get<std::string>())},
                {"command", "<code>" + escaped(command) + "</code>"},
                {"end", escaped(result.at("end").get<std::string>() + outcome_of(result))},
                {"core cycles", grouped(run.cycles) + " in launches" +
                                    (run.cycles_outside() == 0
                                         ? ""
                                         : fmt::format(", and {} outside of them: start-up, and gaps between them",
                                                       grouped(run.cycles_outside())))},
                {"simulated time", fmt::format("{:.3f} us", run.seconds * 1e6)},
                {"warp instructions", grouped(issued)},
                {"IPC per SM", fmt::format("{:.3f}", ratio(issued, run.cycles * run.config.chip.sms()))},
                {"DRAM", rate_of_peak(dram, "GB/s", config::peak_dram_bytes_per_second(run.config) * 1e-9)},
                {"arithmetic", rate_of_peak(arithmetic, "GFLOP/s", config::peak_single_flops(run.config) * 1e-9)},
                {"configuration", escaped(run.stats.at("configuration_hash").get<std::string>())}},
               2);
}

std::string launches(const run_files& run) {
  std::vector<std::vector<std::string>> rows;
  const json& all = run.stats.at("launches");
  for (const json& l : all) {
    if (rows.size() == max_launches) break;
    const auto extent = [](const json& size) {
      std::string text;
      for (const json& n : size) text += (text.empty() ? "" : " x ") + n.dump();
      return text;
    };
    rows.push_back({escaped(l.at("kernel").get<std::string>()), extent(l.at("grid")), extent(l.at("block")),
                    grouped(l.at("core_cycles").get<std::uint64_t>()),
                    grouped(l.at("cycle_accounting").at("total").at("issued").get<std::uint64_t>()),
                    escaped(l.at("end").get<std::string>())});
  }
  return table({"kernel", "grid", "block", "core cycles", "warp instructions", "end"}, rows, 1, "launches") +
         (all.size() > rows.size() ? fmt::format("<p>and {} more</p>\n", all.size() - rows.size()) : "");
}

std::string accounting(const run_files& run) {
  std::vector<cause_slots> sorted = run.slots;
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.slots > b.slots; });
  std::vector<std::vector<std::string>> rows;
  for (const cause_slots& s : sorted)
    if (s.slots != 0)
      rows.push_back({cause_name(s.cause),
                      bar(ratio(s.slots, run.all_slots()), colour_of(number_of_cause(s.cause))), grouped(s.slots),
                      percent(ratio(s.slots, run.all_slots()))});
  return table({"cause", "", "issue slots", "share"}, rows, 2);
}

// A stacked bar per SM.
std::string sms(const run_files& run) {
  constexpr unsigned height = 13, left = 150, width = 800;
  std::string drawing = fmt::format("<svg width=\"{}\" height=\"{}\" font-size=\"11\">\n", left + width + 10,
                                    height * run.sms.size() + 4);
  for (std::size_t i = 0; i < run.sms.size(); ++i) {
    const sm_figures& sm = run.sms[i];
    std::uint64_t all = 0;
    for (const cause_slots& s : sm.slots) all += s.slots;
    drawing += fmt::format("<text x=\"0\" y=\"{}\">{}</text>\n", height * i + 10, escaped(sm.path));
    double x = left;
    for (const cause_slots& s : sm.slots) {
      const double w = ratio(s.slots, all) * width;
      if (s.slots != 0)
        drawing += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\" fill=\"{}\"><title>{}: {} "
            "({})</title></rect>\n",
            x, height * i + 1, w, height - 2, colour_of(number_of_cause(s.cause)), escaped(text_of_cause(s.cause)),
            grouped(s.slots), percent(ratio(s.slots, all)));
      x += w;
    }
  }
  std::vector<std::vector<std::string>> occupancy;
  const unsigned most = run.config.tpc.sm.limits.warps;
  for (const sm_figures& sm : run.sms) {
    const double warps = ratio(sm.resident_warp_cycles, run.cycles);
    occupancy.push_back({escaped(sm.path), bar(warps / most, "#1971c2"), fmt::format("{:.1f} of {}", warps, most)});
  }
  return drawing + "</svg>\n<details><summary>occupancy</summary>" +
         table({"SM", "", "resident warps"}, occupancy, 2) + "</details>\n";
}

// Attainable and achieved operations per second against operations per DRAM byte, both axes logarithmic.
std::string roofline(const run_files& run) {
  if (run.flops() == 0 || run.dram_bytes() == 0) return {};
  constexpr double left = 60, top = 10, width = 620, height = 300, x_low = -3, x_high = 4;  // decades
  const double bandwidth = config::peak_dram_bytes_per_second(run.config) * 1e-9;
  const double single = config::peak_single_flops(run.config) * 1e-9;
  const double doubles = config::peak_double_flops(run.config) * 1e-9;
  const double y_high = std::ceil(std::log10(single)), y_low = y_high - 5;
  const auto x_of = [&](double intensity) {
    return left + (std::log10(intensity) - x_low) / (x_high - x_low) * width;
  };
  const auto y_of = [&](double rate) {
    return top + (y_high - std::max(std::log10(rate), y_low)) / (y_high - y_low) * height;
  };
  const double intensity = ratio(run.flops(), run.dram_bytes());
  const double rate = static_cast<double>(run.flops()) / run.seconds * 1e-9;
  std::string drawing =
      fmt::format("<svg width=\"{}\" height=\"{}\" font-size=\"11\">\n", left + width + 20, top + height + 40);
  for (int decade = static_cast<int>(y_low); decade <= y_high; ++decade)
    drawing += fmt::format(
        "<line x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\" stroke=\"#dde1e7\"/><text x=\"0\" "
        "y=\"{2:.1f}\">{3:g} GFLOP/s</text>\n",
        left + 20, left + width, y_of(std::pow(10, decade)), std::pow(10, decade));
  for (int decade = static_cast<int>(x_low); decade <= x_high; ++decade)
    drawing += fmt::format("<text x=\"{:.1f}\" y=\"{}\">{:g}</text>\n", x_of(std::pow(10, decade)),
                           top + height + 16, std::pow(10, decade));
  drawing += fmt::format("<text x=\"{}\" y=\"{}\">operations per byte of DRAM</text>\n", left + width / 2,
                         top + height + 32);
  for (const auto& [peak, name] :
       {std::pair{single, "single precision MAD"}, std::pair{doubles, "double precision"}}) {
    if (peak == 0) continue;
    const double corner = peak / bandwidth;
    drawing += fmt::format(
        "<polyline fill=\"none\" stroke=\"#1971c2\" points=\"{:.1f},{:.1f} {:.1f},{:.1f} {:.1f},{:.1f}\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\">{} {:.0f}</text>\n",
        x_of(std::pow(10, y_low) / bandwidth), y_of(std::pow(10, y_low)), x_of(corner), y_of(peak), left + width,
        y_of(peak), left + width - 170, y_of(peak) - 4, name, peak);
  }
  const double shown = std::min(std::max(intensity, std::pow(10, x_low)), std::pow(10, x_high));
  drawing +=
      fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\" fill=\"#e03131\"/>\n", x_of(shown), y_of(rate));
  return drawing + fmt::format("</svg>\n<p>{:.3f} operations per byte, {:.2f} GFLOP/s</p>\n", intensity, rate);
}

std::string instructions(const run_files& run) {
  std::vector<std::vector<std::string>> rows;
  for (const instruction_figures& i : run.instructions) {
    if (rows.size() == max_instructions) break;
    rows.push_back(
        {escaped(i.kernel), fmt::format("<code>{:#06x}</code>", i.pc), "<code>" + escaped(i.text) + "</code>",
         bar(ratio(i.slots, run.all_slots()) * 4, colour_of(number_of_cause(i.most.cause))),
         percent(ratio(i.slots, run.all_slots())), grouped(i.issued),
         fmt::format("{:.1f}", ratio(i.lanes, i.issued)),
         fmt::format("{} {}", percent(ratio(i.most.slots, i.slots)), escaped(text_of_cause(i.most.cause)))});
  }
  return table({"kernel", "pc", "instruction", "", "of all slots", "issued", "lanes", "mostly"}, rows, 4);
}

std::string lines(const run_files& run) {
  std::vector<std::vector<std::string>> rows;
  for (const line_figures& l : run.lines) {
    if (rows.size() == max_instructions) break;
    const auto most = std::max_element(l.causes.begin(), l.causes.end(),
                                       [](const auto& a, const auto& b) { return a.slots < b.slots; });
    rows.push_back(
        {fmt::format("{}", l.line), "<code>" + escaped(run.text_of_line(l.line)) + "</code>",
         bar(ratio(l.slots, run.all_slots()) * 4, colour_of(number_of_cause(most->cause))), grouped(l.slots),
         percent(ratio(l.slots, run.all_slots())), grouped(l.issued),
         fmt::format("{} {}", percent(ratio(most->slots, l.slots)), escaped(text_of_cause(most->cause)))});
  }
  return table({"line", "source", "", "slots", "of all", "issued", "mostly"}, rows, 3);
}

std::string caches(const run_files& run) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [kind, hits] : run.counters) {
    const std::size_t dot = kind.rfind('.');
    const std::string name = kind.substr(dot + 1), module = kind.substr(0, dot);
    if (name != "hits" && name != "l1_hits") continue;
    const std::string prefix = module + (name == "hits" ? "." : ".l1_");
    // Stores wait for lines as well; hits and misses are of loads.
    const std::uint64_t merged = run.counter(prefix + "merged") - run.counter(prefix + "merged_stores");
    const std::uint64_t all = hits + run.counter(prefix + "misses") + merged;
    rows.push_back({escaped(module), bar(ratio(hits, all), "#2f9e44"), percent(ratio(hits, all)),
                    percent(ratio(merged, all)), grouped(all)});
  }
  return table({"cache", "", "hits", "merged", "look-ups"}, rows, 2, "caches");
}

// Bytes read and written by each partition.
std::string dram(const run_files& run) {
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> bytes;
  std::uint64_t most = 1;
  for (const auto& [path, value] : run.instances) {
    const std::size_t dot = path.rfind('.');
    const std::string name = path.substr(dot + 1);
    if (name == "read_bytes") bytes[path.substr(0, dot)].first += value;
    if (name == "written_bytes") bytes[path.substr(0, dot)].second += value;
  }
  for (const auto& [path, b] : bytes) most = std::max(most, b.first + b.second);
  std::vector<std::vector<std::string>> rows;
  for (const auto& [path, b] : bytes)
    rows.push_back(
        {escaped(path), bar(ratio(b.first + b.second, most), "#1971c2"), grouped(b.first), grouped(b.second)});
  return table({"controller", "", "bytes read", "bytes written"}, rows, 2, "dram");
}

// A list of the texts of a member of stats.json; empty without it.
std::string list_of(const run_files& run, const char* member) {
  const auto found = run.stats.find(member);
  if (found == run.stats.end()) return "";
  std::string items;
  for (const auto& hint : *found) items += "<li>" + escaped(hint.get<std::string>()) + "</li>\n";
  return "<ul>\n" + items + "</ul>\n";
}

std::string counters(const run_files& run) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [kind, value] : run.counters) {
    const auto unit = run.units.find(kind);
    rows.push_back({escaped(kind), grouped(value), unit == run.units.end() ? "" : escaped(unit->second)});
  }
  return table({"counter, all instances", "value", "unit"}, rows, 1, "counters");
}

std::string charts_of_traced(const run_files& run) {
  if (!run.log_error.empty()) return "<p>" + escaped(run.log_error) + "</p>\n";
  return run.traced ? charts_of_latencies(*run.traced) : "";
}

}  // namespace

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string show(const run_files& run, page_style style) {
  const std::string title = "Run of " + run.stats.at("program").at("source").get<std::string>();
  const bool explorer = style == page_style::explorer && has_explorer() && !run.intervals.empty();
  const std::string about = section("Hints", list_of(run, "hints")) + section("Overview", overview(run)) +
                            section("How far to trust it", list_of(run, "trust")) +
                            section("Launches", launches(run));
  const std::string more =
      section("Registers: needed, of those given", charts_of_registers(run)) +
      section("Latencies", charts_of_traced(run)) + section("Latencies and queues", table_of_distributions(run)) +
      section("Caches and TLBs", caches(run)) + section("DRAM", dram(run)) + folded("All counters", counters(run)) +
      folded("Configuration", "<pre tabindex=\"0\">" + escaped(run.config_text) + "</pre>");
  if (explorer) return explorer_page(title, about + "<div id=\"explorer\"></div>\n" + more, run_data(run));
  return page(title, (style == page_style::explorer ? static_note() : "") + about +
                         section("Where the issue slots went", accounting(run)) +
                         section("Over time", charts_over_time(run)) + section("By SM", sms(run)) +
                         section("Roofline", roofline(run)) + section("Hottest lines of the source", lines(run)) +
                         section("Hottest instructions", instructions(run)) + more);
}

}  // namespace gt200::observe::report
