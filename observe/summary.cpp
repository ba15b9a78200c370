#include "observe/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "observe/grid_hints.h"
#include "sc_models/config/peaks.h"

namespace gt200::observe {
namespace {

constexpr std::size_t listed_launches = 8;
constexpr std::size_t listed_instructions = 6;
constexpr unsigned bar_width = 40;

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string time_text(tlm_bus::femtoseconds time) {
  const double us = static_cast<double>(time) * 1e-9;
  return us < 1000 ? fmt::format("{:.3f} us", us) : fmt::format("{:.3f} ms", us / 1000);
}

std::string percent(double fraction) { return fmt::format("{:.1f} %", 100 * fraction); }

// "grid 16 x 1, block 256 x 1 x 1", without trailing ones.
template <std::size_t n>
std::string extent(const std::array<std::uint32_t, n>& size) {
  std::size_t last = n;
  while (last > 1 && size[last - 1] == 1) --last;
  std::string text = std::to_string(size[0]);
  for (std::size_t i = 1; i < last; ++i) text += " x " + std::to_string(size[i]);
  return text;
}

std::string launch_lines(const std::vector<launch_record>& launches) {
  std::string text;
  if (launches.size() <= listed_launches) {
    for (const launch_record& l : launches)
      text += labelled("kernel", fmt::format("{}, grid {}, block {}: {} core cycles, {}", l.kernel, extent(l.grid),
                                             extent(l.block), grouped(l.cycles), time_text(l.duration())));
    return text;
  }
  struct group {
    std::uint64_t launches = 0;
    std::uint64_t cycles = 0;
    tlm_bus::femtoseconds time = 0;
  };
  std::map<std::string, group> kernels;
  for (const launch_record& l : launches) {
    group& g = kernels[l.kernel];
    ++g.launches;
    g.cycles += l.cycles;
    g.time += l.duration();
  }
  for (const auto& [name, g] : kernels)
    text += labelled("kernel", fmt::format("{}, {} launches, {} core cycles, {}", name, g.launches,
                                           grouped(g.cycles), time_text(g.time)));
  return text;
}

// The bytes transferred over PCI Express, and the simulated time of the whole run including the transfers.
std::string copy_line(const statistics& source) {
  const model::host& host = source.chip().host;
  if (host.bytes_to_device.value() + host.bytes_from_device.value() == 0) return {};
  return labelled(
      "copies",
      fmt::format("{} B to the device, {} B back; {} simulated in all", grouped(host.bytes_to_device.value()),
                  grouped(host.bytes_from_device.value()), time_text(sc_core::sc_time_stamp().value())));
}

// Counters of the same kind, added up over all instances.
class kind_totals {
 public:
  kind_totals(const statistics& source, const launch_record& total) {
    std::string_view module;  // of the last counter, with its kind: the counters of a module follow each other
    std::string kind;
    std::size_t kind_of_module = 0;
    for (std::size_t i = 0; i < total.counters.size(); ++i) {
      const std::string& path = source.counters()[i].path;
      const std::string_view of = std::string_view(path).substr(0, path.rfind('.') + 1);
      if (of == module) {
        kind.resize(kind_of_module);
        kind.append(path, of.size(), std::string::npos);
      } else {
        kind = kind_path(path);
        module = of;
        kind_of_module = kind.size() - (path.size() - of.size());
      }
      const auto [found, fresh] = totals_.try_emplace(kind, 0);
      if (fresh) {
        order_.push_back(kind);
        units_[kind] = source.counters()[i].counter->unit();
      }
      found->second += total.counters[i];
    }
  }
  std::string unit_of(const std::string& kind) const {
    const auto found = units_.find(kind);
    return found == units_.end() ? "" : found->second;
  }
  std::uint64_t of(const std::string& kind) const {
    const auto found = totals_.find(kind);
    return found == totals_.end() ? 0 : found->second;
  }
  // The sum of all counters with this last name, in any module.
  std::uint64_t sum_of(const std::string& name) const {
    std::uint64_t sum = 0;
    for (const std::string& kind : order_)
      if (kind.substr(kind.rfind('.') + 1) == name) sum += of(kind);
    return sum;
  }
  // Modules that count `name`, in hierarchy order: "tpc.sm.icache".
  std::vector<std::string> modules_with(const std::string& name) const {
    std::vector<std::string> modules;
    for (const std::string& kind : order_) {
      const std::size_t dot = kind.rfind('.');
      if (dot != std::string::npos && kind.substr(dot + 1) == name) modules.push_back(kind.substr(0, dot));
    }
    return modules;
  }

