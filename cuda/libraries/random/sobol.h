// Direction numbers of the Sobol sequence.
#pragma once

#include <vector>

namespace gt200_random {

enum { most_dimensions = 32 };

// 32 words of each dimension: word b is added to a point, by exclusive or, if bit b of its number in Gray code is
// set.
std::vector<unsigned> sobol_directions(unsigned dimensions);

}  // namespace gt200_random
