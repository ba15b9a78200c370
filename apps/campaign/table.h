// The tables of a campaign: one row per injection, and one per structure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/campaign/plan.h"
#include "apps/campaign/result.h"
#include "apps/campaign/weighted_share.h"

namespace gt200::apps::campaign {

// CSV by RFC 4180 with a header line: number, structure, site, place, occupied, before, after, next_access,
// outcome, cycles, timing_changed, message, first_wrong. `results` by number; those that are missing have no row.
std::string injections_csv(const plan& p, const std::vector<injection_result>& results);

// Counts of one structure.
struct structure_counts {
  std::string name;
  std::uint64_t bits = 0;
  double share_in_use = -1;
  std::uint64_t injected = 0, occupied = 0;
  std::uint64_t detected = 0, hang = 0, silent = 0, masked = 0, defect = 0;
  std::uint64_t masked_other_timing = 0;  // of masked
  // Sites whose bit is written next or never used again, and how many of them were masked.
  std::uint64_t dead = 0, dead_masked = 0;
  // Nothing without an injection.
  std::optional<estimate> not_masked_share, silent_share;
};
// By structure in the order of the plan, then all together. There the shares of the structures are weighted by what
// was drawn from. There is none if a structure with such bits has no injection, or if the sites were given: those
// are no sample of the chip.
std::vector<structure_counts> counts_of(const plan& p, const std::vector<injection_result>& results);

// The same counts with shares and their 95 % intervals; the fields are empty where there is none.
std::string structures_csv(const std::vector<structure_counts>& counts);
// For readers.
std::string structures_text(const std::vector<structure_counts>& counts);

// A structure whose 95 % interval of the share that was not masked is wider than this has too few injections.
inline constexpr double widest_interval = 0.1;
// How many injections would make it so narrow, from the counts so far; 0: there are enough.
std::uint64_t injections_wanted(const structure_counts& of);
// A line for each structure with too few injections, and one on what decides the line of all together; empty if
// there is nothing to say.
std::string advice_text(const std::vector<structure_counts>& counts);

}  // namespace gt200::apps::campaign
