#include "observe/report/charts.h"

#include <fmt/format.h>

#include <algorithm>

#include "observe/report/causes.h"
#include "observe/report/html.h"
#include "observe/report/pages.h"
#include "sc_models/config/peaks.h"

namespace gt200::observe::report {
namespace {

constexpr double plot_left = 90, plot_width = 900;
constexpr const char* outside_colour = "#f1e4c8";
constexpr const char* legend_entry =
    "<span style=\"white-space:nowrap\"><span style=\"color:{}\">&#9632;</span> {}&ensp;</span>\n";

std::string drawing(double height, const std::string& content) {
  return fmt::format("<svg width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-size=\"11\">\n{2}</svg>\n",
                     plot_left + plot_width + 10, height, content);
}

std::string text(double x, double y, const std::string& words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", x, y, escaped(words));
}

std::string rectangle(double x, double y, double w, double h, const std::string& colour, const std::string& title) {
  return fmt::format(
      "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"><title>{}</title></rect>\n",
      x, y, w, h, colour, escaped(title));
}

std::uint64_t all_of(const std::vector<cause_slots>& slots) {
  std::uint64_t sum = 0;
  for (const cause_slots& s : slots) sum += s.slots;
  return sum;
}

class time_axis {
 public:
  explicit time_axis(const run_files& run) : last_(static_cast<double>(run.intervals.back().end)) {}
  double x(std::uint64_t cycle) const { return plot_left + plot_width * static_cast<double>(cycle) / last_; }
  double width_of(const interval_figures& i) const { return x(i.end) - x(i.begin); }
  std::string scale(double y) const {
    return text(plot_left, y, "0") + text(plot_left + plot_width - 130, y,
                                          fmt::format("core cycle {}", grouped(static_cast<std::uint64_t>(last_))));
  }

