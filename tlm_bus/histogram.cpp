#include "tlm_bus/histogram.h"

#include <numeric>

namespace gt200::tlm_bus {

histogram::histogram(const std::string& name, const char* unit, const char* description)
    : attribute_(describe_figure(*this, name, unit, description)) {}

[[gnu::noinline, gnu::cold]] void histogram::grow(unsigned of) {
  constexpr std::size_t smallest = 16;
  counts_.resize(
      std::max({smallest, std::size_t{of} + 1, std::min<std::size_t>(2 * counts_.size(), exact_values)}));
}

// Most classes are empty: they are passed over in blocks.
histogram::values histogram::value() const {
  constexpr std::size_t block = 16;
  values result;
  result.sum = sum_;
  const auto take = [&](std::size_t of) {
    if (counts_[of] != 0) result.counts.push_back({static_cast<unsigned>(of), counts_[of]});
  };
  std::size_t of = 0;
  for (; of + block <= counts_.size(); of += block) {
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < block; ++i) any |= counts_[of + i];
    if (any == 0) continue;
    for (std::size_t i = 0; i < block; ++i) take(of + i);
  }
  for (; of < counts_.size(); ++of) take(of);
  return result;
}

std::uint64_t histogram::values::total() const {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0},
                         [](std::uint64_t all, const entry& e) { return all + e.count; });
}

double histogram::values::average() const {
  const std::uint64_t all = total();
  return all == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(all);
}

std::uint64_t histogram::values::percentile(double part) const {
  const double wanted = part * static_cast<double>(total());
  std::uint64_t below = 0;
  for (const entry& e : counts)
    if (static_cast<double>(below += e.count) >= wanted) return last_of(e.of);
  return 0;
}

std::array<std::uint64_t, histogram::bins> histogram::values::in_bins() const {
  std::array<std::uint64_t, bins> result{};
  for (const entry& e : counts) result[bin_of(last_of(e.of))] += e.count;
  return result;
}

template <class Combine>
void histogram::values::combine(const values& other, Combine with) {
  std::vector<entry> result;
  result.reserve(counts.size() + other.counts.size());
  auto mine = counts.begin();
  for (auto theirs = other.counts.begin(); mine != counts.end() || theirs != other.counts.end();) {
    entry e;
    if (theirs == other.counts.end() || (mine != counts.end() && mine->of < theirs->of))
      e = *mine++;
    else if (mine == counts.end() || theirs->of < mine->of)
      e = {theirs->of, with(0, (theirs++)->count)};
    else
      e = {mine->of, with((mine++)->count, (theirs++)->count)};
    if (e.count != 0) result.push_back(e);
  }
  counts = std::move(result);
}

histogram::values& histogram::values::operator+=(const values& more) {
  sum += more.sum;
  if (counts.empty())
    counts = more.counts;
  else if (!more.counts.empty())
    combine(more, [](std::uint64_t a, std::uint64_t b) { return a + b; });
  return *this;
}

histogram::values& histogram::values::operator-=(const values& less) {
  sum -= less.sum;
  if (!less.counts.empty()) combine(less, [](std::uint64_t a, std::uint64_t b) { return a - b; });
  return *this;
}

}  // namespace gt200::tlm_bus