 private:
  std::map<std::string, std::uint64_t> totals_;
  std::map<std::string, std::string> units_;
  std::vector<std::string> order_;
};

std::string accounting_lines(const slot_counts& slots, std::uint64_t all) {
  std::vector<std::size_t> order(slots.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return slots[a] > slots[b]; });
  std::string text = labelled("issue slots", grouped(all) + ", spent on");
  for (const std::size_t i : order) {
    if (slots[i] == 0) break;
    const double part = ratio(slots[i], all);
    const auto bar = static_cast<unsigned>(std::lround(part * bar_width));
    text += fmt::format("  {:<26}{:>6.2f} %  {}\n", model::stall_cause_names[i].text, 100 * part,
                        std::string(bar, '#'));
  }
  return text;
}

// The instructions with the most issue slots, over all launches.
std::string instruction_lines(const std::vector<launch_record>& launches, std::uint64_t all_slots) {
  struct entry {
    std::string text;
    slot_counts slots{};
    std::uint64_t sum() const { return std::accumulate(slots.begin(), slots.end(), std::uint64_t{0}); }
  };
  std::map<std::pair<std::string, std::uint32_t>, entry> entries;  // by kernel and pc
  std::set<std::string> kernels;
  for (const launch_record& l : launches) {
    kernels.insert(l.kernel);
    for (const instruction_record& i : l.instructions) {
      entry& e = entries[{l.kernel, i.pc}];
      e.text = i.line == 0 ? i.text : fmt::format("{} (line {})", i.text, i.line);
      for (std::size_t cause = 0; cause < e.slots.size(); ++cause) e.slots[cause] += i.use.slots[cause];
    }
  }
  std::vector<decltype(entries)::const_iterator> order;
  for (auto i = entries.cbegin(); i != entries.cend(); ++i) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a->second.sum() > b->second.sum(); });
  if (order.size() > listed_instructions) order.resize(listed_instructions);
  std::string text = order.empty() ? "" : labelled("hottest", "instructions, with the slots charged to them");
  std::size_t width = 0;
  for (const auto& i : order) width = std::max(width, i->second.text.size());
  for (const auto& i : order) {
    const slot_counts& slots = i->second.slots;
    const auto most = static_cast<std::size_t>(std::max_element(slots.begin(), slots.end()) - slots.begin());
    text += fmt::format("  {}0x{:04x} {:<{}}{:>7.2f} %  of these {:.0f} % {}\n",
                        kernels.size() > 1 ? i->first.first + " " : "", i->first.second, i->second.text, width,
                        100 * ratio(i->second.sum(), all_slots), 100 * ratio(slots[most], i->second.sum()),
                        model::stall_cause_names[most].text);
  }
  return text;
}

std::string tracking_line(const statistics& source, const launch_record& total) {
  const model::chip& chip = source.chip();
  const auto mechanism = static_cast<std::size_t>(chip.config.tpc.sm.scoreboard.mechanism);
  const model::tracking_cost cost = chip.sms().front()->probe().dependency_hardware();
  return labelled(
      "dependencies",
      fmt::format("{} per SM: {} + {} bits, {} comparators, {} read ports; {:.2f} probes per instruction",
                  config::choice_names<config::scoreboard_mechanism>[mechanism], grouped(cost.storage_bits),
                  grouped(cost.flag_storage_bits + cost.vector_bits), grouped(cost.comparators),
                  grouped(cost.read_ports), ratio(total.dependency_probes(), total.issued())));
}

double giga_per_second(std::uint64_t count, tlm_bus::femtoseconds time) {
  return time == 0 ? 0 : static_cast<double>(count) / (static_cast<double>(time) * 1e-15) * 1e-9;
}

