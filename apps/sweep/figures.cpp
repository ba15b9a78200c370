#include "apps/sweep/figures.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "observe/statistics_counters.h"

namespace gt200::apps::sweep {

using json = nlohmann::ordered_json;

json figures_of(const json& stats) {
  std::uint64_t core_cycles = 0, femtoseconds = 0, resident_warp_cycles = 0;
  json slots = json::object();
  for (const json& launch : stats.at("launches")) {
    core_cycles += launch.at("core_cycles").get<std::uint64_t>();
    femtoseconds += launch.at("ended_at_fs").get<std::uint64_t>() - launch.at("began_at_fs").get<std::uint64_t>();
    const json& accounting = launch.at("cycle_accounting");
    for (const auto& [cause, count] : accounting.at("total").items())
      slots[cause] = slots.value(cause, std::uint64_t{0}) + count.get<std::uint64_t>();
    for (const json& sm : accounting.at("sms"))
      resident_warp_cycles += sm.at("resident_warp_cycles").get<std::uint64_t>();
  }
  std::vector<std::pair<std::string, std::uint64_t>> sums;
  std::unordered_map<std::string, std::size_t> places;
  for (const json& counter : stats.at("counters")) {
    std::string kind = observe::kind_path(counter.at("path").get_ref<const std::string&>());
    const auto [place, fresh] = places.emplace(kind, sums.size());
    if (fresh) sums.emplace_back(std::move(kind), 0);
    sums[place->second].second += counter.at("value").get<std::uint64_t>();
  }
  json counters = json::object();
  for (auto& [kind, sum] : sums) counters.push_back(json::object_t::value_type(kind, sum));
  json result = {{"schema", "gt200.figures"},
                 {"schema_version", 1},
                 {"end", stats.at("result").at("end")},
                 {"passed", stats.at("result").at("passed")},
                 {"message", stats.at("result").value("message", "")},
                 {"sms", stats.at("chip").at("sms")},
                 {"core_cycles", core_cycles},
                 {"femtoseconds", femtoseconds},
                 {"resident_warp_cycles", resident_warp_cycles},
                 {"slots", slots},
                 {"counters", counters}};
  const json of_grids = stats.value("grid_hints", json::array());
  if (!of_grids.empty()) result["grid_hints"] = of_grids;
  // Those on grids are the last ones.
  json hints = stats.value("hints", json::array());
  for (std::size_t i = 0; i < of_grids.size(); ++i) hints.erase(hints.size() - 1);
  if (!hints.empty()) result["hints"] = std::move(hints);
  return result;
}

}  // namespace gt200::apps::sweep
