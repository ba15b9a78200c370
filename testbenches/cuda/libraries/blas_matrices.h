// Levels 2 and 3 against loops in double precision. Bounds are those of sums of k terms: k + 4 units of the last
// place of the sum of the magnitudes.
#pragma once

#include "testbenches/cuda/libraries/blas.h"

template <class T>
void check_gemv(char trans, int m, int n, int ix, int iy, bool overwrite, const std::string& at) {
  const bool turned = trans != 'N';
  const int inner = turned ? m : n, outer = turned ? n : m;
  matrix<T> a(m, n, m + 3);
  line<T> x(inner, ix), y(outer, iy);
  const wide alpha = random_element<T>(), beta = overwrite ? wide(0) : random_element<T>();
  if (overwrite) {
    for (int i = 0; i < outer; ++i) y.set(i, wide(NAN, NAN));
    y.send();
  }
  gemv(trans, m, n, element<T>::of(alpha), a.device(), a.ld(), x.device(), ix, element<T>::of(beta), y.device(),
       iy);
  const std::vector<wide> got = y.result("gemv" + at);
  for (int i = 0; i < outer; ++i) {
    wide sum = 0;
    double size = 0;
    for (int l = 0; l < inner; ++l) {
      const wide term = taken(trans, turned ? a(l, i) : a(i, l)) * x[l];
      sum += term;
      size += std::abs(term);
    }
    const wide old = overwrite ? wide(0) : beta * y[i];
    expect_near(got[i], alpha * sum + old, unit<T>() * (inner + 4) * (std::abs(alpha) * size + std::abs(old)),
                "gemv" + at);
  }
}

template <class T>
void check_ger(int m, int n, int ix, int iy, bool conjugated, const std::string& at) {
  matrix<T> a(m, n, m + 1);
  line<T> x(m, ix), y(n, iy);
  const wide alpha = random_element<T>();
  ger(m, n, element<T>::of(alpha), x.device(), ix, y.device(), iy, a.device(), a.ld(), conjugated);
  const std::vector<wide> got = a.result("ger" + at);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      expect_near(got[i + j * m], a(i, j) + alpha * x[i] * (conjugated ? std::conj(y[j]) : y[j]), 16 * unit<T>(),
                  "ger" + at);
}

// c = alpha a b + beta c over the elements that `written` names; others stay. `a` and `b` give elements by (i, l),
// (l, j).
template <class T, class A, class B, class W>
void compare_product(int m, int n, int k, wide alpha, A a, B b, wide beta, const matrix<T>& c, W written,
                     const std::string& at) {
  const std::vector<wide> got = c.result(at);
  std::vector<wide> left(m * k), right(k * n);
  for (int i = 0; i < m; ++i)
    for (int l = 0; l < k; ++l) left[i * k + l] = a(i, l);
  for (int j = 0; j < n; ++j)
    for (int l = 0; l < k; ++l) right[j * k + l] = b(l, j);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      if (!written(i, j)) {
        // Not compared if the test left no number there.
        expect(got[i + j * m] == c(i, j) || std::isnan(c(i, j).real()), at + ": writes outside the triangle");
        continue;
      }
      double real = 0, imaginary = 0, size = 0;
      for (int l = 0; l < k; ++l) {
        const wide p = left[i * k + l], q = right[j * k + l];
        real += p.real() * q.real() - p.imag() * q.imag();
        imaginary += p.real() * q.imag() + p.imag() * q.real();
        size += (std::abs(p.real()) + std::abs(p.imag())) * (std::abs(q.real()) + std::abs(q.imag()));
      }
      const wide old = beta == wide(0) ? wide(0) : beta * c(i, j);
      expect_near(got[i + j * m], alpha * wide(real, imaginary) + old,
                  unit<T>() * (k + 4) * (std::abs(alpha) * size + std::abs(old)), at);
    }
}

template <class T>
void check_gemm(char ta, char tb, int m, int n, int k, bool overwrite, const std::string& type) {
  const std::string at =
      "gemm " + type + " " + ta + tb + " " + std::to_string(m) + " " + std::to_string(n) + " " + std::to_string(k);
  matrix<T> a(ta == 'N' ? m : k, ta == 'N' ? k : m, (ta == 'N' ? m : k) + 1);
  matrix<T> b(tb == 'N' ? k : n, tb == 'N' ? n : k, tb == 'N' ? k : n), c(m, n, m + 2);
  const wide alpha = random_element<T>(), beta = overwrite ? wide(0) : random_element<T>();
  if (overwrite) {
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) c.set(i, j, wide(NAN, NAN));
    c.send();
  }
  gemm(ta, tb, m, n, k, element<T>::of(alpha), a.device(), a.ld(), b.device(), b.ld(), element<T>::of(beta),
       c.device(), c.ld());
  compare_product(
      m, n, k, alpha, [&](int i, int l) { return taken(ta, ta == 'N' ? a(i, l) : a(l, i)); },
      [&](int l, int j) { return taken(tb, tb == 'N' ? b(l, j) : b(j, l)); }, beta, c,
      [](int, int) { return true; }, at);
}

