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

// With a complex sine, on vectors too: each pair of a and b becomes r and 0.
template <class T>
void check_complex_rotg() {
  typedef decltype(T::x) real;
  for (int k = 0; k < 200; ++k) {
    const wide a = k == 0 ? 0 : random_element<T>(), b = k == 1 ? 0 : random_element<T>();
    T r = element<T>::of(a), s;
    real c;
    rotg(&r, element<T>::of(b), &c, &s);
    const wide sine = element<T>::read(s), length = element<T>::read(r);
    const double cosine = c, bound = 4 * unit<T>();
    expect_near(cosine * a + sine * b, length, bound, "rotg: r");
    expect_near(cosine * b - std::conj(sine) * a, 0, bound, "rotg: zero");
    expect_near(cosine * cosine + std::norm(sine), 1, bound, "rotg: length");
    if (k % 50 != 0) continue;
    const int n = 1 + k;
    line<T> x(n, 1), y(n, -2);
    rot(n, x.device(), 1, y.device(), -2, c, s);
    const std::vector<wide> got_x = x.result("rot"), got_y = y.result("rot");
    for (int i = 0; i < n; ++i) {
      expect_near(got_x[i], cosine * x[i] + sine * y[i], 2 * bound, "rot: x");
      expect_near(got_y[i], cosine * y[i] - std::conj(sine) * x[i], 2 * bound, "rot: y");
    }
  }
  expect_success("complex rotation");
}

// The parameters that make (sqrt(d1) x, sqrt(d2) y) an axis do so, and the elements of vectors are multiplied by
// them.
template <class T>
void check_rotm() {
  for (int k = 0; k < 300; ++k) {
    const double scale = k % 5 == 0 ? std::ldexp(1.0, -40) : k % 5 == 1 ? std::ldexp(1.0, 40) : 1;
    const T x = random_number(), y = k == 0 ? 0 : random_number();
    const T first = std::abs(random_number()) * scale + 1e-3, second = random_number() + (k % 2 == 0 ? 1 : 0);
    T d1 = first, d2 = second, x1 = x, param[5] = {7, 7, 7, 7, 7};
    rotmg(&d1, &d2, &x1, &y, param);
    double h[4] = {1, 0, 0, 1};
    if (param[0] == -1) std::copy(param + 1, param + 5, h);
    if (param[0] == 0) h[1] = param[2], h[2] = param[3];
    if (param[0] == 1) h[0] = param[1], h[1] = -1, h[2] = 1, h[3] = param[4];
    const double p = static_cast<double>(first) * x * x, q = static_cast<double>(second) * y * y;
    if (p + q > 0 && (second > 0 || p > -q)) {
      const double left = h[0] * x + h[2] * y, below = h[1] * x + h[3] * y;
      expect_near(left, x1, 16 * unit<T>() * (std::abs(h[0] * x) + std::abs(h[2] * y)), "rotmg: x");
      expect_near(below, 0, 16 * unit<T>() * (std::abs(h[1] * x) + std::abs(h[3] * y)), "rotmg: zero");
      if (param[0] != -2)
        expect_near(static_cast<double>(d1) * x1 * x1, p + q, 32 * unit<T>() * (std::abs(p) + std::abs(q)),
                    "rotmg: length");
      expect(param[0] == -2 || d1 == 0 ||
                 (std::abs(d1) >= std::ldexp(1.0, -24) && std::abs(d1) <= std::ldexp(1.0, 24)),
             "rotmg: scale");
    } else if (param[0] != -2) {
      expect(param[0] == -1 && d1 == 0 && d2 == 0 && x1 == 0 && h[0] == 0, "rotmg: there is none");
    }
    if (k % 30 != 0) continue;
    const int n = 1 + k;
    line<T> a(n, 2), b(n, -1);
    rotm(n, a.device(), 2, b.device(), -1, param);
    const std::vector<wide> got_a = a.result("rotm"), got_b = b.result("rotm");
    for (int i = 0; i < n; ++i) {
      const double size = 4 * unit<T>() * (std::abs(h[0]) + std::abs(h[1]) + std::abs(h[2]) + std::abs(h[3]));
      expect_near(got_a[i], h[0] * a[i] + h[2] * b[i], size, "rotm");
      expect_near(got_b[i], h[1] * a[i] + h[3] * b[i], size, "rotm");
    }
  }
  expect_success("rotm");
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
