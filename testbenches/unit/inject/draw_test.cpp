// The draw is uniform over bits and cycles, and the same for the same seed.
#include "inject/draw.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "inject/random_numbers.h"

namespace gt200::inject {
namespace {

const structure_bits three_modules = {"s", {{"a", 10}, {"b", 1}, {"c", 29}}};
const std::vector<cycle_range> two_launches = {{100, 107}, {200, 213}};

// Largest distance from the mean in standard deviations of a count.
double farthest(const std::map<std::string, unsigned>& counts, double mean) {
  double most = 0;
  for (const auto& [what, n] : counts) most = std::max(most, std::abs(n - mean) / std::sqrt(mean));
  return most;
}

TEST(draw, every_bit_and_every_cycle_is_equally_likely) {
  constexpr std::size_t count = 80000;
  std::map<std::string, unsigned> bits, cycles;
  for (const site& s : draw_sites(three_modules, two_launches, 7, count)) {
    ++bits[s.module + ":" + std::to_string(s.bit)];
    ++cycles[std::to_string(s.cycle)];
  }
  EXPECT_EQ(bits.size(), 40u) << "bits of all modules";
  EXPECT_EQ(cycles.size(), 20u) << "cycles of both launches";
  EXPECT_LT(farthest(bits, count / 40.0), 5);
  EXPECT_LT(farthest(cycles, count / 20.0), 5);
}

TEST(draw, stays_within_the_launches) {
  for (const site& s : draw_sites(three_modules, two_launches, 1, 1000))
    EXPECT_TRUE((s.cycle >= 100 && s.cycle < 107) || (s.cycle >= 200 && s.cycle < 213)) << s.cycle;
}

TEST(draw, the_same_seed_gives_the_same_sites_and_more_of_them_begin_with_these) {
  const auto few = draw_sites(three_modules, two_launches, 3, 50);
  const auto more = draw_sites(three_modules, two_launches, 3, 100);
  const auto other = draw_sites(three_modules, two_launches, 4, 50);
  unsigned equal = 0;
  for (std::size_t i = 0; i < few.size(); ++i) {
    EXPECT_EQ(text_of(few[i]), text_of(more[i]));
    equal += text_of(few[i]) == text_of(other[i]);
  }
  EXPECT_LT(equal, 10u);
}

TEST(draw, structures_are_drawn_independently) {
  structure_bits renamed = three_modules;
  renamed.name = "t";
  unsigned equal = 0;
  const auto a = draw_sites(three_modules, two_launches, 3, 50);
  const auto b = draw_sites(renamed, two_launches, 3, 50);
  for (std::size_t i = 0; i < a.size(); ++i) equal += text_of(a[i]) == text_of(b[i]);
  EXPECT_LT(equal, 10u);
}

// The numbers are part of what a seed means, on every machine.
TEST(draw, random_numbers_are_those_of_mersenne_twister) {
  random_numbers random(1, "register_file");
  const std::uint64_t first = random.below(1'000'000);
  random_numbers again(1, "register_file");
  EXPECT_EQ(again.below(1'000'000), first);
  for (unsigned i = 0; i < 1000; ++i) EXPECT_LT(random.below(3), 3u);
  EXPECT_EQ(random.below(1), 0u);
}

}  // namespace
}  // namespace gt200::inject
