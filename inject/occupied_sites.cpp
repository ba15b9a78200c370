#include "inject/occupied_sites.h"

namespace gt200::inject {

occupied_sites::occupied_sites(device& target, const std::vector<cycle_range>& cycles, std::uint64_t seed,
                               std::size_t count)
    : chip_(target.chip()),
      space_(chip_),
      cycles_(cycles),
      count_(count),
      step_((cycles_in(cycles) + max_cycles - 1) / max_cycles) {
  for (const structure& s : space_.structures())
    states_.push_back({&s, random_numbers(seed, s.name + " in use"), 0, {}});
  chip_.clocks.attach_on_time(*this);
}

occupied_sites::~occupied_sites() { chip_.clocks.detach(*this); }

tlm_bus::femtoseconds occupied_sites::interval_end() const {
  return next_ >= cycles_in(cycles_) ? tlm_bus::no_time : cycle_at(cycles_, next_) * chip_.core.period();
}

void occupied_sites::interval_ends() {
  const std::uint64_t cycle = cycle_at(cycles_, next_);
  next_ += step_;
  ++looks_;
  for (state& s : states_) look(s, cycle);
}

void occupied_sites::look(state& s, std::uint64_t cycle) {
  std::vector<std::vector<tlm_bus::bit_range>> used;
  std::uint64_t bits = 0;
  for (const storage_part& part : s.of->parts) {
    used.emplace_back();
    part.storage->add_occupied(used.back());
    for (const tlm_bus::bit_range& r : used.back()) bits += r.count;
  }
  if (bits == 0) return;
  s.seen += bits;
  const bool first = s.sites.empty();
  if (first) s.sites.resize(count_);
  for (site& chosen : s.sites) {
    if (!first && s.random.below(s.seen) >= bits) continue;
    std::uint64_t bit = s.random.below(bits);
    for (std::size_t p = 0; p < used.size(); ++p)
      for (const tlm_bus::bit_range& r : used[p]) {
        if (bit < r.count) {
          chosen = {s.of->parts[p].module, r.first + bit, cycle};
          bit = ~std::uint64_t{0};
        } else if (bit != ~std::uint64_t{0}) {
          bit -= r.count;
        }
      }
  }
}

std::vector<occupied_sites::drawn> occupied_sites::result() const {
  std::vector<drawn> all;
  for (const state& s : states_) {
    const double whole = static_cast<double>(s.of->bits()) * static_cast<double>(looks_);
    all.push_back({s.of->name, s.sites, whole == 0 ? 0 : static_cast<double>(s.seen) / whole});
  }
  return all;
}

}  // namespace gt200::inject
