// Forward transforms of 2, 3, 4, 5 and 7 complex numbers in registers, stored `step` apart.
#pragma once

#include "cuda_runtime.h"

namespace gt200_fft {

template <class C>
struct part_of;
template <>
struct part_of<float2> {
  typedef float type;
};
template <>
struct part_of<double2> {
  typedef double type;
};

template <class C>
__device__ inline C sum(C a, C b) {
  a.x += b.x;
  a.y += b.y;
  return a;
}
template <class C>
__device__ inline C difference(C a, C b) {
  a.x -= b.x;
  a.y -= b.y;
  return a;
}
template <class C>
__device__ inline C product(C a, C b) {
  C c;
  c.x = a.x * b.x - a.y * b.y;
  c.y = a.x * b.y + a.y * b.x;
  return c;
}
// a - i b
template <class C>
__device__ inline C turned_difference(C a, C b) {
  a.x += b.y;
  a.y -= b.x;
  return a;
}
// a + i b
template <class C>
__device__ inline C turned_sum(C a, C b) {
  a.x -= b.y;
  a.y += b.x;
  return a;
}

// Cosine and sine of 2 pi k / n, for 0 < k <= n / 2.
__device__ constexpr double cosine(int n, int k) {
  return n == 3   ? -0.5
         : n == 5 ? (k == 1 ? 0.30901699437494742410 : -0.80901699437494742410)
         : k == 1 ? 0.62348980185873353053
         : k == 2 ? -0.22252093395631440429
                  : -0.90096886790241912624;
}
__device__ constexpr double sine(int n, int k) {
  return n == 3   ? 0.86602540378443864676
         : n == 5 ? (k == 1 ? 0.95105651629515357212 : 0.58778525229247312917)
         : k == 1 ? 0.78183148246802980871
         : k == 2 ? 0.97492791218182360702
                  : 0.43388373911755812048;
}

// Of an odd prime number: elements k and n - k are taken together.
template <int n>
struct butterfly {
  template <class C>
  __device__ static inline void apply(C (&v)[n], C* to, int step) {
    typedef typename part_of<C>::type real;
    enum { half = n / 2 };
    C first = v[0];
#pragma unroll
    for (int k = 1; k <= half; ++k) {
      const C even = sum(v[k], v[n - k]);
      v[n - k] = difference(v[k], v[n - k]);
      v[k] = even;
      first = sum(first, even);
    }
    to[0] = first;
#pragma unroll
    for (int q = 1; q <= half; ++q) {
      C a = v[0];
      C b = C();
#pragma unroll
      for (int k = 1; k <= half; ++k) {
        const int turn = q * k % n;
        const int near = turn <= half ? turn : n - turn;
        const real c = static_cast<real>(cosine(n, near));
        const real s = static_cast<real>(turn <= half ? sine(n, near) : -sine(n, near));
        a.x += c * v[k].x;
        a.y += c * v[k].y;
        b.x += s * v[n - k].x;
        b.y += s * v[n - k].y;
      }
      to[q * step] = turned_difference(a, b);
      to[(n - q) * step] = turned_sum(a, b);
    }
  }
};

template <>
struct butterfly<2> {
  template <class C>
  __device__ static inline void apply(C (&v)[2], C* to, int step) {
    to[0] = sum(v[0], v[1]);
    to[step] = difference(v[0], v[1]);
  }
};

template <>
struct butterfly<4> {
  template <class C>
  __device__ static inline void apply(C (&v)[4], C* to, int step) {
    const C a = sum(v[0], v[2]);
    const C b = difference(v[0], v[2]);
    const C c = sum(v[1], v[3]);
    const C d = difference(v[1], v[3]);
    to[0] = sum(a, c);
    to[step] = turned_difference(b, d);
    to[2 * step] = difference(a, c);
    to[3 * step] = turned_sum(b, d);
  }
};

}  // namespace gt200_fft
