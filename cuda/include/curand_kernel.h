// Random numbers within kernels: states of XORWOW, MRG32k3a and Philox4x32-10, and numbers of them. Source: cuRAND
// Library, "Device API".
//
// Philox (J. Salmon and others, Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011) gives the words of NVIDIA's:
// the seed is the key, a subsequence the upper half of the counter. XORWOW (G. Marsaglia, Xorshift RNGs, 2003)
// begins each subsequence at a state that SplitMix64 makes of seed and subsequence, where NVIDIA's are 2^67 numbers
// apart; so its numbers are others, as those of curand.h are. MRG32k3a (P. L'Ecuyer, Good Parameters and
// Implementations for Combined Multiple Recursive Random Number Generators, 1999) has subsequences 2^76 numbers
// apart from such a state.
//
// Uniform numbers are above 0 and at most 1. Normal ones are by Box and Muller, Poisson ones by products of uniform
// ones up to a mean of 10 and by W. Hoermann's PTRS (1993) above.
#pragma once

#define CURAND_KERNEL_H_

#include "curand.h"

typedef struct curandStateXORWOW {
  unsigned v[5];
  unsigned d;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
} curandStateXORWOW_t;
typedef curandStateXORWOW_t curandState_t;
typedef curandStateXORWOW_t curandState;
typedef struct curandStateMRG32k3a {
  unsigned s1[3], s2[3];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
} curandStateMRG32k3a_t;
typedef struct curandStatePhilox4_32_10 {
  uint4 ctr;
  uint4 output;  // of the counter
  uint2 key;
  unsigned STATE;  // words of the output that have been given
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
} curandStatePhilox4_32_10_t;

#ifdef __CUDA__

#define GT200_RANDOM static __inline__ __device__ __attribute__((unused))

GT200_RANDOM unsigned long long gt200_split_mix(unsigned long long& state) {
  unsigned long long z = state += 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
template <class STATE>
GT200_RANDOM void gt200_forget_normal(STATE* s) {
  s->boxmuller_flag = s->boxmuller_flag_double = 0;
  s->boxmuller_extra = 0.0f;
  s->boxmuller_extra_double = 0.0;
}

// XORWOW
GT200_RANDOM unsigned curand(curandStateXORWOW_t* s) {
  const unsigned t = s->v[0] ^ (s->v[0] >> 2);
  s->v[0] = s->v[1];
  s->v[1] = s->v[2];
  s->v[2] = s->v[3];
  s->v[3] = s->v[4];
  s->v[4] = s->v[4] ^ (s->v[4] << 4) ^ (t ^ (t << 1));
  s->d += 362437;
  return s->d + s->v[4];
}
GT200_RANDOM void skipahead(unsigned long long count, curandStateXORWOW_t* s) {
  for (; count != 0; --count) curand(s);
}
GT200_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                              curandStateXORWOW_t* s) {
  const unsigned first[6] = {123456789u, 362436069u, 521288629u, 88675123u, 5783321u, 6615241u};
  unsigned long long mixed = seed;
  mixed = gt200_split_mix(mixed) ^ subsequence;
  for (int k = 0; k < 5; ++k) s->v[k] = first[k] ^ static_cast<unsigned>(gt200_split_mix(mixed));
  s->d = first[5] ^ static_cast<unsigned>(gt200_split_mix(mixed));
  gt200_forget_normal(s);
  skipahead(offset, s);
}