 private:
  double last_;
};

std::string span_of(const interval_figures& i) {
  return fmt::format("core cycles {} to {}", grouped(i.begin), grouped(i.end));
}

std::string accounting(const run_files& run, const time_axis& time) {
  constexpr double height = 180;
  std::string content = text(0, 12, "issue slots");
  for (const interval_figures& i : run.intervals) {
    const double all = static_cast<double>(std::max<std::uint64_t>(all_of(i.slots) + i.outside, 1));
    double y = height;
    for (const cause_slots& s : i.slots) {
      const double h = static_cast<double>(s.slots) / all * height;
      y -= h;
      if (s.slots != 0)
        content += rectangle(time.x(i.begin), y, time.width_of(i), h, colour_of(number_of_cause(s.cause)),
                             fmt::format("{}, {}: {} slots", span_of(i), text_of_cause(s.cause), grouped(s.slots)));
    }
    if (i.outside != 0)
      content += rectangle(time.x(i.begin), 0, time.width_of(i), static_cast<double>(i.outside) / all * height,
                           outside_colour,
                           fmt::format("{}, outside of launches: {} slots", span_of(i), grouped(i.outside)));
  }
  std::string legend = fmt::format(legend_entry, outside_colour, "outside of launches: start-up and gaps");
  for (const cause_slots& s : run.intervals.front().slots)
    legend += fmt::format(legend_entry, colour_of(number_of_cause(s.cause)), escaped(text_of_cause(s.cause)));
  return drawing(height + 16, content + time.scale(height + 13)) + "<p>" + legend + "</p>\n";
}

// Bars of one quantity. A bar of value `max` fills the height of the drawing.
template <class value_of, class title_of>
std::string bars(const run_files& run, const time_axis& time, const std::string& name, double max,
                 const std::string& colour, value_of value, title_of title) {
  constexpr double height = 80;
  std::string content = text(0, 12, name) + text(0, 26, fmt::format("up to {:.4g}", max));
  for (const interval_figures& i : run.intervals) {
    const double h = std::min(value(i) / max, 1.0) * height;
    if (h > 0) content += rectangle(time.x(i.begin), height - h, time.width_of(i), h, colour, title(i));
  }
  return drawing(height + 4, content);
}

std::string figures(const run_files& run) {
  std::vector<std::string> heads = {"to core cycle"};
  for (const cause_slots& s : run.intervals.front().slots) heads.push_back(text_of_cause(s.cause));
  heads.insert(heads.end(),
               {"outside of launches", "resident warp cycles", "DRAM bytes read", "DRAM bytes written"});
  std::vector<std::vector<std::string>> rows;
  for (const interval_figures& i : run.intervals) {
    std::vector<std::string> row = {grouped(i.end)};
    for (const cause_slots& s : i.slots) row.push_back(grouped(s.slots));
    row.insert(row.end(), {grouped(i.outside), grouped(i.resident_warp_cycles), grouped(i.read_bytes),
                           grouped(i.written_bytes)});
    rows.push_back(std::move(row));
  }
  return "<details><summary>the figures</summary>" + table(heads, rows, 0) + "</details>\n";
}

std::uint64_t percentile(const histogram& h, std::uint64_t all, double part) {
  std::uint64_t below = 0;
  for (const auto& [cycles, count] : h) {
    below += count;
    if (static_cast<double>(below) >= part * static_cast<double>(all)) return cycles;
  }
  return h.rbegin()->first;
}

// 1, 2 or 5 times a power of ten, so that at most 60 columns cover 99.5 % of the values.
std::uint64_t column_width(std::uint64_t reach) {
  for (std::uint64_t power = 1;; power *= 10)
    for (const std::uint64_t step : {1, 2, 5})
      if (reach / (power * step) < 60) return power * step;
}

std::string histograms(const std::string& title, const std::map<std::string, histogram>& all) {
  std::string result;
  for (const auto& [name, h] : all) {
    constexpr double height = 70;
    std::uint64_t count = 0, sum = 0;
    for (const auto& [cycles, n] : h) {
      count += n;
      sum += cycles * n;
    }
    const std::uint64_t reach = percentile(h, count, 0.995);
    const std::uint64_t column = column_width(reach);
    std::map<std::uint64_t, std::uint64_t> columns;
    std::uint64_t most = 1;
    for (const auto& [cycles, n] : h) most = std::max(most, columns[std::min(cycles, reach) / column] += n);
    const double step = plot_width / static_cast<double>(reach / column + 1);
    std::string content = text(0, 12, name);
    for (const auto& [number, n] : columns) {
      const bool last = (number + 1) * column > reach;
      const double tall = height * static_cast<double>(n) / static_cast<double>(most);
      content +=
          rectangle(plot_left + step * static_cast<double>(number), height - tall, step * 0.9, tall, "#1971c2",
                    fmt::format("{}{} core cycles: {}", grouped(number * column),
                                last ? " or more" : " to " + grouped((number + 1) * column - 1), grouped(n)));
    }
    content += text(plot_left, height + 13, "0") +
               text(plot_left + plot_width - 110, height + 13, grouped(reach) + " core cycles");
    result +=
        drawing(height + 16, content) +
        fmt::format("<p>{} {}: {:.1f} core cycles on average, half within {}, 95 % within {}, at most {}</p>\n",
                    grouped(count), escaped(title + ", " + name),
                    static_cast<double>(sum) / static_cast<double>(count), grouped(percentile(h, count, 0.5)),
                    grouped(percentile(h, count, 0.95)), grouped(h.rbegin()->first));
  }
  return result;
}

}  // namespace

std::string charts_over_time(const run_files& run) {
  if (run.intervals.empty()) return {};
  const time_axis time(run);
  const double core_seconds = static_cast<double>(run.config.clocks.core_period()) * 1e-15;
  const auto cycles = [](const interval_figures& i) { return static_cast<double>(i.end - i.begin); };
  const auto warps = [&](const interval_figures& i) {
    return static_cast<double>(i.resident_warp_cycles) / cycles(i) / run.config.chip.sms();
  };
  const auto rate = [&](const interval_figures& i) {
    return static_cast<double>(i.read_bytes + i.written_bytes) / (cycles(i) * core_seconds) * 1e-9;
  };
  return accounting(run, time) +
         bars(run, time, "resident warps", run.config.tpc.sm.limits.warps, "#2f9e44", warps,
              [&](const interval_figures& i) { return fmt::format("{}: {:.2f} per SM", span_of(i), warps(i)); }) +
         bars(run, time, "DRAM GB/s", config::peak_dram_bytes_per_second(run.config) * 1e-9, "#1971c2", rate,
              [&](const interval_figures& i) { return fmt::format("{}: {:.2f} GB/s", span_of(i), rate(i)); }) +
         figures(run);
}

std::string charts_of_registers(const run_files& run) {
  std::string result;
  for (const auto& [kernel, given] : run.registers) {
    if (given == 0) continue;
    std::vector<const instruction_figures*> code;
    for (const instruction_figures& i : run.instructions)
      if (i.kernel == kernel) code.push_back(&i);
    if (code.empty()) continue;
    std::sort(code.begin(), code.end(), [](const auto* a, const auto* b) { return a->pc < b->pc; });
    constexpr double height = 100;
    const double step = plot_width / static_cast<double>(code.size());
    unsigned most = 0;
    std::string content = text(0, 12, "registers") + text(0, 26, fmt::format("up to {}", given));
    for (std::size_t i = 0; i < code.size(); ++i) {
      most = std::max(most, code[i]->live_registers);
      const double tall = height * std::min(1.0, static_cast<double>(code[i]->live_registers) / given);
      content += rectangle(plot_left + step * static_cast<double>(i), height - tall, step, tall, "#74c0fc",
                           fmt::format("{:#06x} {}: {} live", code[i]->pc, code[i]->text, code[i]->live_registers));
    }
    content += text(plot_left, height + 13, fmt::format("{:#x}", code.front()->pc)) +
               text(plot_left + plot_width - 60, height + 13, fmt::format("{:#x}", code.back()->pc));
    result +=
        fmt::format("<p>{}: {} registers per thread, at most {} needed at once by instructions that ran</p>\n",
                    escaped(kernel), given, most) +
        drawing(height + 16, content);
  }
  return result;
}

std::string charts_of_latencies(const latencies& all) {
  const std::string loss =
      all.loss.empty() ? "" : fmt::format("<p>T{}. What happened there is not counted.</p>\n", all.loss.substr(1));
  return loss + histograms("instructions, from issue to the end of write-back", all.instructions) +
         histograms("transactions of TPCs, from the crossbar's entry and back", all.from_tpcs) +
         histograms("transactions in a partition", all.in_partitions);
}

// Columns of the powers of two.
static std::string small_columns(const tlm_bus::histogram::values& values) {
  constexpr unsigned step = 6, height = 18;
  const auto count = values.in_bins();
  const std::uint64_t most = *std::max_element(count.begin(), count.end());
  std::string content;
  for (unsigned bin = 0; bin < count.size(); ++bin)
    if (count[bin] != 0) {
      const double tall = 1 + (height - 1) * static_cast<double>(count[bin]) / static_cast<double>(most);
      content +=
          rectangle(step * bin, height - tall, step - 1, tall, "#1971c2",
                    fmt::format("below {}: {}", grouped(tlm_bus::histogram::end_of(bin)), grouped(count[bin])));
    }
  return fmt::format("<svg width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n{2}</svg>", step * count.size(),
                     height, content);
}

std::string table_of_distributions(const run_files& run) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& [kind, values] : run.distributions) {
    const auto unit = run.units.find(kind);
    rows.push_back({escaped(kind), unit == run.units.end() ? "cycles" : escaped(unit->second),
                    small_columns(values), grouped(values.total()), fmt::format("{:.1f}", values.average()),
                    grouped(values.percentile(0.5)), grouped(values.percentile(0.9)),
                    grouped(values.percentile(0.99)), grouped(values.percentile(1))});
  }
  return table({"what", "unit", "", "number", "average", "half at most", "90 %", "99 %", "all"}, rows, 3,
               "distributions");
}

}  // namespace gt200::observe::report
