// Which points of a space of axes a sweep runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "apps/sweep/axis.h"

namespace gt200::apps::sweep {

enum class sampling_method : std::uint8_t { full, random, latin_hypercube, sobol };

struct sampling {
  sampling_method method = sampling_method::full;
  std::size_t points = 0;  // wanted; 1..100000; no meaning for full
  std::uint64_t seed = 0;
  place at = {};
};

// "full", "random", "latin_hypercube" or "sobol". Throws input_error.
sampling_method sampling_method_of(const std::string& name);

// The points for which `allowed` holds, without repetition. The same arguments give the same points on every
// machine.
//
//   full             every combination, the last axis runs fastest
//   random           combinations drawn with equal probability
//   latin_hypercube  the values of each axis occur equally often, in random combination, as far as `points` allows;
//                    points that are not allowed or repeat others are left out, so there may be fewer
//   sobol            points of the Sobol sequence, which fill the space evenly; with a seed other than 0, shifted
//   by it.
//                    At most 21 axes with more than one value
//
// Random and sobol go on until they have the wanted number of points, or there seem to be no more. A sample that
// would be larger than the space is the space. Throws input_error: more than 100000 points, too many axes for
// sobol.
std::vector<point> sample(const std::vector<axis>& axes, const sampling& how,
                          const std::function<bool(const point&)>& allowed);

// Coordinate number `dimension` (0..20) of point number `index` of the Sobol sequence, as a fraction of 2^32, with
// the direction numbers of Joe and Kuo 2008. Point 0 is 0.
std::uint32_t sobol_coordinate(unsigned dimension, std::uint32_t index);

}  // namespace gt200::apps::sweep
