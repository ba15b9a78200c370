#include "observe/statistics_json.h"

#include <fmt/format.h>

namespace gt200::observe {

using json = nlohmann::ordered_json;

namespace {

// Creates an object with room for this many members, to be filled by append(); growth would copy them.
json object_for(std::size_t members) {
  json result = json::object();
  result.get_ref<json::object_t&>().reserve(members);
  return result;
}

// Adds a new member without comparing its name with the existing ones.
void append(json& object, const std::string& name, json value) {
  object.get_ref<json::object_t&>().emplace_back(name, std::move(value));
}

json slots_json(const slot_counts& slots) {
  json result;
  for (const model::stall_cause_name& name : model::stall_cause_names)
    if (const std::uint64_t count = slots[static_cast<std::size_t>(name.cause)]; is_listed(name.cause, count))
      result[name.key] = count;
  return result;
}

// Omits causes without slots, because an instruction or a warp has slots of few causes.
json used_slots_json(const slot_counts& slots) {
  json result = json::object();
  for (const model::stall_cause_name& name : model::stall_cause_names)
    if (const std::uint64_t count = slots[static_cast<std::size_t>(name.cause)]; count != 0)
      result[name.key] = count;
  return result;
}

json instructions_json(const launch_record& launch) {
  json result = json::array();
  for (const instruction_record& i : launch.instructions)
    result.push_back({{"pc", i.pc},
                      {"line", i.line},
                      {"instruction", i.text},
                      {"active_lanes", i.use.lanes},
                      {"flops", i.flops},
                      {"live_registers", i.live_registers},
                      {"slots", used_slots_json(i.use.slots)}});
  return result;
}

json accounting_json(const launch_record& launch) {
  json sms = json::array();
  for (const sm_record& sm : launch.sms) {
    json of_sm = {{"path", sm.path},
                  {"slots", slots_json(sm.slots())},
                  {"resident_warp_cycles", sm.resident_warp_cycles},
                  {"miss_starved_warp_cycles", sm.miss_starved_warp_cycles}};
    // With one scheduler these equal the slots of the SM.
    if (sm.schedulers.size() > 1)
      for (const slot_counts& slots : sm.schedulers) of_sm["schedulers"].push_back(slots_json(slots));
    sms.push_back(std::move(of_sm));
  }
  return {{"slots_per_cycle_and_sm", launch.sms.at(0).schedulers.size()},
          {"total", slots_json(launch.slots())},
          {"sms", std::move(sms)},
          {"instructions", instructions_json(launch)}};
}

// How much the dependency tracking was used; "chip" describes its hardware.
json tracking_json(const launch_record& launch) {
  const std::uint64_t issued = launch.issued();
  const std::uint64_t probes = launch.dependency_probes();
  return {{"probes", probes},
          {"probes_per_issued_instruction",
           issued == 0 ? 0.0 : static_cast<double>(probes) / static_cast<double>(issued)}};
}

json tracking_hardware_json(const model::chip& chip) {
  const config::scoreboard_config& scoreboard = chip.config.tpc.sm.scoreboard;
  const model::tracking_cost cost = chip.sms().front()->probe().dependency_hardware();
  return {{"mechanism",
           config::choice_names<config::scoreboard_mechanism>[static_cast<std::size_t>(scoreboard.mechanism)]},
          {"storage_bits", cost.storage_bits},
          {"flag_storage_bits", cost.flag_storage_bits},
          {"vector_bits", cost.vector_bits},
          {"comparators", cost.comparators},
          {"read_ports", cost.read_ports}};
}

// The whole run: the list of warps of every SM.
json warps_json(const statistics& source) {
  json result = object_for(source.warps().size());
  for (const warps_of_sm& sm : source.warps()) {
    json warps = json::array();
    for (const slot_counts& slots : sm.slots) warps.push_back(used_slots_json(slots));
    append(result, sm.path, std::move(warps));
  }
  return result;
}

json histogram_json(const tlm_bus::histogram::values& values) {
  const auto all = values.in_bins();
  std::size_t bins = all.size();
  while (bins > 0 && all[bins - 1] == 0) --bins;
  return {{"count", values.total()},
          {"sum", values.sum},
          {"bins", std::vector<std::uint64_t>(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(bins))}};
}

json distributions_json(const statistics& source, const launch_record& launch) {
  json result = json::object();
  for (const distribution& of : distributions_of(source.histograms(), launch.histograms)) {
    json counted = json::array();
    for (const auto& [number, count] : of.values.counts) {
      counted.push_back(tlm_bus::histogram::last_of(number));
      counted.push_back(count);
    }
    append(result, of.kind,
           {{"unit", of.about->unit()},
            {"count", of.values.total()},
            {"sum", of.values.sum},
            {"p50", of.values.percentile(0.5)},
            {"p90", of.values.percentile(0.9)},
            {"p99", of.values.percentile(0.99)},
            {"most", of.values.percentile(1)},
            {"values", std::move(counted)}});
  }
  return result;
}

// Without z if there is one block in z.
json grid_json(const launch::grid_size& grid) {
  json result = {grid[0], grid[1]};
  if (grid[2] != 1) result.push_back(grid[2]);
  return result;
}

json launch_json(const statistics& source, const launch_record& launch) {
  json counters = object_for(launch.counters.size());
  for (std::size_t i = 0; i < launch.counters.size(); ++i)
    if (launch.counters[i] != 0) append(counters, source.counters()[i].path, launch.counters[i]);
  json histograms = object_for(launch.histograms.size());
  for (std::size_t i = 0; i < launch.histograms.size(); ++i)
    if (!launch.histograms[i].counts.empty())
      append(histograms, source.histograms()[i].path, histogram_json(launch.histograms[i]));
  json result = {{"kernel", launch.kernel},
                 {"grid_id", launch.grid_id},
                 {"grid", grid_json(launch.grid)},
                 {"block", launch.block},
                 {"dynamic_shared_bytes", launch.dynamic_shared},
                 {"registers", launch.registers},
                 {"code_hash", fmt::format("{:016x}", launch.code_hash)},
                 {"end", name_of(launch.reason)}};
  if (!launch.message.empty()) result["message"] = launch.message;
  result["core_cycles"] = launch.cycles;
  result["began_at_fs"] = launch.began_at;
  result["ended_at_fs"] = launch.ended_at;
  result["cycle_accounting"] = accounting_json(launch);
  result["dependency_tracking"] = tracking_json(launch);
  result["counters"] = std::move(counters);
  result["histograms"] = std::move(histograms);
  result["distributions"] = distributions_json(source, launch);
  return result;
}

}  // namespace

nlohmann::ordered_json to_json(const statistics& source) {
  const model::chip& chip = source.chip();
  json result;
  result["chip"] = {{"name", chip.name()},
                    {"sms", chip.config.chip.sms()},
                    {"warps_per_sm", chip.config.tpc.sm.limits.warps},
                    {"core_period_fs", chip.core.period()},
                    {"shader_period_fs", chip.shader.period()},
                    {"uncore_period_fs", chip.uncore.period()},
                    {"memory_period_fs", chip.memory.period()},
                    {"dependency_tracking_per_sm", tracking_hardware_json(chip)}};
  result["launches"] = json::array();
  for (const launch_record& launch : source.launches()) result["launches"].push_back(launch_json(source, launch));
  result["warps"] = warps_json(source);
  result["counters"] = json::array();
  for (const counter_entry& c : source.counters())
    result["counters"].push_back({{"path", c.path},
                                  {"value", c.counter->value()},
                                  {"unit", c.counter->unit()},
                                  {"description", c.counter->description()}});
  result["histograms"] = json::array();
  for (const histogram_entry& h : source.histograms()) {
    json entry = {{"path", h.path}};
    entry.update(histogram_json(h.counter->value()));
    entry["unit"] = h.counter->unit();
    entry["description"] = h.counter->description();
    result["histograms"].push_back(std::move(entry));
  }
  return result;
}

}  // namespace gt200::observe
