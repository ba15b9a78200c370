// What the programs that check a library share: numbers, and the comparison with a reference in double precision.
#pragma once

#include <cmath>
#include <complex>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "cuComplex.h"

typedef std::complex<double> wide;

static int failures = 0;
static std::mt19937 numbers(1);

inline double random_number() { return static_cast<double>(numbers() % 20001) / 10000.0 - 1.0; }

template <class T>
struct element {
  static const bool is_complex = false;
  static T of(wide x) { return static_cast<T>(x.real()); }
  static wide read(T x) { return x; }
};
template <>
struct element<cuComplex> {
  static const bool is_complex = true;
  static cuComplex of(wide x) { return make_cuComplex(static_cast<float>(x.real()), static_cast<float>(x.imag())); }
  static wide read(cuComplex x) { return wide(x.x, x.y); }
};
template <>
struct element<cuDoubleComplex> {
  static const bool is_complex = true;
  static cuDoubleComplex of(wide x) { return make_cuDoubleComplex(x.real(), x.imag()); }
  static wide read(cuDoubleComplex x) { return wide(x.x, x.y); }
};

// A number of the type, as the reference sees it.
template <class T>
wide random_element() {
  const double real = random_number();
  return element<T>::read(element<T>::of(wide(real, random_number())));
}

// A unit of the last place of 1, four times that for complex numbers: multiply-adds of this hardware cut products
// off.
template <class T>
double unit() {
  const bool single = sizeof(T) == (element<T>::is_complex ? 8 : 4);
  return std::ldexp(element<T>::is_complex ? 4.0 : 1.0, single ? -23 : -52);
}

inline void expect(bool good, const std::string& what) {
  if (good) return;
  if (++failures <= 20) std::printf("wrong: %s\n", what.c_str());
}

// `bound`: of the absolute difference. Not-a-number is never near.
inline void expect_near(wide got, wide expected, double bound, const std::string& what) {
  if (std::abs(got - expected) <= bound) return;
  char text[200];
  std::snprintf(text, sizeof text, ": (%.9g, %.9g), expected (%.9g, %.9g) within %.3g", got.real(), got.imag(),
                expected.real(), expected.imag(), bound);
  expect(false, what + text);
}
