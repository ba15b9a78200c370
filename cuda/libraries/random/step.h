// The generators' steps and the functions that make numbers of their words, on both sides.
#pragma once

#include "cuda_runtime_api.h"

namespace gt200_random {

enum { sequences = 4096, log2_apart = 67, counter_step = 362437 };

struct xorwow_state {
  unsigned v[5];
  unsigned d;
};

__host__ __device__ inline unsigned next(xorwow_state& s) {
  const unsigned t = s.v[0] ^ (s.v[0] >> 2);
  s.v[0] = s.v[1];
  s.v[1] = s.v[2];
  s.v[2] = s.v[3];
  s.v[3] = s.v[4];
  s.v[4] = s.v[4] ^ (s.v[4] << 4) ^ (t ^ (t << 1));
  s.d += counter_step;
  return s.d + s.v[4];
}

// What numbers are made of the words: all of them, uniform, normal and exp() of normal.
enum distribution { all_words, uniform, normal, log_normal };
struct wanted_numbers {
  distribution kind;
  double mean, deviation;
};

// Where a generator is. Device memory, or the host's.
struct xorwow_place {
  unsigned* states;  // word w of sequence j at w * sequences + j
  unsigned phase;    // the sequence of the next number
};
struct sobol_place {
  const unsigned* directions;  // 32 of each dimension
  unsigned dimensions;
  unsigned offset;
};

// Results in double precision are in the unit for it. `per_group`: results from one turn of a sequence.
inline unsigned per_group(distribution kind) { return kind == normal || kind == log_normal ? 2 : 1; }

// Write `groups` groups, or n numbers in each dimension.
#define GT200_RANDOM_LAUNCHES(T)                                                                        \
  cudaError_t run_xorwow(const xorwow_place& at, const wanted_numbers& wanted, T* out, unsigned groups, \
                         cudaStream_t stream);                                                          \
  cudaError_t run_sobol(const sobol_place& at, const wanted_numbers& wanted, T* out, unsigned n,        \
                        cudaStream_t stream);                                                           \
  void make_xorwow(const xorwow_place& at, const wanted_numbers& wanted, T* out, unsigned groups);      \
  void make_sobol(const sobol_place& at, const wanted_numbers& wanted, T* out, unsigned n);
GT200_RANDOM_LAUNCHES(unsigned)
GT200_RANDOM_LAUNCHES(float)
GT200_RANDOM_LAUNCHES(double)
#undef GT200_RANDOM_LAUNCHES

}  // namespace gt200_random