// MRG32k3a
GT200_RANDOM unsigned curand(curandStateMRG32k3a_t* s) {
  const unsigned long long m1 = 4294967087ull;
  const unsigned long long m2 = 4294944443ull;
  const unsigned long long p1 = (1403580ull * s->s1[1] % m1 + m1 - 810728ull * s->s1[0] % m1) % m1;
  s->s1[0] = s->s1[1];
  s->s1[1] = s->s1[2];
  s->s1[2] = static_cast<unsigned>(p1);
  const unsigned long long p2 = (527612ull * s->s2[2] % m2 + m2 - 1370589ull * s->s2[0] % m2) % m2;
  s->s2[0] = s->s2[1];
  s->s2[1] = s->s2[2];
  s->s2[2] = static_cast<unsigned>(p2);
  return static_cast<unsigned>(p1 > p2 ? p1 - p2 : p1 + m1 - p2);
}
// `v` times the matrix of a step to the power of `count` times 2^`doublings`.
GT200_RANDOM void gt200_skip_mrg(unsigned* v, const unsigned (&step)[3][3], unsigned long long m,
                                 unsigned long long count, int doublings) {
  unsigned long long power[3][3];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) power[r][c] = step[r][c];
  for (; count != 0; --doublings) {
    if (doublings <= 0) {
      if ((count & 1) != 0) {
        unsigned long long next[3];
        for (int r = 0; r < 3; ++r) {
          next[r] = 0;
          for (int c = 0; c < 3; ++c) next[r] = (next[r] + power[r][c] * v[c] % m) % m;
        }
        for (int r = 0; r < 3; ++r) v[r] = static_cast<unsigned>(next[r]);
      }
      count >>= 1;
    }
    unsigned long long square[3][3];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) {
        square[r][c] = 0;
        for (int k = 0; k < 3; ++k) square[r][c] = (square[r][c] + power[r][k] * power[k][c] % m) % m;
      }
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) power[r][c] = square[r][c];
  }
}
GT200_RANDOM void gt200_skip(unsigned long long count, int doublings, curandStateMRG32k3a_t* s) {
  const unsigned step1[3][3] = {{0, 1, 0}, {0, 0, 1}, {4294967087u - 810728u, 1403580u, 0}};
  const unsigned step2[3][3] = {{0, 1, 0}, {0, 0, 1}, {4294944443u - 1370589u, 0, 527612u}};
  gt200_skip_mrg(s->s1, step1, 4294967087ull, count, doublings);
  gt200_skip_mrg(s->s2, step2, 4294944443ull, count, doublings);
}
GT200_RANDOM void skipahead(unsigned long long count, curandStateMRG32k3a_t* s) { gt200_skip(count, 0, s); }
GT200_RANDOM void skipahead_subsequence(unsigned long long count, curandStateMRG32k3a_t* s) {
  gt200_skip(count, 76, s);
}
GT200_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                              curandStateMRG32k3a_t* s) {
  unsigned long long mixed = seed;
  for (int k = 0; k < 3; ++k) s->s1[k] = 1 + static_cast<unsigned>(gt200_split_mix(mixed) % 4294967086ull);
  for (int k = 0; k < 3; ++k) s->s2[k] = 1 + static_cast<unsigned>(gt200_split_mix(mixed) % 4294944442ull);
  gt200_forget_normal(s);
  skipahead_subsequence(subsequence, s);
  skipahead(offset, s);
}