std::string memory_lines(const kind_totals& totals, const config::gpu_config& config, tlm_bus::femtoseconds time) {
  const std::uint64_t small = totals.of("tpc.memory.coalescer.transactions_32");
  const std::uint64_t middle = totals.of("tpc.memory.coalescer.transactions_64");
  const std::uint64_t large = totals.of("tpc.memory.coalescer.transactions_128");
  const std::uint64_t atomics = totals.of("tpc.memory.coalescer.atomics");
  const std::uint64_t asked = totals.of("tpc.memory.coalescer.bytes_requested");
  const std::uint64_t moved = totals.of("tpc.memory.coalescer.bytes_transferred");
  std::string text;
  if (small + middle + large + atomics != 0) {
    text += labelled("transactions", fmt::format("{} of 32 B, {} of 64 B, {} of 128 B, {} atomic", grouped(small),
                                                 grouped(middle), grouped(large), grouped(atomics)));
    std::string share = moved == 0 ? "-" : percent(ratio(asked, moved));
    if (asked > moved) share += ", lanes share words";
    text += labelled("bytes", fmt::format("{} asked for by lanes, {} moved (asked for / moved {}), {:.2f} GB/s",
                                          grouped(asked), grouped(moved), share, giga_per_second(moved, time)));
  }
  const std::uint64_t read = totals.sum_of("read_bytes");
  const std::uint64_t written = totals.sum_of("written_bytes");
  if (read + written != 0) {
    std::string line = fmt::format("{} B read, {} B written, {}", grouped(read), grouped(written),
                                   rate_of_peak(giga_per_second(read + written, time), "GB/s",
                                                config::peak_dram_bytes_per_second(config) * 1e-9));
    const std::uint64_t hits = totals.of("partition.dram.controller.row_hits");
    const std::uint64_t misses = totals.of("partition.dram.controller.row_misses");
    if (hits + misses != 0) line += ", row hits " + percent(ratio(hits, hits + misses));
    text += labelled("DRAM", line);
  }
  return text;
}

// The rate of floating-point operations. Predicated-off lanes count too, because they take issue slots.
std::string arithmetic_line(const std::vector<launch_record>& launches, const config::gpu_config& config,
                            tlm_bus::femtoseconds time) {
  std::uint64_t operations = 0;
  for (const launch_record& l : launches)
    for (const instruction_record& i : l.instructions) operations += i.flops * i.use.lanes;
  if (operations == 0) return {};
  return labelled("arithmetic",
                  fmt::format("{} floating-point operations, {} (MAD, single precision)", grouped(operations),
                              rate_of_peak(giga_per_second(operations, time), "GFLOP/s",
                                           config::peak_single_flops(config) * 1e-9)));
}

// Loads or look-ups that waited for a line already being fetched: neither a hit nor a fetch.
std::string merged_text(std::uint64_t merged, std::uint64_t all) {
  return merged == 0 ? "" : fmt::format(", {:.2f} % merged", 100 * ratio(merged, all));
}

std::string cache_lines(const kind_totals& totals) {
  std::string text;
  for (const std::string& module : totals.modules_with("hits")) {
    const std::uint64_t hits = totals.of(module + ".hits");
    const std::uint64_t misses = totals.of(module + ".misses");
    // Stores wait for lines as well; hits and misses are of loads.
    const std::uint64_t merged = totals.of(module + ".merged") - totals.of(module + ".merged_stores");
    const std::uint64_t all = hits + misses + merged;
    const std::string unit = totals.unit_of(module + ".hits");
    const std::string miss_unit = totals.unit_of(module + ".misses");
    if (all == 0) continue;
    if (unit == miss_unit)
      text += fmt::format("  {:<26}{:>6.2f} %  of {} {}{}\n", module, 100 * ratio(hits, all), grouped(all), unit,
                          merged_text(merged, all));
    else
      text += fmt::format("  {:<26}{} {} hit, {} {} missed\n", module + " ", grouped(hits), unit, grouped(misses),
                          miss_unit);
  }
  const std::uint64_t hits = totals.of("tpc.memory.tlb.l1_hits");
  const std::uint64_t misses = totals.of("tpc.memory.tlb.l1_misses");
  const std::uint64_t both = totals.of("tpc.memory.tlb.l2_misses");
  if (hits + misses != 0)
    text += fmt::format("  {:<26}{:>6.2f} %  of {}, {} missed both levels\n", "tpc.memory.tlb",
                        100 * ratio(hits, hits + misses), grouped(hits + misses), grouped(both));
  return text.empty() ? text : labelled("hits", "") + text;
}