template <class T>
void check_syrk(char uplo, char trans, int n, int k, const std::string& type) {
  const std::string at = "syrk " + type + " " + uplo + trans + " " + std::to_string(n) + " " + std::to_string(k);
  matrix<T> a(trans == 'N' ? n : k, trans == 'N' ? k : n, (trans == 'N' ? n : k) + 1), c(n, n, n + 2);
  const wide alpha = random_element<T>(), beta = random_element<T>();
  syrk(uplo, trans, n, k, element<T>::of(alpha), a.device(), a.ld(), element<T>::of(beta), c.device(), c.ld());
  const auto row = [&](int i, int l) { return trans == 'N' ? a(i, l) : a(l, i); };
  compare_product(
      n, n, k, alpha, row, [&](int l, int j) { return row(j, l); }, beta, c,
      [&](int i, int j) { return uplo == 'L' ? i >= j : i <= j; }, at);
}

// By the residual of every element. The other triangle, and a diagonal that is not read, are no numbers.
template <class T>
void check_trsm(char side, char uplo, char trans, char diag, int m, int n, const std::string& type) {
  const std::string at =
      "trsm " + type + " " + side + uplo + trans + diag + " " + std::to_string(m) + " " + std::to_string(n);
  const int size = side == 'L' ? m : n;
  matrix<T> a(size, size, size + 1), b(m, n, m + 1);
  for (int j = 0; j < size; ++j)
    for (int i = 0; i < size; ++i) {
      const bool read = uplo == 'L' ? i > j : i < j;
      if (i == j)
        a.set(i, j, diag == 'U' ? wide(NAN, NAN) : a(i, j) + (a(i, j).real() < 0 ? -1.0 : 1.0));
      else
        a.set(i, j, read ? a(i, j) / static_cast<double>(size) : wide(NAN, NAN));
    }
  a.send();
  const wide alpha = random_element<T>();
  trsm(side, uplo, trans, diag, m, n, element<T>::of(alpha), a.device(), a.ld(), b.device(), b.ld());
  const std::vector<wide> x = b.result(at);
  const auto op = [&](int i, int j) {
    if (i == j && diag == 'U') return wide(1);
    const wide stored = trans == 'N' ? a(i, j) : a(j, i);
    const bool in = i == j || ((uplo == 'L') == (trans == 'N') ? i > j : i < j);
    return in ? taken(trans, stored) : wide(0);
  };
  std::vector<wide> all(size * size);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) all[i * size + j] = op(i, j);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      wide sum = 0;
      double terms = std::abs(alpha * b(i, j));
      for (int l = 0; l < size; ++l) {
        const wide p = side == 'L' ? all[i * size + l] : all[l * size + j];
        const wide q = side == 'L' ? x[l + j * m] : x[i + l * m];
        if (p == wide(0)) continue;
        sum += p * q;
        terms += std::abs(p * q);
      }
      expect_near(sum, alpha * b(i, j), unit<T>() * (size + 8) * terms, at);
    }
}

template <class T>
void check_level2(const std::vector<int>& sizes, const std::string& type) {
  for (const int m : sizes)
    for (const int n : sizes) {
      if (m == sizes.back() && n != m && n > 33) continue;
      for (const int ix : {1, -2}) {
        const int iy = ix == 1 ? 1 : 3;
        const std::string at = " " + type + " " + std::to_string(m) + " x " + std::to_string(n) + " increments " +
                               std::to_string(ix) + ", " + std::to_string(iy);
        for (const char trans : {'N', 'T', 'C'}) check_gemv<T>(trans, m, n, ix, iy, ix == 1, at + " " + trans);
        check_ger<T>(m, n, ix, iy, ix == 1, at);
      }
      expect_success("level 2 " + type);
    }
}

template <class T>
void check_products(const std::vector<int>& sizes, const std::string& type) {
  for (const int m : sizes)
    for (const char ta : {'N', 'T', 'C'})
      for (const char tb : {'N', 'T', 'C'}) {
        if (m > 100 && (ta == 'C' || tb == 'C') && ta != tb) continue;
        const int n = sizes[numbers() % sizes.size()], k = sizes[numbers() % sizes.size()];
        check_gemm<T>(ta, tb, m, m, m, false, type);
        if (m <= 100) check_gemm<T>(ta, tb, m, n, k, true, type);
        expect_success("gemm " + type);
      }
}

template <class T>
void check_triangles(const std::vector<int>& sizes, const std::string& type) {
  for (const int m : sizes)
    for (const char uplo : {'U', 'L'})
      for (const char trans : {'N', 'T', 'C'}) {
        // The conjugate transpose of complex matrices is none of syrk's.
        if (trans != 'C' || !element<T>::is_complex) {
          check_syrk<T>(uplo, trans, m, m > 100 ? 17 : m, type);
          check_syrk<T>(uplo, trans, m, sizes[numbers() % (sizes.size() - 1)], type);
        }
        for (const char side : {'L', 'R'})
          for (const char diag : {'U', 'N'}) {
            const int n = m > 100 ? 15 : sizes[numbers() % (sizes.size() - 1)];
            check_trsm<T>(side, uplo, trans, diag, side == 'L' ? m : n, side == 'L' ? n : m, type);
          }
        expect_success("triangles " + type);
      }
}