// Philox4x32-10
GT200_RANDOM uint4 curand_Philox4x32_10(uint4 c, uint2 k) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long p0 = 0xd2511f53ull * c.x;
    const unsigned long long p1 = 0xcd9e8d57ull * c.z;
    c = make_uint4(static_cast<unsigned>(p1 >> 32) ^ c.y ^ k.x, static_cast<unsigned>(p1),
                   static_cast<unsigned>(p0 >> 32) ^ c.w ^ k.y, static_cast<unsigned>(p0));
    k.x += 0x9e3779b9u;
    k.y += 0xbb67ae85u;
  }
  return c;
}
GT200_RANDOM void gt200_advance(curandStatePhilox4_32_10_t* s, unsigned long long count) {
  const unsigned long long low = (static_cast<unsigned long long>(s->ctr.y) << 32 | s->ctr.x) + count;
  if (low < count) {
    const unsigned long long high = (static_cast<unsigned long long>(s->ctr.w) << 32 | s->ctr.z) + 1;
    s->ctr.z = static_cast<unsigned>(high);
    s->ctr.w = static_cast<unsigned>(high >> 32);
  }
  s->ctr.x = static_cast<unsigned>(low);
  s->ctr.y = static_cast<unsigned>(low >> 32);
  s->output = curand_Philox4x32_10(s->ctr, s->key);
}
GT200_RANDOM void skipahead(unsigned long long count, curandStatePhilox4_32_10_t* s) {
  s->STATE += static_cast<unsigned>(count & 3);
  const unsigned long long more = s->STATE > 3 ? 1 : 0;
  s->STATE &= 3;
  gt200_advance(s, count / 4 + more);
}
GT200_RANDOM void skipahead_sequence(unsigned long long count, curandStatePhilox4_32_10_t* s) {
  const unsigned long long high = (static_cast<unsigned long long>(s->ctr.w) << 32 | s->ctr.z) + count;
  s->ctr.z = static_cast<unsigned>(high);
  s->ctr.w = static_cast<unsigned>(high >> 32);
  s->output = curand_Philox4x32_10(s->ctr, s->key);
}
GT200_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                              curandStatePhilox4_32_10_t* s) {
  s->ctr = make_uint4(0, 0, 0, 0);
  s->key = make_uint2(static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32));
  s->STATE = 0;
  gt200_forget_normal(s);
  skipahead_sequence(subsequence, s);
  skipahead(offset, s);
}
GT200_RANDOM unsigned curand(curandStatePhilox4_32_10_t* s) {
  const unsigned word = s->STATE == 0   ? s->output.x
                        : s->STATE == 1 ? s->output.y
                        : s->STATE == 2 ? s->output.z
                                        : s->output.w;
  if (++s->STATE == 4) {
    gt200_advance(s, 1);
    s->STATE = 0;
  }
  return word;
}
GT200_RANDOM uint4 curand4(curandStatePhilox4_32_10_t* s) {
  const uint4 now = s->output;
  gt200_advance(s, 1);
  const uint4 next = s->output;
  switch (s->STATE) {
    case 0: return now;
    case 1: return make_uint4(now.y, now.z, now.w, next.x);
    case 2: return make_uint4(now.z, now.w, next.x, next.y);
    default: return make_uint4(now.w, next.x, next.y, next.z);
  }
}

// Numbers of words
GT200_RANDOM float gt200_uniform(unsigned word) { return word * 2.3283064e-10f + 1.1641532e-10f; }
GT200_RANDOM double gt200_uniform_double(unsigned low, unsigned high) {
  const unsigned long long bits = static_cast<unsigned long long>(low) ^ static_cast<unsigned long long>(high)
                                                                             << 21;
  return bits * 1.1102230246251565e-16 + 5.5511151231257827e-17;
}
GT200_RANDOM float2 gt200_box_muller(unsigned a, unsigned b) {
  const float radius = sqrtf(-2.0f * logf(gt200_uniform(a)));
  const float angle = b * 1.4629180e-09f + 7.3145902e-10f;  // 2 pi / 2^32
  return make_float2(radius * sinf(angle), radius * cosf(angle));
}
GT200_RANDOM double2 gt200_box_muller_double(double a, double b) {
  const double radius = sqrt(-2.0 * log(a));
  const double angle = 6.283185307179586 * b;
  return make_double2(radius * sin(angle), radius * cos(angle));
}

