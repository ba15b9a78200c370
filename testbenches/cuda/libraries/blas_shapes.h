// Bands, triangles, symmetric and hermitian matrices against loops in double precision. What is not stored is no
// number.
#pragma once

#include "testbenches/cuda/libraries/blas_matrices.h"

enum storage { full, banded, packed };

// Functions by storage, and for complex numbers the hermitian ones.
#define SHAPE_TRIANGLES(T, L)                                                                                      \
  inline void triangle_product(storage s, bool solve, char u, char t, char d, int n, int k, const T* a, int ld,    \
                               T* x, int ix) {                                                                     \
    if (s == full) (solve ? cublas##L##trsv : cublas##L##trmv)(u, t, d, n, a, ld, x, ix);                          \
    if (s == banded) (solve ? cublas##L##tbsv : cublas##L##tbmv)(u, t, d, n, k, a, ld, x, ix);                     \
    if (s == packed) (solve ? cublas##L##tpsv : cublas##L##tpmv)(u, t, d, n, a, x, ix);                            \
  }                                                                                                                \
  inline void gbmv(char t, int m, int n, int kl, int ku, T al, const T* a, int ld, const T* x, int ix, T be, T* y, \
                   int iy) {                                                                                       \
    cublas##L##gbmv(t, m, n, kl, ku, al, a, ld, x, ix, be, y, iy);                                                 \
  }                                                                                                                \
  inline void trmm(char s, char u, char t, char d, int m, int n, T al, const T* a, int lda, T* b, int ldb) {       \
    cublas##L##trmm(s, u, t, d, m, n, al, a, lda, b, ldb);                                                         \
  }
SHAPE_TRIANGLES(float, S)
SHAPE_TRIANGLES(double, D)
SHAPE_TRIANGLES(cuComplex, C)
SHAPE_TRIANGLES(cuDoubleComplex, Z)
#define SHAPE_SYMMETRIC(T, R, L, FULL, BAND, PACKED, ONE, ONE_PACKED)                                          \
  inline void symmetric_product(storage s, char u, int n, int k, T al, const T* a, int ld, const T* x, int ix, \
                                T be, T* y, int iy) {                                                          \
    if (s == full) cublas##L##FULL##mv(u, n, al, a, ld, x, ix, be, y, iy);                                     \
    if (s == banded) cublas##L##BAND##mv(u, n, k, al, a, ld, x, ix, be, y, iy);                                \
    if (s == packed) cublas##L##PACKED##mv(u, n, al, a, x, ix, be, y, iy);                                     \
  }                                                                                                            \
  inline void rank_one(storage s, char u, int n, R al, const T* x, int ix, T* a, int ld) {                     \
    if (s == full) cublas##L##ONE(u, n, al, x, ix, a, ld);                                                     \
    if (s == packed) cublas##L##ONE_PACKED(u, n, al, x, ix, a);                                                \
  }                                                                                                            \
  inline void rank_two(storage s, char u, int n, T al, const T* x, int ix, const T* y, int iy, T* a, int ld) { \
    if (s == full) cublas##L##ONE##2(u, n, al, x, ix, y, iy, a, ld);                                           \
    if (s == packed) cublas##L##ONE_PACKED##2(u, n, al, x, ix, y, iy, a);                                      \
  }
SHAPE_SYMMETRIC(float, float, S, sy, sb, sp, syr, spr)
SHAPE_SYMMETRIC(double, double, D, sy, sb, sp, syr, spr)
SHAPE_SYMMETRIC(cuComplex, float, C, he, hb, hp, her, hpr)
SHAPE_SYMMETRIC(cuDoubleComplex, double, Z, he, hb, hp, her, hpr)
// `h`: hermitian. Real numbers have only symmetric functions.
#define SHAPE_PRODUCTS(T, L, SYMM)                                                                             \
  inline void symm(bool h, char s, char u, int m, int n, T al, const T* a, int lda, const T* b, int ldb, T be, \
                   T* c, int ldc) {                                                                            \
    (h ? cublas##L##SYMM : cublas##L##symm)(s, u, m, n, al, a, lda, b, ldb, be, c, ldc);                       \
  }
SHAPE_PRODUCTS(float, S, symm)
SHAPE_PRODUCTS(double, D, symm)
SHAPE_PRODUCTS(cuComplex, C, hemm)
SHAPE_PRODUCTS(cuDoubleComplex, Z, hemm)
#define SHAPE_RANK_K(T, L)                                                                                     \
  inline void rank_k(bool, char u, char t, int n, int k, T al, const T* a, int lda, const T* b, int ldb, T be, \
                     T* c, int ldc) {                                                                          \
    if (b == nullptr)                                                                                          \
      cublas##L##syrk(u, t, n, k, al, a, lda, be, c, ldc);                                                     \
    else                                                                                                       \
      cublas##L##syr2k(u, t, n, k, al, a, lda, b, ldb, be, c, ldc);                                            \
  }
SHAPE_RANK_K(float, S)
SHAPE_RANK_K(double, D)
#define SHAPE_RANK_K_COMPLEX(T, L)                                                                               \
  inline void rank_k(bool h, char u, char t, int n, int k, T al, const T* a, int lda, const T* b, int ldb, T be, \
                     T* c, int ldc) {                                                                            \
    if (b == nullptr)                                                                                            \
      h ? cublas##L##herk(u, t, n, k, al.x, a, lda, be.x, c, ldc)                                                \
        : cublas##L##syrk(u, t, n, k, al, a, lda, be, c, ldc);                                                   \
    else                                                                                                         \
      h ? cublas##L##her2k(u, t, n, k, al, a, lda, b, ldb, be.x, c, ldc)                                         \
        : cublas##L##syr2k(u, t, n, k, al, a, lda, b, ldb, be, c, ldc);                                          \
  }
SHAPE_RANK_K_COMPLEX(cuComplex, C)
SHAPE_RANK_K_COMPLEX(cuDoubleComplex, Z)

// A square matrix of which a triangle is stored, `k` diagonals beside the main one.
template <class T>
class triangle {
 public:
  triangle(storage s, char uplo, int n, int k)
      : stored_(s),
        lower_(uplo == 'L'),
        n_(n),
        k_(s == banded ? k : n),
        memory_(s == full     ? n
                : s == banded ? k + 1
                              : n * (n + 1) / 2,
                s == packed ? 1 : n,
                s == full     ? n + 2
                : s == banded ? k + 3
                              : n * (n + 1) / 2) {
    std::vector<bool> is_read(rows() * (s == packed ? 1 : n));
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        if (has(i, j)) is_read[row(i, j) + column(j) * rows()] = true;
    for (size_t e = 0; e < is_read.size(); ++e)
      if (!is_read[e]) memory_.set(static_cast<int>(e) % rows(), static_cast<int>(e) / rows(), wide(NAN, NAN));
    memory_.send();
  }
  bool has(int i, int j) const { return (lower_ ? i >= j : i <= j) && std::abs(i - j) <= k_; }
  wide operator()(int i, int j) const { return memory_(row(i, j), column(j)); }
  void set(int i, int j, wide x) { memory_.set(row(i, j), column(j), x); }
  // As stored, by (i, j).
  std::vector<wide> result(const std::string& what) const {
    const std::vector<wide> got = memory_.result(what);
    std::vector<wide> all(n_ * n_);
    for (int j = 0; j < n_; ++j)
      for (int i = 0; i < n_; ++i)
        if (has(i, j)) all[i + j * n_] = got[row(i, j) + column(j) * rows()];
    return all;
  }
  matrix<T>& memory() { return memory_; }
  // Of a hermitian matrix: imaginary parts of the diagonal are no numbers.
  void spoil_diagonal() {
    for (int i = 0; i < n_; ++i) set(i, i, wide((*this)(i, i).real(), NAN));
    memory_.send();
  }

 private:
  int rows() const { return stored_ == full ? n_ : stored_ == banded ? k_ + 1 : n_ * (n_ + 1) / 2; }
  int column(int j) const { return stored_ == packed ? 0 : j; }
  int row(int i, int j) const {
    if (stored_ == full) return i;
    if (stored_ == banded) return (lower_ ? 0 : k_) + i - j;
    // Elements of the columns before, and of this one.
    int place = 0;
    for (int c = 0; c < j; ++c) place += lower_ ? n_ - c : c + 1;
    return place + (lower_ ? i - j : i);
  }
  storage stored_;
  bool lower_;
  int n_, k_;
  matrix<T> memory_;
};

// Element (i, j) of the symmetric or hermitian matrix.
template <class T>
wide mirrored(const triangle<T>& a, bool conjugates, int i, int j) {
  wide x = 0;
  if (a.has(i, j))
    x = a(i, j);
  else if (a.has(j, i))
    x = conjugates ? std::conj(a(j, i)) : a(j, i);
  return conjugates && i == j ? x.real() : x;
}

template <class T>
std::string shape_text(const char* name, storage s, const std::string& letters, int n, int k) {
  const char* storages[] = {" full ", " banded ", " packed "};
  return std::string(name) +
         (sizeof(T) == 4           ? " S"
          : sizeof(T) == 16        ? " Z"
          : element<T>::is_complex ? " C"
                                   : " D") +
         storages[s] + letters + " n " + std::to_string(n) + " k " + std::to_string(k);
}

// y = alpha a x + beta y, for a(i, j).
template <class T, class A>
void compare_vector(const std::vector<wide>& got, int m, int n, A a, wide alpha, const line<T>& x, wide beta,
                    const line<T>& y, const std::string& at) {
  for (int i = 0; i < m; ++i) {
    wide sum = 0;
    double size = 0;
    for (int j = 0; j < n; ++j) {
      const wide term = a(i, j) * x[j];
      sum += term;
      size += std::abs(term);
    }
    const wide old = beta * y[i];
    expect_near(got[i], alpha * sum + old, unit<T>() * (n + 4) * (std::abs(alpha) * size + std::abs(old)), at);
  }
}

template <class T>
void check_symmetric_product(storage s, char uplo, int n, int k, int ix, int iy) {
  const std::string at = shape_text<T>("symmetric product", s, std::string(1, uplo), n, k);
  triangle<T> a(s, uplo, n, k);
  if (element<T>::is_complex) a.spoil_diagonal();
  line<T> x(n, ix), y(n, iy);
  const wide alpha = random_element<T>(), beta = random_element<T>();
  symmetric_product(s, uplo, n, k, element<T>::of(alpha), a.memory().device(), a.memory().ld(), x.device(), ix,
                    element<T>::of(beta), y.device(), iy);
  compare_vector(
      y.result(at), n, n, [&](int i, int j) { return mirrored(a, element<T>::is_complex, i, j); }, alpha, x, beta,
      y, at);
}

template <class T>
void check_band(char trans, int m, int n, int below, int above, int ix, int iy) {
  const std::string at = std::string("gbmv ") + trans + " " + std::to_string(m) + " x " + std::to_string(n) +
                         " band " + std::to_string(below) + ", " + std::to_string(above);
  matrix<T> a(below + above + 1, n, below + above + 3);
  const auto has = [&](int i, int j) { return i >= 0 && i < m && i - j <= below && j - i <= above; };
  for (int j = 0; j < n; ++j)
    for (int r = 0; r < below + above + 1; ++r)
      if (!has(j + r - above, j)) a.set(r, j, wide(NAN, NAN));
  a.send();
  const int rows = trans == 'N' ? m : n, columns = trans == 'N' ? n : m;
  line<T> x(columns, ix), y(rows, iy);
  const wide alpha = random_element<T>(), beta = random_element<T>();
  gbmv(trans, m, n, below, above, element<T>::of(alpha), a.device(), a.ld(), x.device(), ix, element<T>::of(beta),
       y.device(), iy);
  const auto stored = [&](int i, int j) { return has(i, j) ? a(above + i - j, j) : wide(0); };
  compare_vector(
      y.result(at), rows, columns,
      [&](int i, int j) { return trans == 'N' ? stored(i, j) : taken(trans, stored(j, i)); }, alpha, x, beta, y,
      at);
}

template <class T>
void check_triangle(storage s, bool solve, char uplo, char trans, char diag, int n, int k, int ix) {
  const std::string at =
      shape_text<T>(solve ? "triangle solved" : "triangle product", s, std::string{uplo, trans, diag}, n, k);
  triangle<T> a(s, uplo, n, k);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      if (!a.has(i, j)) continue;
      if (i != j)
        a.set(i, j, a(i, j) / static_cast<double>(n));
      else
        a.set(i, j, diag == 'U' ? wide(NAN, NAN) : a(i, j) + (a(i, j).real() < 0 ? -1.0 : 1.0));
    }
  a.memory().send();
  line<T> x(n, ix);
  triangle_product(s, solve, uplo, trans, diag, n, k, a.memory().device(), a.memory().ld(), x.device(), ix);
  const std::vector<wide> got = x.result(at);
  const auto op = [&](int i, int j) {
    if (i == j && diag == 'U') return wide(1);
    if (trans != 'N') std::swap(i, j);
    return a.has(i, j) ? taken(trans, a(i, j)) : wide(0);
  };
  // Of a solution, the residual.
  for (int i = 0; i < n; ++i) {
    wide sum = 0;
    double size = std::abs(x[i]);
    for (int j = 0; j < n; ++j) {
      const wide term = op(i, j) * (solve ? got[j] : x[j]);
      sum += term;
      size += std::abs(term);
    }
    expect_near(solve ? sum : got[i], solve ? x[i] : sum, unit<T>() * (n + 8) * size, at);
  }
}

template <class T>
void check_ranks(storage s, char uplo, int n, int ix, int iy, bool two) {
  const std::string at = shape_text<T>(two ? "rank two" : "rank one", s, std::string(1, uplo), n, 0);
  const bool h = element<T>::is_complex;
  triangle<T> a(s, uplo, n, 0);
  if (h) a.spoil_diagonal();
  line<T> x(n, ix), y(n, iy);
  const wide alpha = two ? random_element<T>() : wide(random_element<T>().real());
  const auto other = [&](wide v) { return h ? std::conj(v) : v; };
  if (two)
    rank_two(s, uplo, n, element<T>::of(alpha), x.device(), ix, y.device(), iy, a.memory().device(),
             a.memory().ld());
  else
    rank_one(s, uplo, n, alpha.real(), x.device(), ix, a.memory().device(), a.memory().ld());
  const std::vector<wide> got = a.result(at);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      if (!a.has(i, j)) continue;
      wide expected = a(i, j);
      expected += two ? alpha * x[i] * other(y[j]) + other(alpha) * y[i] * other(x[j]) : alpha * x[i] * other(x[j]);
      if (h && i == j) expected = expected.real();
      expect_near(got[i + j * n], expected, 24 * unit<T>(), at);
      if (h && i == j) expect(got[i + j * n].imag() == 0, at + ": diagonal is not real");
    }
}

template <class T>
void check_symm(bool h, char side, char uplo, int m, int n) {
  const int order = side == 'L' ? m : n;
  const std::string at = shape_text<T>(h ? "hemm" : "symm", full, std::string{side, uplo}, m, n);
  triangle<T> a(full, uplo, order, 0);
  if (h) a.spoil_diagonal();
  matrix<T> b(m, n, m + 1), c(m, n, m + 3);
  const wide alpha = random_element<T>(), beta = random_element<T>();
  symm(h, side, uplo, m, n, element<T>::of(alpha), a.memory().device(), a.memory().ld(), b.device(), b.ld(),
       element<T>::of(beta), c.device(), c.ld());
  const auto square = [&](int i, int j) { return mirrored(a, h, i, j); };
  compare_product(
      m, n, order, alpha, [&](int i, int l) { return side == 'L' ? square(i, l) : b(i, l); },
      [&](int l, int j) { return side == 'L' ? b(l, j) : square(l, j); }, beta, c, [](int, int) { return true; },
      at);
}

template <class T>
void check_trmm(char side, char uplo, char trans, char diag, int m, int n) {
  const int order = side == 'L' ? m : n;
  const std::string at = shape_text<T>("trmm", full, std::string{side, uplo, trans, diag}, m, n);
  triangle<T> a(full, uplo, order, 0);
  matrix<T> b(m, n, m + 1);
  const wide alpha = random_element<T>();
  trmm(side, uplo, trans, diag, m, n, element<T>::of(alpha), a.memory().device(), a.memory().ld(), b.device(),
       b.ld());
  const auto op = [&](int i, int j) {
    if (i == j && diag == 'U') return wide(1);
    if (trans != 'N') std::swap(i, j);
    return a.has(i, j) ? taken(trans, a(i, j)) : wide(0);
  };
  compare_product(
      m, n, order, alpha, [&](int i, int l) { return side == 'L' ? op(i, l) : b(i, l); },
      [&](int l, int j) { return side == 'L' ? b(l, j) : op(l, j); }, wide(0), b, [](int, int) { return true; },
      at);
}

// Two products are one with twice the terms.
template <class T>
void check_rank_k(bool h, bool two, char uplo, char trans, int n, int k) {
  const std::string at = shape_text<T>(h     ? (two ? "her2k" : "herk")
                                       : two ? "syr2k"
                                             : "syrk",
                                       full, std::string{uplo, trans}, n, k);
  const int rows = trans == 'N' ? n : k, columns = trans == 'N' ? k : n;
  matrix<T> a(rows, columns, rows + 1), b(rows, columns, rows + 2), c(n, n, n + 1);
  // The imaginary parts of the diagonal need not be set.
  for (int i = 0; h && i < n; ++i) c.set(i, i, wide(c(i, i).real(), NAN));
  c.send();
  for (int i = 0; h && i < n; ++i) c.set(i, i, c(i, i).real());
  const wide alpha = h && !two ? wide(random_element<T>().real()) : random_element<T>();
  const wide beta = h ? wide(random_element<T>().real()) : random_element<T>();
  rank_k(h, uplo, trans, n, k, element<T>::of(alpha), a.device(), a.ld(), two ? b.device() : nullptr, b.ld(),
         element<T>::of(beta), c.device(), c.ld());
  const auto of = [&](const matrix<T>& v, int i, int l) { return trans == 'N' ? v(i, l) : taken(trans, v(l, i)); };
  const auto other = [&](wide v) { return h ? std::conj(v) : v; };
  compare_product(
      n, n, two ? 2 * k : k, 1,
      [&](int i, int l) { return l < k ? alpha * of(a, i, l) : other(alpha) * of(b, i, l - k); },
      [&](int l, int j) { return other(l < k ? of(two ? b : a, j, l) : of(a, j, l - k)); }, beta, c,
      [&](int i, int j) { return uplo == 'L' ? i >= j : i <= j; }, at);
}

template <class T>
void check_shapes(const std::vector<int>& sizes) {
  const bool complex = element<T>::is_complex;
  for (const int n : sizes) {
    const int k = static_cast<int>(numbers() % n), ix = n % 2 == 0 ? 1 : -2, iy = n % 3 == 0 ? 1 : 3;
    for (const char uplo : {'U', 'L'}) {
      for (const storage s : {full, banded, packed}) {
        check_symmetric_product<T>(s, uplo, n, k, ix, iy);
        if (s != banded)
          for (const bool two : {false, true}) check_ranks<T>(s, uplo, n, ix, iy, two);
        for (const char trans : {'N', 'T', 'C'})
          for (const char diag : {'U', 'N'})
            for (const bool solve : {false, true}) check_triangle<T>(s, solve, uplo, trans, diag, n, k, ix);
      }
      for (const bool h : {false, true}) {
        if (h && !complex) continue;
        for (const char side : {'L', 'R'}) check_symm<T>(h, side, uplo, n, 1 + k);
        for (const char trans : {'N', h ? 'C' : 'T'})
          for (const bool two : {false, true}) check_rank_k<T>(h, two, uplo, trans, n, 1 + k);
      }
      for (const char side : {'L', 'R'})
        for (const char trans : {'N', 'T', 'C'})
          check_trmm<T>(side, uplo, trans, numbers() % 2 == 0 ? 'U' : 'N', n, 1 + k);
    }
    for (const char trans : {'N', 'T', 'C'}) {
      check_band<T>(trans, n, n + k, k, n / 3, ix, iy);
      check_band<T>(trans, n + k, n, n / 2, k, iy, ix);
    }
    expect_success("shapes");
  }
}
