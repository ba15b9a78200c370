#include "inject/fault_injector.h"

#include <fmt/format.h>

#include <algorithm>

#include "toolchain/error.h"

namespace gt200::inject {
namespace {

bool is_within(const std::vector<tlm_bus::bit_range>& ranges, std::uint64_t bit) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [&](const tlm_bus::bit_range& r) { return bit >= r.first && bit - r.first < r.count; });
}

}  // namespace

fault_injector::fault_injector(device& target, const std::vector<site>& sites)
    : chip_(target.chip()), space_(chip_) {
  chip_.look_inside();
  if (chip_.clocks.reference()) throw input_error("bits are flipped between the edges of due clocking only");
  for (const site& s : sites) {
    const storage_part& part = space_.find(s.module);
    if (s.bit >= part.bits) throw input_error(text_of(s), 0, fmt::format("{} has {} bits", part.module, part.bits));
    injection i;
    i.at = {part.module, s.bit, s.cycle};
    i.structure = part.storage->structure();
    injections_.push_back(i);
  }
  std::stable_sort(injections_.begin(), injections_.end(),
                   [](const injection& a, const injection& b) { return a.at.cycle < b.at.cycle; });
  chip_.clocks.attach_on_time(*this);
}

fault_injector::~fault_injector() { chip_.clocks.detach(*this); }

tlm_bus::femtoseconds fault_injector::interval_end() const {
  return next_ == injections_.size() ? tlm_bus::no_time : injections_[next_].at.cycle * chip_.core.period();
}

void fault_injector::interval_ends() { inject(injections_[next_++]); }

void fault_injector::inject(injection& i) {
  const storage_part& part = space_.find(i.at.module);
  bring_clock_to(part.module, i.at.cycle);
  if (before_) before_(i);
  std::vector<tlm_bus::bit_range> occupied;
  part.storage->add_occupied(occupied);
  i.occupied = is_within(occupied, i.at.bit);
  i.place = part.storage->text_of_bit(i.at.bit);
  i.before = part.storage->bit(i.at.bit);
  part.storage->flip(i.at.bit);
  i.after = part.storage->bit(i.at.bit);
  i.done = true;
}

// The module may have been asleep for long; what its bits change takes effect at the next edge.
void fault_injector::bring_clock_to(const std::string& module, std::uint64_t cycle) {
  for (std::size_t t = 0; t < chip_.tpcs.size(); ++t) {
    const std::string below = std::string(chip_.tpcs[t].name()) + ".";
    if (module.compare(0, below.size(), below) != 0) continue;
    tlm_bus::clock_domain& core = chip_.clocks_of_tpcs[t].core;
    if (core.cycle() + 1 < cycle) core.set_edge(cycle - 1);
  }
}

std::string describe(const injection& i) {
  const std::string where = text_of(i.at);
  if (!i.done) return where + ": not done, the run ended before";
  return fmt::format("{}: {}{}, {} -> {}", where, i.place, i.occupied ? "" : " (not in use)", i.before ? 1 : 0,
                     i.after ? 1 : 0);
}

}  // namespace gt200::inject
