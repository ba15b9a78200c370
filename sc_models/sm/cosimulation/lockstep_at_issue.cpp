#include "sc_models/sm/cosimulation/lockstep_at_issue.h"

#include <fmt/format.h>

#include <algorithm>

#include "sc_models/sm/cosimulation/rtl_at_issue.h"
#include "sc_models/sm/cosimulation/scoreboard_text.h"
#include "sc_models/sm/units/unit_list.h"

namespace gt200::model {
namespace {

// Ports of the contract: two instructions are fetched, and two schedulers issue.
constexpr unsigned lookups_at_issue = 2;
constexpr unsigned issues_at_issue = 2;

std::string text_of_vector(std::uint64_t vector) {
  constexpr std::uint64_t bit = entry_bit(coon_tracker::room_bit);
  return set_of(vector & ~bit) + ((vector & bit) != 0 ? " without room" : "");
}

}  // namespace

lockstep_at_issue::lockstep_at_issue(const tlm_bus::clock_domain& domain, const config::sm_config& config,
                                     unsigned sm_in_chip)
    : lockstep_at_issue(domain, config, sm_in_chip, rtl_scoreboard_at_issue(domain, config)) {}

lockstep_at_issue::lockstep_at_issue(const tlm_bus::clock_domain& domain, const config::sm_config& config,
                                     unsigned sm_in_chip, rtl_scoreboard_at_issue rtl)
    : compared_tracker(lockstep_comparison(domain, config.rtl, sm_in_chip)),
      model_(domain, config),
      rtl_(std::move(rtl)),
      domain_(domain),
      entries_(config.scoreboard.entries_per_warp),
      releases_(unit_list(config).completion_sources()),
      pcs_(std::size_t{config.limits.warps} * entries_) {
  const auto add = [&](const char* kind, unsigned ports) {
    for (unsigned port = 0; port < ports; ++port) comparison_.add_port(fmt::format("scoreboard.{}_{}", kind, port));
  };
  add("enter", lookups_at_issue);
  add("issue", issues_at_issue);
  add("release", releases_);
}

unsigned lockstep_at_issue::next_port(unsigned& used, unsigned ports) {
  if (cycle_ != domain_.cycle()) entered_ = issued_ = released_ = 0;
  cycle_ = domain_.cycle();
  return std::min(used++, ports - 1);
}

std::vector<std::uint64_t> lockstep_at_issue::vectors_of(warp_slot warp, const dependency_vectors& buffer,
                                                         unsigned from) const {
  std::vector<std::uint64_t> result;
  for (unsigned i = from; i < buffer.buffered(warp); ++i) result.push_back(buffer.at(warp, i).dependencies);
  return result;
}

dependency_tracker::lookup lockstep_at_issue::enter(warp_slot warp, const isa::instruction& instruction) {
  const lookup expected = model_.enter(warp, instruction);
  const auto got = rtl_.enter(warp, instruction);
  comparison_.answered(next_port(entered_, lookups_at_issue));
  compare(warp, entering_pc(), instruction, "look-up", {0, {expected.dependencies}, model_.full(warp)},
          {0, {vector_with(0, got.dependencies, got.room)}, rtl_.full_next(warp)});
  return expected;
}

std::uint64_t lockstep_at_issue::issue(warp_slot warp, dependency_vectors& buffer) {
  const buffered_instruction issued = buffer.at(warp, 0);
  if (issued.instruction->write_count == 0) return model_.issue(warp, buffer);
  const auto got = rtl_.issue(warp, buffer);
  answer rtl{got.taken, vectors_of(warp, buffer, 1), rtl_.full_next(warp)};
  for (unsigned i = 0; i < got.younger.size(); ++i)
    rtl.vectors[i] = vector_with(rtl.vectors[i], got.younger[i].dependencies, got.younger[i].room);
  const std::uint64_t taken = model_.issue(warp, buffer);
  for (const scoreboard_entry entry : entries_in(taken)) pcs_[warp.index() * entries_ + entry.index()] = issued.pc;
  comparison_.answered(lookups_at_issue + next_port(issued_, issues_at_issue));
  compare(warp, issued.pc, *issued.instruction, "allocation",
          {taken, vectors_of(warp, buffer, 1), model_.full(warp)}, rtl);
  return taken;
}

void lockstep_at_issue::complete(warp_slot warp, const isa::instruction& instruction, std::uint64_t entries,
                                 dependency_vectors& buffer) {
  if (entries == 0) return model_.complete(warp, instruction, entries, buffer);
  const auto got = rtl_.release(warp, entries, buffer);
  answer rtl{got.cleared, vectors_of(warp, buffer, 0), rtl_.full_next(warp)};
  for (unsigned i = 0; i < got.room.size(); ++i)
    rtl.vectors[i] = vector_with(rtl.vectors[i] & ~got.cleared, 0, got.room[i]);
  model_.complete(warp, instruction, entries, buffer);
  comparison_.answered(lookups_at_issue + issues_at_issue + next_port(released_, releases_));
  compare(warp, pcs_[warp.index() * entries_ + lowest_entry(entries).index()], instruction, "release",
          {entries, vectors_of(warp, buffer, 0), model_.full(warp)}, rtl);
}

void lockstep_at_issue::compare(warp_slot warp, isa::code_address pc, const isa::instruction& instruction,
                                const char* question, const answer& model, const answer& rtl) {
  if (model == rtl) return;
  comparison_.differs(warp, pc, [&] {
    const auto line = [](const answer& a) {
      std::string vectors;
      for (const std::uint64_t v : a.vectors) vectors += (vectors.empty() ? " " : ", ") + text_of_vector(v);
      return fmt::format("entries {}, vectors{}{}", set_of(a.entries), vectors.empty() ? " none" : vectors,
                         a.full ? "; the warp will be full" : "");
    };
    return fmt::format("scoreboard: RTL and model differ in a{} {} at {}\n  {}\n  model: {}\n  RTL:   {}\n{}",
                       *question == 'a' ? "n" : "", question, comparison_.place(warp, pc, &instruction),
                       operands_of(instruction), line(model), line(rtl),
                       contents_of(model_, rtl_.inspect(warp), warp, entries_));
  });
}

}  // namespace gt200::model
