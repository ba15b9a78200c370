#include "apps/sweep/sampling.h"

#include <fmt/format.h>

#include <array>
#include <numeric>
#include <set>
#include <utility>

#include "toolchain/error.h"

namespace gt200::apps::sweep {
namespace {

constexpr std::size_t max_points = 100'000;
// Draws without a new point after which there seem to be no more.
constexpr std::size_t patience = 100'000;

// SplitMix64 (Steele, Lea and Flood 2014): the same numbers with every standard library.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // 0..count-1; `count` at most 2^32.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>((next() >> 32) * count >> 32); }

 private:
  std::uint64_t state_;
};

// Primitive polynomials and initial numbers of Joe and Kuo 2008, "Constructing Sobol sequences with better
// two-dimensional projections", set new-joe-kuo-6, dimensions 2 to 21.
struct direction_row {
  unsigned degree;
  unsigned inner_coefficients;  // of the polynomial, without those of the highest and the lowest power
  std::array<std::uint32_t, 7> first;
};
constexpr std::array<direction_row, 20> direction_rows = {{{1, 0, {1}},
                                                           {2, 1, {1, 3}},
                                                           {3, 1, {1, 3, 1}},
                                                           {3, 2, {1, 1, 1}},
                                                           {4, 1, {1, 1, 3, 3}},
                                                           {4, 4, {1, 3, 5, 13}},
                                                           {5, 2, {1, 1, 5, 5, 17}},
                                                           {5, 4, {1, 1, 5, 5, 5}},
                                                           {5, 7, {1, 1, 7, 11, 1}},
                                                           {5, 11, {1, 1, 5, 1, 1}},
                                                           {5, 13, {1, 1, 1, 3, 11}},
                                                           {5, 14, {1, 3, 5, 5, 31}},
                                                           {6, 1, {1, 3, 3, 9, 7, 49}},
                                                           {6, 13, {1, 1, 1, 15, 21, 21}},
                                                           {6, 16, {1, 3, 1, 13, 27, 49}},
                                                           {6, 19, {1, 1, 1, 15, 7, 5}},
                                                           {6, 22, {1, 3, 1, 15, 13, 25}},
                                                           {6, 25, {1, 1, 5, 5, 19, 61}},
                                                           {7, 1, {1, 3, 7, 11, 23, 15, 103}},
                                                           {7, 4, {1, 3, 7, 13, 13, 15, 69}}}};
constexpr unsigned max_dimensions = direction_rows.size() + 1;

// The direction numbers of a dimension: bit j of a point's number toggles these bits of its coordinate.
std::array<std::uint32_t, 32> directions_of(unsigned dimension) {
  std::array<std::uint32_t, 32> v{};
  if (dimension == 0) {
    for (unsigned j = 0; j < 32; ++j) v[j] = 1u << (31 - j);
    return v;
  }
  const direction_row& row = direction_rows.at(dimension - 1);
  const unsigned s = row.degree;
  for (unsigned j = 0; j < 32; ++j) {
    if (j < s) {
      v[j] = row.first[j] << (31 - j);
      continue;
    }
    v[j] = v[j - s] ^ (v[j - s] >> s);
    for (unsigned k = 1; k < s; ++k)
      if ((row.inner_coefficients >> (s - 1 - k) & 1) != 0) v[j] ^= v[j - k];
  }
  return v;
}

std::size_t size_of_space(const std::vector<axis>& axes) {
  std::size_t size = 1;
  for (const axis& a : axes) {
    if (size > max_points * max_points / a.values.size())
      return max_points * max_points;  // large enough to be too large
    size *= a.values.size();
  }
  return size;
}

std::vector<point> full(const std::vector<axis>& axes, const place& at,
                        const std::function<bool(const point&)>& allowed) {
  std::vector<point> result;
  const std::size_t count = size_of_space(axes);
  if (count > max_points * 10)
    throw input_error(at.prefix() +
                      fmt::format("more than {} combinations; take a sample of them", max_points * 10));
  for (std::size_t number = 0; number < count; ++number) {
    point p(axes.size());
    std::size_t rest = number;
    for (std::size_t i = axes.size(); i-- > 0;) {
      p[i] = rest % axes[i].values.size();
      rest /= axes[i].values.size();
    }
    if (allowed(p)) result.push_back(std::move(p));
  }
  if (result.size() > max_points)
    throw input_error(at.prefix() + fmt::format("more than {} combinations to run", max_points));
  return result;
}

// Keeps what is allowed and new.
class collector {
 public:
  collector(std::size_t wanted, const std::function<bool(const point&)>& allowed)
      : wanted_(wanted), allowed_(allowed) {}

