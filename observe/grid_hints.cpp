#include "observe/grid_hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "observe/summary.h"

namespace gt200::observe {
namespace {

constexpr double mostly = 0.5;   // share of the issue slots without a warp
constexpr double largely = 0.1;  // the same, when SMs have different numbers of blocks

std::uint64_t slots_of(const slot_counts& slots) {
  return std::accumulate(slots.begin(), slots.end(), std::uint64_t{0});
}
std::uint64_t without_warp(const slot_counts& slots) {
  return slots[static_cast<std::size_t>(model::stall_cause::no_warp)];
}
double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::uint64_t blocks_of(const launch_record& launch) {
  return std::accumulate(launch.grid.begin(), launch.grid.end(), std::uint64_t{1},
                         [](std::uint64_t product, std::uint32_t extent) { return product * extent; });
}

std::string counted(std::uint64_t number, const char* one, const char* several) {
  return grouped(number) + " " + (number == 1 ? one : several);
}

std::string empty_chip(const statistics& source) {
  std::uint64_t blocks = 0;
  for (const launch_record& l : source.launches()) blocks = std::max(blocks, blocks_of(l));
  return fmt::format("the {} has {} for {}", source.launches().size() == 1 ? "grid" : "largest grid",
                     counted(blocks, "block", "blocks"), counted(source.chip().config.chip.sms(), "SM", "SMs"));
}

// How many SMs began how many blocks in a launch.
std::map<std::uint64_t, std::uint64_t> sms_by_blocks(const statistics& source, const launch_record& launch) {
  const std::string name = ".blocks_started";
  std::map<std::uint64_t, std::uint64_t> result;
  for (std::size_t i = 0; i < launch.counters.size(); ++i) {
    const std::string& path = source.counters()[i].path;
    if (path.size() > name.size() && path.compare(path.size() - name.size(), name.size(), name) == 0)
      ++result[launch.counters[i]];
  }
  return result;
}

// "4 of 30 SMs ran 3 blocks, the others 2"; empty if all ran as many.
std::string uneven(const std::map<std::uint64_t, std::uint64_t>& sms) {
  if (sms.size() < 2) return "";
  std::uint64_t all = 0;
  for (const auto& [blocks, count] : sms) all += count;
  const auto& [most, of_most] = *sms.rbegin();
  if (sms.size() == 2)
    return fmt::format("{} of {} SMs ran {}, the others {}", of_most, all, counted(most, "block", "blocks"),
                       sms.begin()->first);
  return fmt::format("SMs ran {} to {} blocks", sms.begin()->first, most);
}

}  // namespace

std::vector<grid_hint> grid_hints(const statistics& source) {
  if (source.launches().empty()) return {};
  const slot_counts total = source.total().slots();
  const double empty = share(without_warp(total), slots_of(total));
  if (empty > mostly) return {{"empty", empty_chip(source), 100 * empty}};
  if (empty < largely) return {};
  const launch_record& longest =
      *std::max_element(source.launches().begin(), source.launches().end(),
                        [](const launch_record& a, const launch_record& b) { return a.cycles < b.cycles; });
  const std::string ends = uneven(sms_by_blocks(source, longest));
  if (ends.empty()) return {};
  return {{"uneven", ends, 100 * empty}};
}

std::string text_of(const grid_hint& hint) {
  return text_of(hint.kind, hint.place, fmt::format("{:.1f}", hint.percent));
}

std::string text_of(const std::string& kind, const std::string& place, const std::string& percent) {
  return fmt::format("{} % of the issue slots had no warp: {}; {}", percent, place,
                     kind == "empty"
                         ? "a larger problem shows more of the chip"
                         : "a comparison of machines can turn with the size of the grid, so try others");
}

}  // namespace gt200::observe
