// States of XORWOW, on the host.
//
// Ours, not NVIDIA's: the first state of a seed is Marsaglia's, x = 123456789, y = 362436069, z = 521288629,
// w = 88675123, v = 5783321, d = 6615241, each combined by exclusive or with the lower half of a number that
// SplitMix64 (Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators, 2014) makes of the seed, in
// this order. With seeds of their own, sequence j has the seed that SplitMix64 makes first, plus j.
#pragma once

#include <stdint.h>

#include <vector>

#include "cuda/libraries/random/step.h"

namespace gt200_random {

xorwow_state first_state(uint64_t seed);

// The states of all sequences, each before its next number, when number `offset` of the generator comes next.
std::vector<xorwow_state> states_of(uint64_t seed, uint64_t offset, bool seeded);

}  // namespace gt200_random
