#include "sc_models/sm/cosimulation/lockstep_tracker.h"

#include <fmt/format.h>

#include <algorithm>

#include "sc_models/sm/cosimulation/scoreboard_text.h"
#include "sc_models/sm/units/unit_list.h"

namespace gt200::model {
namespace {

constexpr unsigned lookup_ports = 3;  // one instruction that waited for an entry, and two that were fetched

std::string describe(bool entered, std::uint64_t dependencies, std::uint64_t allocated) {
  return entered ? fmt::format("enters, depends on entries {}, takes {}", set_of(dependencies), set_of(allocated))
                 : "refused";
}

}  // namespace

lockstep_tracker::lockstep_tracker(const tlm_bus::clock_domain& domain, const config::sm_config& config,
                                   unsigned sm_in_chip)
    : lockstep_tracker(domain, config, sm_in_chip, rtl_scoreboard(domain, config)) {}

lockstep_tracker::lockstep_tracker(const tlm_bus::clock_domain& domain, const config::sm_config& config,
                                   unsigned sm_in_chip, rtl_scoreboard rtl)
    : compared_tracker(lockstep_comparison(domain, config.rtl, sm_in_chip)),
      model_(domain, config),
      rtl_(std::move(rtl)),
      domain_(domain),
      entries_(config.scoreboard.entries_per_warp),
      pcs_(std::size_t{config.limits.warps} * entries_) {
  for (unsigned port = 0; port < lookup_ports; ++port)
    comparison_.add_port(fmt::format("scoreboard.enter_{}", port));
  const unsigned releases = unit_list(config).completion_sources();
  for (unsigned port = 0; port < releases; ++port) comparison_.add_port(fmt::format("scoreboard.release_{}", port));
}

void lockstep_tracker::begin_cycle() {
  if (cycle_ == domain_.cycle()) return;
  cycle_ = domain_.cycle();
  entered_ = released_ = 0;
}

lockstep_tracker::asked lockstep_tracker::look_up(warp_slot warp, const isa::instruction& instruction) {
  asked a;
  a.instruction = &instruction;
  a.pc = entering_pc();
  a.expected = model_.enter(warp, instruction);
  a.full = model_.full(warp);
  for (const scoreboard_entry entry : entries_in(a.expected.allocated)) pc_of(warp, entry) = entering_pc();
  return a;
}

dependency_tracker::lookup lockstep_tracker::enter(warp_slot warp, const isa::instruction& instruction) {
  asked a = look_up(warp, instruction);
  begin_cycle();
  a.port = entered_;
  if (a.expected.entered) ++entered_;  // a refused look-up leaves its port to the next one
  const auto got = rtl_.enter(warp, instruction);
  a.rtl_full = rtl_.full_next(warp);
  compare(warp, a, got);
  return a.expected;
}

void lockstep_tracker::ask(warp_slot warp, const isa::instruction& instruction) {
  asked_[warp] = look_up(warp, instruction);
  asked_[warp].port = std::min(rtl_.ask(warp, instruction), lookup_ports - 1);
  asked_[warp].rtl_full = rtl_.full_next(warp);
}

dependency_tracker::lookup lockstep_tracker::answered(warp_slot warp) {
  compare(warp, asked_[warp], rtl_.answered(warp));
  return asked_[warp].expected;
}

void lockstep_tracker::compare(warp_slot warp, const asked& a, const rtl::scoreboard_pins::answer& got) {
  const lookup& expected = a.expected;
  comparison_.answered(a.port);
  if (got.accepted != expected.entered || got.dependencies != expected.dependencies ||
      got.allocated != expected.allocated || a.rtl_full != a.full)
    differs(warp, a.pc, *a.instruction, "look-up",
            {describe(expected.entered, expected.dependencies, expected.allocated), a.full},
            {describe(got.accepted, got.dependencies, got.allocated), a.rtl_full});
}

void lockstep_tracker::complete(warp_slot warp, const isa::instruction& instruction, std::uint64_t entries,
                                dependency_vectors& buffer) {
  model_.complete(warp, instruction, entries, buffer);
  if (entries == 0) return;
  const std::uint64_t cleared = rtl_.release(warp, entries);
  begin_cycle();
  comparison_.answered(lookup_ports + released_++);
  if (cleared != entries || rtl_.full_next(warp) != model_.full(warp))
    differs(warp, pc_of(warp, lowest_entry(entries)), instruction, "release",
            {"clears " + set_of(entries), model_.full(warp)}, {"clears " + set_of(cleared), rtl_.full_next(warp)});
}

void lockstep_tracker::differs(warp_slot warp, isa::code_address pc, const isa::instruction& instruction,
                               const char* question, const answer& model, const answer& rtl) {
  comparison_.differs(warp, pc, [&] {
    const auto line = [](const answer& a) { return a.what + (a.full ? "; the warp will be full" : ""); };
    return fmt::format("scoreboard: RTL and model differ in a {} at {}\n  {}\n  model: {}\n  RTL:   {}\n{}",
                       question, comparison_.place(warp, pc, &instruction), operands_of(instruction), line(model),
                       line(rtl), contents_of(model_, rtl_.inspect(warp), warp, entries_));
  });
}

}  // namespace gt200::model
