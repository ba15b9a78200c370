// tpc.sm.units: what the latencies of the execution units count, and the level of detail at which values pass
// through the units and the register file. The detail changes no cycle and no value, only what is visible inside,
// and the time that a run takes.
#pragma once

#include <cstdint>

#include "sc_models/config/added_policy.h"
#include "sc_models/config/parameter.h"

namespace gt200::config {

enum class unit_detail : std::uint8_t { warp, lane };
template <>
inline constexpr std::array<const char*, 2> choice_names<unit_detail> = {"warp", "lane"};

// What tpc.sm.sp.latency_cycles and the like count.
enum class latency_measure : std::uint8_t {
  issue_to_issue,  // from issue until a dependent instruction issues
  unit             // from the start in the unit until the last result leaves it
};
template <>
inline constexpr std::array<const char*, 2> choice_names<latency_measure> = {"issue_to_issue", "unit"};

struct units_config {
  latency_measure latency_measured{};
  unit_detail detail{};
  bool sp{};
  bool sfu{};
  bool dp{};
  std::uint64_t sms{};
  // Core cycles, as points in time. Their keys have no unit: one that has is a duration, which quiet_time() adds
  // up.
  std::uint64_t first_cycle{};
  std::uint64_t last_cycle{};
  added_keys<unit_arithmetics> added;

  // True if values of this SM of the chip pass lane by lane at some time.
  bool lane_by_lane(unsigned sm_in_chip) const {
    return detail == unit_detail::lane && (sms == 0 || (sm_in_chip < 64 && (sms >> sm_in_chip & 1) != 0));
  }

  void describe(visitor& v) {
    v.choice(
        "latency_measured", latency_measured,
        "latencies of units count from issue until a dependent instruction issues, or from the start in the unit "
        "until its last result leaves it; the way through collector and write-back then comes on top",
        assumption("what micro-benchmarks measure"));
    const source same = assumption("changes no cycle: only what is visible inside");
    v.choice(
        "detail", detail,
        "warp: the values of a warp instruction pass in one transaction; lane: each lane in a transaction of its "
        "own, in the cycle in which its unit takes it",
        same);
    v.flag("sp", sp, "lane holds for the SPs and the parts of the register file beside them", same);
    v.flag("sfu", sfu, "lane holds for the SFUs", same);
    v.flag("dp", dp, "lane holds for the DP unit", same);
    v.number("sms", sms, unit::none, any_64_bits(), "bit n: lane holds for SM n of the chip; 0: for every SM",
             same);
    v.number("first_cycle", first_cycle, unit::none, between(0, max_window), "lane holds from this core cycle on",
             same);
    v.number("last_cycle", last_cycle, unit::none, between(0, max_window), "lane holds up to this core cycle",
             same);
    added.describe(v);
  }

  static constexpr std::uint64_t max_window = 1'000'000'000'000;
};

}  // namespace gt200::config
