// The confidence interval of a share that was counted in a sample: Wilson's score interval, 95 %.
//
// Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gt200::apps::campaign {

struct interval {
  double low = 0;
  double high = 1;
};

// `hits` of `tries`; 0 to 1 if there was no try.
inline interval wilson(std::uint64_t hits, std::uint64_t tries) {
  if (tries == 0) return {};
  constexpr double z = 1.959963984540054;
  const auto n = static_cast<double>(tries);
  const double p = static_cast<double>(hits) / n;
  const double scale = 1 + z * z / n;
  const double middle = (p + z * z / (2 * n)) / scale;
  const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / scale;
  // The ends are exact where the share is.
  return {hits == 0 ? 0 : std::max(0.0, middle - half), hits == tries ? 1 : std::min(1.0, middle + half)};
}

}  // namespace gt200::apps::campaign