// One line per path of memory accesses, and per kind of queue that was full at times.
std::string latency_lines(const statistics& source, const launch_record& total, const kind_totals& totals) {
  std::string latencies, queues;
  for (const auto& [kind, about, values] : distributions_of(source.histograms(), total.histograms)) {
    const std::size_t dot = kind.rfind('.');
    const bool queue = kind.substr(dot) == ".used";
    if (queue && totals.of(kind.substr(0, dot) + ".full_cycles") == 0) continue;
    (queue ? queues : latencies) += fmt::format(
        "  {:<40}{:>12} x {:>8.1f} {}, half at most {}, 90 % {}, 99 % {}, all {}\n", kind, grouped(values.total()),
        values.average(), about->unit(), grouped(values.percentile(0.5)), grouped(values.percentile(0.9)),
        grouped(values.percentile(0.99)), grouped(values.percentile(1)));
  }
  if (!latencies.empty()) latencies = labelled("latencies", "number x average") + latencies;
  if (!queues.empty()) queues = labelled("full queues", "cycles with entries x average") + queues;
  return latencies + queues;
}

std::string program_lines(const kind_totals& totals, const launch_record& total) {
  // Volta has these stages in each processing block.
  const auto of_stage = [&totals](const char* in_sm, const char* in_block, const std::string& counter) {
    return totals.of(in_sm + counter) + totals.of(in_block + counter);
  };
  const std::uint64_t threads = of_stage("tpc.sm.issue", "tpc.sm.block.issue", ".thread_instructions");
  std::string text = labelled(
      "instructions", fmt::format("{} warp instructions, {} thread instructions, {:.2f} lanes active",
                                  grouped(total.issued()), grouped(threads), ratio(threads, total.issued())));
  const std::uint64_t branches = of_stage("tpc.sm.branch", "tpc.sm.block.branch_unit", ".branches");
  const std::uint64_t divergent = of_stage("tpc.sm.branch", "tpc.sm.block.branch_unit", ".divergent");
  if (branches != 0)
    text += labelled("branches",
                     fmt::format("{}, {} divergent", grouped(branches), percent(ratio(divergent, branches))));
  const std::uint64_t conflicts = totals.of("tpc.sm.shared_memory.conflict_cycles");
  if (conflicts != 0)
    text += labelled("bank conflicts", fmt::format("{} SM cycles in shared memory", grouped(conflicts)));
  return text;
}

}  // namespace

std::string labelled(const std::string& label, const std::string& text) {
  std::string line = fmt::format("{:<13} {}", label, text);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string rate_of_peak(double rate, const char* unit, double peak) {
  return peak < 1 ? fmt::format("{:.3g} {} of {:.3g}", rate, unit, peak)
                  : fmt::format("{:.2f} {} of {:.1f}", rate, unit, peak);
}

std::string summary(const statistics& source) {
  if (source.launches().empty()) return {};
  const launch_record total = source.total();
  const config::gpu_config& config = source.chip().config;
  const std::uint64_t sms = config.chip.sms();
  const std::uint64_t sm_cycles = total.cycles * sms;
  const std::uint64_t slots = sm_cycles * source.chip().sms().front()->probe().schedulers();
  const std::uint64_t resident =
      std::accumulate(total.sms.begin(), total.sms.end(), std::uint64_t{0},
                      [](std::uint64_t sum, const sm_record& sm) { return sum + sm.resident_warp_cycles; });
  const kind_totals totals(source, total);

  std::string text = source.chip().on_platform() ? labelled("chip", source.chip().name()) : "";
  text += launch_lines(source.launches());
  text += labelled("time",
                   fmt::format("{} core cycles, {} simulated", grouped(total.cycles), time_text(total.duration())));
  text += copy_line(source);
  text += program_lines(totals, total);
  text += labelled("IPC", fmt::format("{:.3f} warp instructions per core cycle and SM ({} SMs)",
                                      ratio(total.issued(), sm_cycles), sms));
  text += labelled("occupancy", fmt::format("{:.1f} of {} warps per SM on average ({})", ratio(resident, sm_cycles),
                                            config.tpc.sm.limits.warps,
                                            percent(ratio(resident, sm_cycles * config.tpc.sm.limits.warps))));
  text += accounting_lines(total.slots(), slots);
  for (const grid_hint& hint : grid_hints(source)) text += labelled("hint", text_of(hint));
  text += instruction_lines(source.launches(), slots);
  if (!config.chip.is_volta()) text += tracking_line(source, total);
  text += arithmetic_line(source.launches(), config, total.duration());
  text += memory_lines(totals, config, total.duration());
  text += cache_lines(totals);
  text += latency_lines(source, total, totals);
  return text;
}

}  // namespace gt200::observe
