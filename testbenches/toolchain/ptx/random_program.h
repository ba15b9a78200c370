// A PTX module with one entry, generated from a number: arithmetic of all types, loads and stores of all spaces,
// nested and divergent branches, loops with divergent exits, guards, calls, barriers, votes. In half of the
// programs threads end early, on one side of a branch or at once, and the others come to barriers and votes. Every
// thread that comes to the end writes its registers to its own part of `out`. Threads communicate only through
// shared memory and commutative atomic operations, so the result does not depend on their order.
#pragma once

#include <cstdint>
#include <string>

namespace gt200::ptx {

struct random_program {
  std::string text;  // entry "random", parameters: in, out (addresses), scale (.u32), small (.s16), factor (.f32)
  unsigned blocks = 1;
  unsigned threads = 32;
};

inline constexpr unsigned input_words_per_thread = 8;
inline constexpr unsigned output_words_per_thread = 32;
inline constexpr unsigned counter_words = 4;  // for atomic operations, after the words of the threads

// `capability`: 13, or 20 for programs that also use what sm_20 adds.
random_program make_random_program(std::uint64_t seed, unsigned capability = 13);

}  // namespace gt200::ptx
