#include "apps/campaign/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "observe/csv_field.h"

namespace gt200::apps::campaign {
namespace {

using observe::csv_field;

void add(structure_counts& to, const planned_injection& planned, const injection_result& r,
         std::uint64_t golden_cycles) {
  ++to.injected;
  to.occupied += r.occupied;
  switch (r.what) {
    case outcome::detected: ++to.detected; break;
    case outcome::hang: ++to.hang; break;
    case outcome::silent: ++to.silent; break;
    case outcome::masked: ++to.masked; break;
    case outcome::defect: ++to.defect; break;
  }
  const bool masked = r.what == outcome::masked;
  to.masked_other_timing += masked && r.cycles != golden_cycles;
  const bool dead = planned.next_access == "write" || planned.next_access == "none";
  to.dead += dead;
  to.dead_masked += dead && masked;
}

// Whatever was not masked.
std::uint64_t harmful(const structure_counts& c) { return c.injected - c.masked; }

// The part of a structure in what was drawn from: its bits, or those that something uses.
double weight_of(const structure_counts& c) {
  return static_cast<double>(c.bits) * (c.share_in_use < 0 ? 1 : c.share_in_use);
}

std::optional<estimate> share_of(std::uint64_t hits, std::uint64_t tries) {
  return weighted_share({{1, hits, tries}});
}

std::string share_fields(const std::optional<estimate>& e) {
  if (!e) return ",,";
  return fmt::format("{:.6g},{:.6g},{:.6g}", e->share, e->range.low, e->range.high);
}

// One decimal, or as many as it takes to show a digit that is not 0.
std::string percent(double share) {
  const double value = 100 * share;
  const int decimals = value > 0 && value < 0.05 ? static_cast<int>(std::ceil(-std::log10(value))) : 1;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string share_text(const std::optional<estimate>& e) {
  if (!e) return "-";
  return fmt::format("{} % [{}, {}]", percent(e->share), percent(e->range.low), percent(e->range.high));
}

}  // namespace

std::string injections_csv(const plan& p, const std::vector<injection_result>& results) {
  std::string text =
      "number,structure,site,place,occupied,before,after,next_access,outcome,cycles,timing_changed,message,"
      "first_wrong\n";
  for (const injection_result& r : results) {
    const planned_injection& planned = p.injections.at(r.number);
    const bool ended = r.what == outcome::masked || r.what == outcome::silent;
    text +=
        fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\n", r.number, planned.structure,
                    csv_field(inject::text_of(planned.at)), csv_field(r.place), r.occupied ? 1 : 0,
                    r.before ? 1 : 0, r.after ? 1 : 0, planned.next_access, name_of(r.what), r.cycles,
                    ended && r.cycles != p.golden.cycles ? 1 : 0, csv_field(r.message), csv_field(r.first_wrong));
  }
  return text;
}

std::vector<structure_counts> counts_of(const plan& p, const std::vector<injection_result>& results) {
  std::vector<structure_counts> all;
  for (const planned_structure& s : p.structures) {
    all.emplace_back();
    all.back().name = s.name;
    all.back().bits = s.bits;
    all.back().share_in_use = s.share_in_use;
  }
  structure_counts together;
  together.name = "all";
  for (const injection_result& r : results) {
    const planned_injection& planned = p.injections.at(r.number);
    for (structure_counts& c : all)
      if (c.name == planned.structure) add(c, planned, r, p.golden.cycles);
    add(together, planned, r, p.golden.cycles);
  }
  std::vector<stratum> not_masked;
  std::vector<stratum> silent;
  for (structure_counts& c : all) {
    c.not_masked_share = share_of(harmful(c), c.injected);
    c.silent_share = share_of(c.silent, c.injected);
    together.bits += c.bits;
    not_masked.push_back({weight_of(c), harmful(c), c.injected});
    silent.push_back({weight_of(c), c.silent, c.injected});
  }
  if (p.drawn) {
    together.not_masked_share = weighted_share(not_masked);
    together.silent_share = weighted_share(silent);
  }
  all.push_back(together);
  return all;
}

std::string structures_csv(const std::vector<structure_counts>& counts) {
  std::string text =
      "structure,bits,share_in_use,injected,occupied,detected,hang,silent,masked,masked_other_timing,defect,dead,"
      "dead_masked,vulnerability,vulnerability_low,vulnerability_high,silent_share,silent_low,silent_high\n";
  for (const structure_counts& c : counts)
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", c.name, c.bits,
                        c.share_in_use < 0 ? "" : fmt::format("{:.6f}", c.share_in_use), c.injected, c.occupied,
                        c.detected, c.hang, c.silent, c.masked, c.masked_other_timing, c.defect, c.dead,
                        c.dead_masked, share_fields(c.not_masked_share), share_fields(c.silent_share));
  return text;
}

std::string structures_text(const std::vector<structure_counts>& counts) {
  std::string text = fmt::format("{:<19}{:>12}{:>9}{:>9}{:>9}{:>6}{:>7}{:>7}{:>7}  {:<26}{}\n", "structure", "bits",
                                 "injected", "in use", "detected", "hang", "silent", "masked", "defect",
                                 "  not masked, 95 %", "  silent, 95 %");
  for (const structure_counts& c : counts)
    text += fmt::format("{:<19}{:>12}{:>9}{:>9}{:>9}{:>6}{:>7}{:>7}{:>7}    {:<26}{}\n", c.name, c.bits, c.injected,
                        c.occupied, c.detected, c.hang, c.silent, c.masked, c.defect,
                        share_text(c.not_masked_share), share_text(c.silent_share));
  return text;
}

std::uint64_t injections_wanted(const structure_counts& of) {
  if (of.not_masked_share && of.not_masked_share->range.high - of.not_masked_share->range.low <= widest_interval)
    return 0;
  // Two hits and two misses are added, so that no hit at all does not mean a share of 0 (Agresti and Coull, 1998).
  const double share = (static_cast<double>(harmful(of)) + 2) / (static_cast<double>(of.injected) + 4);
  const double half = widest_interval / 2;
  const auto wanted = static_cast<std::uint64_t>(std::ceil(1.96 * 1.96 * share * (1 - share) / (half * half)));
  return std::max(wanted, of.injected + 1);
}

std::string advice_text(const std::vector<structure_counts>& counts) {
  std::string text;
  const structure_counts& all = counts.back();
  const structure_counts* heaviest = nullptr;
  double weights = 0;
  for (const structure_counts& c : counts) {
    if (&c == &all) break;
    weights += weight_of(c);
    if (heaviest == nullptr || weight_of(c) > weight_of(*heaviest)) heaviest = &c;
    if (const std::uint64_t wanted = injections_wanted(c))
      text += fmt::format(
          "too few injections: {}: {}; about {} would make the interval of what is not masked {:.0f} "
          "points wide\n",
          c.name, c.injected, wanted, 100 * widest_interval);
  }
  if (counts.size() > 2 && all.not_masked_share && weights > 0 && weight_of(*heaviest) > 0.5 * weights)
    text += fmt::format("the line of all weighs structures by what was drawn from: {} % of that is {}\n",
                        percent(weight_of(*heaviest) / weights), heaviest->name);
  return text;
}

}  // namespace gt200::apps::campaign
