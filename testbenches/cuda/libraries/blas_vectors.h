// Level 1 against loops in double precision.
#pragma once

#include "testbenches/cuda/libraries/blas.h"

template <class T>
void check_changes(int n, int ix, int iy, const std::string& at) {
  const double eps = 4 * unit<T>();
  const wide alpha = random_element<T>();
  const T a = element<T>::of(alpha);
  {
    line<T> x(n, ix), y(n, iy);
    axpy(n, a, x.device(), ix, y.device(), iy);
    const std::vector<wide> got = y.result("axpy" + at);
    for (int i = 0; i < n; ++i) expect_near(got[i], y[i] + alpha * x[i], 3 * eps, "axpy" + at);
  }
  {
    line<T> x(n, ix), y(n, iy);
    copy(n, x.device(), ix, y.device(), iy);
    const std::vector<wide> got = y.result("copy" + at);
    for (int i = 0; i < n; ++i) expect_near(got[i], x[i], 0, "copy" + at);
  }
  {
    line<T> x(n, ix), y(n, iy);
    swap(n, x.device(), ix, y.device(), iy);
    const std::vector<wide> got_x = x.result("swap" + at), got_y = y.result("swap" + at);
    for (int i = 0; i < n; ++i) {
      expect_near(got_x[i], y[i], 0, "swap" + at);
      expect_near(got_y[i], x[i], 0, "swap" + at);
    }
  }
  {
    line<T> x(n, ix), y(n, iy);
    rot(n, x.device(), ix, y.device(), iy, 0.6, 0.8);
    const std::vector<wide> got_x = x.result("rot" + at), got_y = y.result("rot" + at);
    for (int i = 0; i < n; ++i) {
      expect_near(got_x[i], 0.6 * x[i] + 0.8 * y[i], 3 * eps, "rot" + at);
      expect_near(got_y[i], 0.6 * y[i] - 0.8 * x[i], 3 * eps, "rot" + at);
    }
  }
  if (ix > 0) {
    line<T> x(n, ix);
    scal(n, a, x.device(), ix);
    const std::vector<wide> got = x.result("scal" + at);
    for (int i = 0; i < n; ++i) expect_near(got[i], alpha * x[i], 2 * eps, "scal" + at);
  }
}

inline double magnitude(wide x) { return std::abs(x.real()) + std::abs(x.imag()); }

template <class T>
void check_reductions(int n, int ix, int iy, const std::string& at) {
  const double eps = unit<T>() * (n + 4);
  line<T> x(n, ix), y(n, iy);
  for (int conjugated = 0; conjugated < 2; ++conjugated) {
    wide sum = 0;
    double size = 0;
    for (int i = 0; i < n; ++i) {
      sum += (conjugated ? std::conj(x[i]) : x[i]) * y[i];
      size += std::abs(x[i] * y[i]);
    }
    expect_near(element<T>::read(dot(n, x.device(), ix, y.device(), iy, conjugated != 0)), sum, eps * size,
                "dot" + at);
  }
  if (ix < 0) return;
  double sum = 0, squares = 0;
  int largest = 0, smallest = 0;
  for (int i = 0; i < n; ++i) {
    sum += magnitude(x[i]);
    squares += std::norm(x[i]);
    // The magnitude as a number of the type: equal ones are then equal.
    typedef typename std::conditional<sizeof(T) == (element<T>::is_complex ? 8 : 4), float, double>::type real;
    const auto m = [&](int k) { return static_cast<real>(magnitude(x[k])); };
    if (m(i) > m(largest)) largest = i;
    if (m(i) < m(smallest)) smallest = i;
  }
  expect_near(asum(n, x.device(), ix), sum, eps * sum, "asum" + at);
  expect_near(nrm2(n, x.device(), ix), std::sqrt(squares), eps * std::sqrt(squares), "nrm2" + at);
  expect(amax(n, x.device(), ix) == largest + 1, "amax" + at);
  expect(amin(n, x.device(), ix) == smallest + 1, "amin" + at);
}

// Squares that overflow or vanish; the first of equal elements.
template <class T>
void check_extremes(double large, double small) {
  const int n = 300;
  for (const double size : {large, small}) {
    line<T> x(n, 1);
    for (int i = 0; i < n; ++i) x.set(i, size);
    x.send();
    const double exact = std::sqrt(static_cast<double>(n)) * size;
    expect_near(nrm2(n, x.device(), 1), exact, 4 * n * unit<T>() * exact, "nrm2 of extreme elements");
    expect(amax(n, x.device(), 1) == 1 && amin(n, x.device(), 1) == 1, "the first of equal elements");
  }
  expect(amax(0, static_cast<T*>(nullptr), 1) == 0, "amax of nothing");
}

template <class T>
void check_rotg() {
  for (int k = 0; k < 200; ++k) {
    const T x = k == 0 ? 0 : random_number(), y = k < 2 ? 0 : random_number();
    T a = x, b = y, c = 7, s = 7;
    rotg(&a, &b, &c, &s);
    const double bound = 8 * unit<T>();
    expect_near(c * x + s * y, a, bound, "rotg: r");
    expect_near(c * y - s * x, 0, bound, "rotg: zero");
    expect_near(c * c + s * s, 1, bound, "rotg: length");
  }
}

template <class T>
void check_vectors(const std::vector<int>& sizes, const char* type) {
  for (const int n : sizes)
    for (const int ix : {1, 3, -2})
      for (const int iy : {1, -1, 2}) {
        const std::string at = std::string(" ") + type + " n " + std::to_string(n) + " increments " +
                               std::to_string(ix) + ", " + std::to_string(iy);
        check_changes<T>(n, ix, iy, at);
        check_reductions<T>(n, ix, iy, at);
        expect_success("level 1" + at);
      }
}
