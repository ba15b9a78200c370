#include "observe/report/run_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "observe/report/causes.h"
#include "sc_models/config/peaks.h"
#include "sc_models/sm/stall_cause.h"

namespace gt200::observe::report {
namespace {

constexpr std::size_t launches_with_sms = 32;

json slots_json(const std::vector<cause_slots>& slots) {
  json result = json::object();
  for (const cause_slots& s : slots)
    if (s.slots != 0) result[s.cause] = s.slots;
  return result;
}

json used(const json& slots) {
  json result = json::object();
  for (const auto& [cause, count] : slots.items())
    if (count != 0) result[cause] = count;
  return result;
}

void add(json& to, const json& slots) {
  if (to.is_null()) to = json::object();
  for (const auto& [cause, count] : slots.items())
    if (count != 0) to[cause] = to.value(cause, std::uint64_t{0}) + count.get<std::uint64_t>();
}

// The instructions of a kernel that ran, by address.
class code_of_kernel {
 public:
  std::size_t index_of(const json& instruction) {
    const auto [at, fresh] = places_.try_emplace(instruction.at("pc").get<std::uint32_t>(), listing_.size());
    if (fresh)
      listing_.push_back({instruction.at("pc"), instruction.at("instruction"), instruction.value("line", 0u),
                          instruction.value("live_registers", 0u)});
    return at->second;
  }
  const json& listing() const { return listing_; }

