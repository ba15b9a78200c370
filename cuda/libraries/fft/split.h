// How a length is divided: into transforms that fit into shared memory, and those into butterflies.
#pragma once

#include <vector>

namespace gt200_fft {

// Whether a positive number has no other prime factors than 2, 3, 5 and 7.
bool has_small_factors(int n);
// At most three factors of n, each `most` or less; empty if there are none. Three small ones rather than two large
// ones: rows of several transforms then fit into shared memory beside each other.
std::vector<int> factors_of(int n, int most);
// The least number from `least` on that has such factors.
int padded_length(int least, int most);
// Of the butterflies of a transform.
std::vector<int> radices_of(int length);
// Where each element must be for butterflies of these radices, the last ones first, to leave the result in its
// order.
std::vector<int> order_of(const std::vector<int>& radices);

}  // namespace gt200_fft
