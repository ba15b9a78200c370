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

// Word `position` of the sequence that a seed gives, and the block of four that it is in.
struct philox_state {
  unsigned long long seed, position;
  unsigned words[4];
};

__host__ __device__ inline void fill_block(philox_state& s) {
  const unsigned long long block = s.position / 4;
  unsigned c[4] = {static_cast<unsigned>(block), static_cast<unsigned>(block >> 32), 0, 0};
  unsigned k[2] = {static_cast<unsigned>(s.seed), static_cast<unsigned>(s.seed >> 32)};
  for (int round = 0; round < 10; ++round) {
    const unsigned long long p0 = 0xd2511f53ull * c[0];
    const unsigned long long p1 = 0xcd9e8d57ull * c[2];
    c[0] = static_cast<unsigned>(p1 >> 32) ^ c[1] ^ k[0];
    c[1] = static_cast<unsigned>(p1);
    c[2] = static_cast<unsigned>(p0 >> 32) ^ c[3] ^ k[1];
    c[3] = static_cast<unsigned>(p0);
    k[0] += 0x9e3779b9u;
    k[1] += 0xbb67ae85u;
  }
  for (int w = 0; w < 4; ++w) s.words[w] = c[w];
}

__host__ __device__ inline unsigned next(philox_state& s) {
  const unsigned w = s.position % 4;
  const unsigned word = w == 0 ? s.words[0] : w == 1 ? s.words[1] : w == 2 ? s.words[2] : s.words[3];
  ++s.position;
  if (w == 3) fill_block(s);
  return word;
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

struct philox_place {
  unsigned long long seed, position;  // of the next word
};

// Results in double precision are in the unit for it. `per_group`: results from one turn of a sequence.
inline unsigned per_group(distribution kind) { return kind == normal || kind == log_normal ? 2 : 1; }

// Write `groups` groups, or n numbers in each dimension.
#define GT200_RANDOM_LAUNCHES(T)                                                                        \
  cudaError_t run_xorwow(const xorwow_place& at, const wanted_numbers& wanted, T* out, unsigned groups, \
                         cudaStream_t stream);                                                          \
  cudaError_t run_sobol(const sobol_place& at, const wanted_numbers& wanted, T* out, unsigned n,        \
                        cudaStream_t stream);                                                           \
  cudaError_t run_philox(const philox_place& at, const wanted_numbers& wanted, T* out, unsigned groups, \
                         cudaStream_t stream);                                                          \
  void make_philox(const philox_place& at, const wanted_numbers& wanted, T* out, unsigned groups);      \
  void make_xorwow(const xorwow_place& at, const wanted_numbers& wanted, T* out, unsigned groups);      \
  void make_sobol(const sobol_place& at, const wanted_numbers& wanted, T* out, unsigned n);
GT200_RANDOM_LAUNCHES(unsigned)
GT200_RANDOM_LAUNCHES(float)
GT200_RANDOM_LAUNCHES(double)
#undef GT200_RANDOM_LAUNCHES

}  // namespace gt200_random
