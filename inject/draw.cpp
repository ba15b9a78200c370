#include "inject/draw.h"

#include "inject/random_numbers.h"

namespace gt200::inject {

std::uint64_t cycles_in(const std::vector<cycle_range>& ranges) {
  std::uint64_t sum = 0;
  for (const cycle_range& r : ranges) sum += r.end - r.first;
  return sum;
}

std::uint64_t cycle_at(const std::vector<cycle_range>& ranges, std::uint64_t index) {
  for (const cycle_range& r : ranges) {
    if (index < r.end - r.first) return r.first + index;
    index -= r.end - r.first;
  }
  return ranges.back().end;
}

std::uint64_t structure_bits::bits() const {
  std::uint64_t sum = 0;
  for (const part& p : parts) sum += p.bits;
  return sum;
}

std::vector<site> draw_sites(const structure_bits& from, const std::vector<cycle_range>& cycles, std::uint64_t seed,
                             std::size_t count) {
  random_numbers random(seed, from.name);
  const std::uint64_t bits = from.bits();
  const std::uint64_t length = cycles_in(cycles);
  std::vector<site> sites;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t bit = random.below(bits);
    std::size_t part = 0;
    for (; bit >= from.parts[part].bits; ++part) bit -= from.parts[part].bits;
    sites.push_back({from.parts[part].module, bit, cycle_at(cycles, random.below(length))});
  }
  return sites;
}

}  // namespace gt200::inject