template <class STATE>
GT200_RANDOM float curand_uniform(STATE* s) {
  return gt200_uniform(curand(s));
}
template <class STATE>
GT200_RANDOM double curand_uniform_double(STATE* s) {
  const unsigned low = curand(s);
  return gt200_uniform_double(low, curand(s));
}
template <class STATE>
GT200_RANDOM float2 curand_normal2(STATE* s) {
  const unsigned first = curand(s);
  return gt200_box_muller(first, curand(s));
}
template <class STATE>
GT200_RANDOM double2 curand_normal2_double(STATE* s) {
  const double first = curand_uniform_double(s);
  return gt200_box_muller_double(first, curand_uniform_double(s));
}
// Every second number is kept in the state.
template <class STATE>
GT200_RANDOM float curand_normal(STATE* s) {
  s->boxmuller_flag = !s->boxmuller_flag;
  if (!s->boxmuller_flag) return s->boxmuller_extra;
  const float2 both = curand_normal2(s);
  s->boxmuller_extra = both.y;
  return both.x;
}
template <class STATE>
GT200_RANDOM double curand_normal_double(STATE* s) {
  s->boxmuller_flag_double = !s->boxmuller_flag_double;
  if (!s->boxmuller_flag_double) return s->boxmuller_extra_double;
  const double2 both = curand_normal2_double(s);
  s->boxmuller_extra_double = both.y;
  return both.x;
}
template <class STATE>
GT200_RANDOM float curand_log_normal(STATE* s, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(s));
}
template <class STATE>
GT200_RANDOM double curand_log_normal_double(STATE* s, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(s));
}
template <class STATE>
GT200_RANDOM float2 curand_log_normal2(STATE* s, float mean, float deviation) {
  const float2 both = curand_normal2(s);
  return make_float2(expf(mean + deviation * both.x), expf(mean + deviation * both.y));
}
template <class STATE>
GT200_RANDOM unsigned curand_poisson(STATE* s, double mean) {
  if (mean < 10.0) {
    const double end = exp(-mean);
    unsigned count = 0;
    for (double product = curand_uniform_double(s); product > end; ++count) product *= curand_uniform_double(s);
    return count;
  }
  const double root = sqrt(mean);
  const double b = 0.931 + 2.53 * root;
  const double a = -0.059 + 0.02483 * b;
  const double scale = 1.1239 + 1.1328 / (b - 3.4);
  const double edge = 0.9277 - 3.6224 / (b - 2.0);
  for (;;) {
    const double u = curand_uniform_double(s) - 0.5;
    const double v = curand_uniform_double(s);
    const double us = 0.5 - fabs(u);
    const double k = floor((2.0 * a / us + b) * u + mean + 0.43);
    if (us >= 0.07 && v <= edge) return static_cast<unsigned>(k);
    if (k < 0.0 || (us < 0.013 && v > us)) continue;
    if (log(v) + log(scale) - log(a / (us * us) + b) <= k * log(mean) - mean - lgamma(k + 1.0))
      return static_cast<unsigned>(k);
  }
}
GT200_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t* s) {
  const uint4 w = curand4(s);
  return make_float4(gt200_uniform(w.x), gt200_uniform(w.y), gt200_uniform(w.z), gt200_uniform(w.w));
}
GT200_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t* s) {
  const uint4 w = curand4(s);
  return make_double2(gt200_uniform_double(w.x, w.y), gt200_uniform_double(w.z, w.w));
}
GT200_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t* s) {
  const uint4 w = curand4(s);
  const float2 a = gt200_box_muller(w.x, w.y);
  const float2 b = gt200_box_muller(w.z, w.w);
  return make_float4(a.x, a.y, b.x, b.y);
}
GT200_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10_t* s, float mean, float deviation) {
  const float4 n = curand_normal4(s);
  return make_float4(expf(mean + deviation * n.x), expf(mean + deviation * n.y), expf(mean + deviation * n.z),
                     expf(mean + deviation * n.w));
}
GT200_RANDOM uint4 curand_poisson4(curandStatePhilox4_32_10_t* s, double mean) {
  const unsigned x = curand_poisson(s, mean);
  const unsigned y = curand_poisson(s, mean);
  const unsigned z = curand_poisson(s, mean);
  return make_uint4(x, y, z, curand_poisson(s, mean));
}
#undef GT200_RANDOM

#endif