  void add(const point& p) {
    ++fruitless_;
    if (seen_.count(p) != 0 || !allowed_(p)) return;
    seen_.insert(p);
    result_.push_back(p);
    fruitless_ = 0;
  }
  bool done() const { return result_.size() == wanted_ || fruitless_ == patience; }
  std::vector<point> take() { return std::move(result_); }

 private:
  std::size_t wanted_;
  const std::function<bool(const point&)>& allowed_;
  std::vector<point> result_;
  std::set<point> seen_;
  std::size_t fruitless_ = 0;
};

void draw_random(const std::vector<axis>& axes, const sampling& how, collector& into) {
  random_numbers random(how.seed);
  for (point p(axes.size()); !into.done(); into.add(p))
    for (std::size_t i = 0; i < axes.size(); ++i) p[i] = random.below(axes[i].values.size());
}

void draw_latin(const std::vector<axis>& axes, const sampling& how, collector& into) {
  random_numbers random(how.seed);
  std::vector<point> points(how.points, point(axes.size()));
  for (std::size_t i = 0; i < axes.size(); ++i) {
    // As many strata as points, in random order; the values share them.
    std::vector<std::size_t> strata(how.points);
    std::iota(strata.begin(), strata.end(), std::size_t{0});
    for (std::size_t j = strata.size(); j > 1; --j) std::swap(strata[j - 1], strata[random.below(j)]);
    for (std::size_t j = 0; j < how.points; ++j) points[j][i] = strata[j] * axes[i].values.size() / how.points;
  }
  for (const point& p : points) into.add(p);
}

void draw_sobol(const std::vector<axis>& axes, const sampling& how, collector& into) {
  std::vector<std::size_t> varied;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].values.size() > 1) varied.push_back(i);
  if (varied.size() > max_dimensions)
    throw input_error(how.at.prefix() +
                      fmt::format("sobol takes at most {} axes with more than one value; there are {}",
                                  max_dimensions, varied.size()));
  random_numbers random(how.seed);
  std::vector<std::uint32_t> shift(varied.size(), 0);
  if (how.seed != 0)
    for (std::uint32_t& bits : shift) bits = static_cast<std::uint32_t>(random.next() >> 32);
  point p(axes.size());
  for (std::uint32_t number = 0; !into.done(); ++number) {
    for (unsigned d = 0; d < varied.size(); ++d) {
      const std::uint64_t coordinate = sobol_coordinate(d, number) ^ shift[d];
      p[varied[d]] = static_cast<std::size_t>(coordinate * axes[varied[d]].values.size() >> 32);
    }
    into.add(p);
  }
}

}  // namespace

sampling_method sampling_method_of(const std::string& name) {
  if (name == "full") return sampling_method::full;
  if (name == "random") return sampling_method::random;
  if (name == "latin_hypercube") return sampling_method::latin_hypercube;
  if (name == "sobol") return sampling_method::sobol;
  throw input_error("there is no sampling '" + name + "'; methods are full, random, latin_hypercube, sobol");
}

std::uint32_t sobol_coordinate(unsigned dimension, std::uint32_t index) {
  static const auto directions = [] {
    std::array<std::array<std::uint32_t, 32>, max_dimensions> all{};
    for (unsigned d = 0; d < max_dimensions; ++d) all[d] = directions_of(d);
    return all;
  }();
  // Numbered in Gray code, as Antonov and Saleev 1979: every leading 2^k points are the same set.
  const std::uint32_t gray = index ^ (index >> 1);
  std::uint32_t result = 0;
  for (unsigned j = 0; j < 32; ++j)
    if ((gray >> j & 1) != 0) result ^= directions[dimension][j];
  return result;
}

std::vector<point> sample(const std::vector<axis>& axes, const sampling& how,
                          const std::function<bool(const point&)>& allowed) {
  if (how.method == sampling_method::full || how.points >= size_of_space(axes)) return full(axes, how.at, allowed);
  if (how.points == 0 || how.points > max_points)
    throw input_error(how.at.prefix() + fmt::format("a sample has 1 to {} points, not {}", max_points, how.points));
  collector into(how.points, allowed);
  switch (how.method) {
    case sampling_method::random: draw_random(axes, how, into); break;
    case sampling_method::latin_hypercube: draw_latin(axes, how, into); break;
    default: draw_sobol(axes, how, into); break;
  }
  return into.take();
}

}  // namespace gt200::apps::sweep
