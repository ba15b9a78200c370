// The share in a population of several strata, from a sample of each: the sum of the strata's shares, each times
// its weight. The 95 % interval comes from Wilson's intervals of the strata (wilson.h): the distances from the
// share to the ends are added up as variances are.
//
// Source: G. Y. Zou, W. Huang, X. Zhang, A note on confidence interval estimation for a linear function of binomial
// proportions, Computational Statistics and Data Analysis 53 (2009).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "apps/campaign/wilson.h"

namespace gt200::apps::campaign {

struct estimate {
  double share = 0;
  interval range;
};

struct stratum {
  double weight = 0;  // its part of the population, in any unit
  std::uint64_t hits = 0;
  std::uint64_t tries = 0;
};

// Nothing if the population is empty, or a part of it has no try. A single stratum has Wilson's interval.
inline std::optional<estimate> weighted_share(const std::vector<stratum>& strata) {
  double population = 0;
  for (const stratum& s : strata) population += s.weight;
  if (population <= 0) return std::nullopt;
  double share = 0;
  double below = 0;
  double above = 0;
  for (const stratum& s : strata) {
    if (s.weight <= 0) continue;
    if (s.tries == 0) return std::nullopt;
    const double weight = s.weight / population;
    const double own = static_cast<double>(s.hits) / static_cast<double>(s.tries);
    const interval range = wilson(s.hits, s.tries);
    share += weight * own;
    below += std::pow(weight * (own - range.low), 2);
    above += std::pow(weight * (range.high - own), 2);
  }
  return estimate{share, {std::max(0.0, share - std::sqrt(below)), std::min(1.0, share + std::sqrt(above))}};
}

}  // namespace gt200::apps::campaign