 private:
  std::map<std::uint32_t, std::size_t> places_;
  json listing_ = json::array();
};

struct kernel_sums {
  code_of_kernel code;
  json slots = json::object();
  std::uint64_t cycles = 0, launches = 0;
  std::map<std::size_t, std::pair<std::uint64_t, json>> use;  // active lanes and slots by instruction
};

std::uint64_t flops_of(const json& instructions) {
  std::uint64_t sum = 0;
  for (const json& i : instructions)
    sum += i.at("active_lanes").get<std::uint64_t>() * i.at("flops").get<std::uint64_t>();
  return sum;
}

std::uint64_t dram_bytes_of(const json& counters) {
  std::uint64_t sum = 0;
  for (const auto& [path, value] : counters.items()) {
    const std::string name = path.substr(path.rfind('.') + 1);
    if (name == "read_bytes" || name == "written_bytes") sum += value.get<std::uint64_t>();
  }
  return sum;
}

std::string extent(const json& size) {
  std::string text;
  for (const json& n : size) text += (text.empty() ? "" : " x ") + n.dump();
  return text;
}

json sms_json(const json& sms) {
  json result = json::array();
  for (const json& sm : sms) result.push_back({{"path", sm.at("path")}, {"slots", used(sm.at("slots"))}});
  return result;
}

// The smallest number of cycles of the launches that the page lists.
std::uint64_t least_listed(const json& launches) {
  if (launches.size() <= detailed_launches) return 0;
  std::vector<std::uint64_t> cycles;
  for (const json& l : launches) cycles.push_back(l.at("core_cycles").get<std::uint64_t>());
  std::nth_element(cycles.begin(), cycles.begin() + detailed_launches - 1, cycles.end(), std::greater<>());
  return cycles[detailed_launches - 1];
}

json time_json(const run_files& run) {
  json time = {{"ends", json::array()},     {"slots", json::object()}, {"outside", json::array()},
               {"resident", json::array()}, {"read", json::array()},   {"written", json::array()}};
  for (const interval_figures& i : run.intervals) {
    time["ends"].push_back(i.end);
    for (const cause_slots& s : i.slots) time["slots"][s.cause].push_back(s.slots);
    time["outside"].push_back(i.outside);
    time["resident"].push_back(i.resident_warp_cycles);
    time["read"].push_back(i.read_bytes);
    time["written"].push_back(i.written_bytes);
  }
  time["series"] =
      run.stats.contains("over_time") ? run.stats.at("over_time").value("series", json::object()) : json::object();
  return time;
}

}  // namespace

json cause_list() {
  json result = json::array();
  for (std::size_t i = 0; i < model::stall_causes; ++i)
    result.push_back({{"key", model::stall_cause_names[i].key},
                      {"text", model::stall_cause_names[i].text},
                      {"colour", colour_of(i)},
                      {"definition", definition_of(i)}});
  return result;
}

json run_data(const run_files& run) {
  const json& launches = run.stats.at("launches");
  const std::uint64_t least = least_listed(launches);
  std::map<std::string, kernel_sums> kernels;
  std::vector<std::string> order;
  json listed = json::array();
  for (const json& l : launches) {
    const auto name = l.at("kernel").get<std::string>();
    if (kernels.count(name) == 0) order.push_back(name);
    kernel_sums& kernel = kernels[name];
    const json& accounting = l.at("cycle_accounting");
    const auto cycles = l.at("core_cycles").get<std::uint64_t>();
    kernel.cycles += cycles;
    ++kernel.launches;
    add(kernel.slots, accounting.at("total"));
    json use = json::array();
    for (const json& i : accounting.at("instructions")) {
      const std::size_t index = kernel.code.index_of(i);
      auto& [lanes, slots] = kernel.use[index];
      lanes += i.at("active_lanes").get<std::uint64_t>();
      add(slots, i.at("slots"));
      use.push_back({index, i.at("active_lanes"), i.at("slots")});
    }
    if (cycles < least || listed.size() == detailed_launches) continue;
    const std::uint64_t begin = first_cycle_of(run, l);
    json launch = {{"kernel", name},
                   {"grid", extent(l.at("grid"))},
                   {"block", extent(l.at("block"))},
                   {"begin", begin},
                   {"end", begin + cycles},
                   {"cycles", cycles},
                   {"seconds", static_cast<double>(l.at("ended_at_fs").get<std::uint64_t>() -
                                                   l.at("began_at_fs").get<std::uint64_t>()) *
                                   1e-15},
                   {"slots", used(accounting.at("total"))},
                   {"flops", flops_of(accounting.at("instructions"))},
                   {"dram", dram_bytes_of(l.at("counters"))},
                   {"use", std::move(use)}};
    if (launches.size() <= launches_with_sms) launch["sms"] = sms_json(accounting.at("sms"));
    listed.push_back(std::move(launch));
  }
  json code = json::object(), sums = json::array();
  for (const std::string& name : order) {
    const kernel_sums& kernel = kernels.at(name);
    code[name] = kernel.code.listing();
    json use = json::array();
    for (const auto& [index, figures] : kernel.use) use.push_back({index, figures.first, figures.second});
    sums.push_back({{"name", name},
                    {"launches", kernel.launches},
                    {"cycles", kernel.cycles},
                    {"slots", kernel.slots},
                    {"use", std::move(use)}});
  }
  json sms = json::array();
  for (const sm_figures& sm : run.sms) sms.push_back({{"path", sm.path}, {"slots", slots_json(sm.slots)}});
  const auto& clocks = run.config.clocks;
  return {{"kind", "run"},
          {"folder", run.folder},
          {"command", run.stats.at("command_line")},
          {"cycles", run.cycles},
          {"chip",
           {{"name", run.sms.empty() ? "" : run.sms[0].path.substr(0, run.sms[0].path.find('.'))},
            {"sms", run.config.chip.sms()},
            {"slots_per_cycle", run.slots_per_cycle() / run.config.chip.sms()},
            {"warps", run.config.tpc.sm.limits.warps},
            {"core_period", clocks.core_period()},
            {"uncore_period", clocks.uncore_period()},
            {"memory_period", clocks.memory_period()},
            {"peaks",
             {{"dram", config::peak_dram_bytes_per_second(run.config) * 1e-9},
              {"single", config::peak_single_flops(run.config) * 1e-9},
              {"double", config::peak_double_flops(run.config) * 1e-9}}}}},
          {"causes", cause_list()},
          {"code", std::move(code)},
          {"lines", run.stats.value("source_lines", json::object())},
          {"kernels", std::move(sums)},
          {"launches", std::move(listed)},
          {"sms", std::move(sms)},
          {"time", time_json(run)}};
}

}  // namespace gt200::observe::report
