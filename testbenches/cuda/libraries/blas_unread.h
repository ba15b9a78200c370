// What BLAS need not set is not read: the matrix and the vector that are multiplied by 0. Large diagonals of
// hermitian matrices do not overflow. (Imaginary parts of those diagonals: blas_shapes.h.)
#pragma once

#include "testbenches/cuda/libraries/blas_shapes.h"

// y = beta y, for a matrix and a vector that are no numbers.
template <class T>
void check_products_by_zero(int n, int ix, int iy) {
  const T zero = element<T>::of(0);
  const wide beta = random_element<T>();
  matrix<T> a(n, n, n);
  line<T> x(n, ix);
  for (int j = 0; j < n; ++j) {
    x.set(j, wide(NAN, NAN));
    for (int i = 0; i < n; ++i) a.set(i, j, wide(NAN, NAN));
  }
  a.send();
  x.send();
  const auto check = [&](const std::string& what, auto product) {
    line<T> y(n, iy);
    product(y.device());
    compare_vector(
        y.result(what), n, 0, [](int, int) { return wide(0); }, 0, x, beta, y, what + " by 0");
  };
  const T scale = element<T>::of(beta);
  for (const char trans : {'N', 'T', 'C'}) {
    check(std::string("gemv ") + trans,
          [&](T* y) { gemv(trans, n, n, zero, a.device(), n, x.device(), ix, scale, y, iy); });
    check(std::string("gbmv ") + trans,
          [&](T* y) { gbmv(trans, n, n, 1, 1, zero, a.device(), n, x.device(), ix, scale, y, iy); });
  }
  for (const char uplo : {'U', 'L'})
    for (const storage s : {full, banded, packed})
      check(shape_text<T>("symmetric product", s, std::string(1, uplo), n, 1),
            [&](T* y) { symmetric_product(s, uplo, n, 1, zero, a.device(), n, x.device(), ix, scale, y, iy); });
  // No matrix at all.
  for (const char side : {'L', 'R'})
    for (const bool h : {false, element<T>::is_complex}) {
      matrix<T> b(n, n, n), c(n, n, n);
      symm(h, side, 'U', n, n, zero, nullptr, n, b.device(), n, scale, c.device(), n);
      compare_product(
          n, n, 0, 0, [](int, int) { return wide(0); }, [](int, int) { return wide(0); }, beta, c,
          [](int, int) { return true; }, "symm by 0");
      trmm(side, 'U', 'N', 'N', n, n, zero, nullptr, n, b.device(), n);
      for (const wide e : b.result("trmm by 0")) expect(e == wide(0), "trmm by 0");
    }
  expect_success("products by 0");
}

// Products of hermitian matrices with ones, and products of vectors added to them.
template <class T>
void check_large_diagonal() {
  const int n = 3;
  const double large = sizeof(T) == 8 ? 3e38 : 1.5e308;
  const T zero = element<T>::of(0), one = element<T>::of(1);
  for (const storage s : {full, banded, packed}) {
    triangle<T> a(s, 'U', n, 0);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i <= j; ++i)
        if (a.has(i, j)) a.set(i, j, i == j ? large : 0);
    a.memory().send();
    line<T> x(n, 1), y(n, 1);
    for (int i = 0; i < n; ++i) x.set(i, 1);
    x.send();
    const std::string at = shape_text<T>("large diagonal", s, "", n, 0);
    symmetric_product(s, 'U', n, 0, one, a.memory().device(), a.memory().ld(), x.device(), 1, zero, y.device(), 1);
    for (const wide e : y.result(at)) expect_near(e, large, 1e-6 * large, at);
    if (s == banded) continue;
    rank_one(s, 'U', n, 1, x.device(), 1, a.memory().device(), a.memory().ld());
    const std::vector<wide> sum = a.result(at);
    for (int i = 0; i < n; ++i) expect_near(sum[i + i * n], large, 1e-6 * large, at + " rank one");
    if (s != full) continue;
    rank_k(true, 'U', 'N', n, 1, one, x.device(), n, nullptr, 0, one, a.memory().device(), a.memory().ld());
    const std::vector<wide> sum_of_k = a.result(at);
    for (int i = 0; i < n; ++i) expect_near(sum_of_k[i + i * n], large, 1e-6 * large, at + " herk");
  }
  expect_success("large diagonal");
}
