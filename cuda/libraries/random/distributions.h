// Numbers of one precision, made of random words.
#pragma once

#include <math.h>

#include "cuda/libraries/random/step.h"

namespace gt200_random {

// The inverse of the normal distribution, for 0 < p <= 1; p = 1 counts as the number before it. Algorithm AS 241 of
// M. J. Wichura, The Percentage Points of the Normal Distribution, Applied Statistics 37, 477-484, 1988: PPND7,
// whose error is about 1e-7, and PPND16, about 1e-16.
__host__ __device__ inline float normal_quantile(float p) {
  const float q = p - 0.5f;
  if (fabsf(q) <= 0.425f) {
    const float r = 0.180625f - q * q;
    return q * (((5.9109374720e1f * r + 1.5929113202e2f) * r + 5.0434271938e1f) * r + 3.3871327179f) /
           (((6.7187563600e1f * r + 7.8757757664e1f) * r + 1.7895169469e1f) * r + 1.0f);
  }
  float r = q < 0 ? p : 1.0f - p;
  if (r <= 0) r = 5.9604645e-8f;
  r = sqrtf(-logf(r));
  float x;
  if (r <= 5.0f) {
    r -= 1.6f;
    x = (((1.7023821103e-1f * r + 1.3067284816f) * r + 2.7568153900f) * r + 1.4234372777f) /
        ((1.2021132975e-1f * r + 7.3700164250e-1f) * r + 1.0f);
  } else {
    r -= 5.0f;
    x = (((1.7337203997e-2f * r + 4.2868294337e-1f) * r + 3.0812263860f) * r + 6.6579051150f) /
        ((1.2258202635e-2f * r + 2.4197894225e-1f) * r + 1.0f);
  }
  return q < 0 ? -x : x;
}

__host__ __device__ inline double normal_quantile(double p) {
  const double q = p - 0.5;
  if (fabs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q *
           (((((((2509.0809287301226727 * r + 33430.575583588128105) * r + 67265.770927008700853) * r +
                45921.953931549871457) *
                   r +
               13731.693765509461125) *
                  r +
              1971.5909503065514427) *
                 r +
             133.14166789178437745) *
                r +
            3.387132872796366608) /
           (((((((5226.495278852854561 * r + 28729.085735721942674) * r + 39307.89580009271061) * r +
                21213.794301586595867) *
                   r +
               5394.1960214247511077) *
                  r +
              687.1870074920579083) *
                 r +
             42.313330701600911252) *
                r +
            1.0);
  }
  double r = q < 0 ? p : 1.0 - p;
  if (r <= 0) r = 1.1102230246251565e-16;
  r = sqrt(-log(r));
  double x;
  if (r <= 5.0) {
    r -= 1.6;
    x = (((((((7.7454501427834140764e-4 * r + 0.0227238449892691845833) * r + 0.24178072517745061177) * r +
             1.27045825245236838258) *
                r +
            3.64784832476320460504) *
               r +
           5.7694972214606914055) *
              r +
          4.6303378461565452959) *
             r +
         1.42343711074968357734) /
        (((((((1.05075007164441684324e-9 * r + 5.475938084995344946e-4) * r + 0.0151986665636164571966) * r +
             0.14810397642748007459) *
                r +
            0.68976733498510000455) *
               r +
           1.6763848301838038494) *
              r +
          2.05319162663775882187) *
             r +
         1.0);
  } else {
    r -= 5.0;
    x = (((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 0.0012426609473880784386) * r +
             0.026532189526576123093) *
                r +
            0.29656057182850489123) *
               r +
           1.7848265399172913358) *
              r +
          5.4637849111641143699) *
             r +
         6.6579046435011037772) /
        (((((((2.04426310338993978564e-15 * r + 1.4215117583164458887e-7) * r + 1.8463183175100546818e-5) * r +
             7.868691311456132591e-4) *
                r +
            0.0148753612908506148525) *
               r +
           0.13692988092273580531) *
              r +
          0.59983220655588793769) *
             r +
         1.0);
  }
  return q < 0 ? -x : x;
}

// In the middle of 2^32 or 2^53 intervals of equal size, as far as the precision goes.
__host__ __device__ inline float uniform_of(unsigned word, float) {
  return static_cast<float>(word) * 2.3283064365386963e-10f + 1.1641532182693481e-10f;
}
__host__ __device__ inline double uniform_of(unsigned word, double) {
  return static_cast<double>(word) * 2.3283064365386963e-10 + 1.1641532182693481e-10;
}
// One word, or the next two in double precision: the first is the lower one of 53 bits.
template <class S>
__host__ __device__ inline float next_uniform(S& s, float) {
  return uniform_of(next(s), 0.0f);
}
template <class S>
__host__ __device__ inline double next_uniform(S& s, double) {
  const unsigned lower = next(s);
  const unsigned upper = next(s) >> 11;
  return (static_cast<double>(upper) * 4294967296.0 + static_cast<double>(lower)) * 1.1102230246251565e-16 +
         5.5511151231257827e-17;
}

// What a group of numbers is: `make` of a state, `of` a word.
template <class T>
struct words_themselves {
  typedef unsigned type;
  enum { count = 1 };
  template <class S>
  __host__ __device__ void make(S& s, unsigned* to) const {
    to[0] = next(s);
  }
  __host__ __device__ unsigned of(unsigned word) const { return word; }
};
template <class T>
struct uniform_numbers {
  typedef T type;
  enum { count = 1 };
  template <class S>
  __host__ __device__ void make(S& s, T* to) const {
    to[0] = next_uniform(s, T());
  }
  __host__ __device__ T of(unsigned word) const { return uniform_of(word, T()); }
};
template <class T>
struct normal_numbers {
  typedef T type;
  enum { count = 2 };
  T mean, deviation;
  int of_logarithm;
  __host__ __device__ T scaled(T x) const {
    const T y = mean + deviation * x;
    return of_logarithm ? exp(y) : y;
  }
  template <class S>
  __host__ __device__ void make(S& s, T* to) const {
    const T radius = sqrt(T(-2) * log(next_uniform(s, T())));
    const T angle = T(6.2831853071795864769) * next_uniform(s, T());
    to[0] = scaled(radius * sin(angle));
    to[1] = scaled(radius * cos(angle));
  }
  __host__ __device__ T of(unsigned word) const { return scaled(normal_quantile(uniform_of(word, T()))); }
};

}  // namespace gt200_random
