// Vectors and matrices of shapes: bands, triangles, symmetric ones. Compiled twice: real and complex numbers of one
// precision each (GT200_LIBRARY_DOUBLE).
//
// One kernel multiplies by all shapes, one solves all triangles, and one adds products of vectors to all triangles.
#include "cuda/libraries/blas/shape.h"
#include "cuda/libraries/blas/state.h"

namespace gt200_blas {

enum { threads = 128 };

// y = alpha a x + beta y. A thread has a row of m; the block shares a piece of x of n elements.
template <class T>
__global__ void shape_times_vector(shape s, int m, int n, T alpha, const T* a, const T* x, int incx, T beta, T* y,
                                   int incy) {
  __shared__ T piece[threads];
  const int row = blockIdx.x * threads + threadIdx.x;
  T sum = T();
  for (int start = 0; start < n; start += threads) {
    __syncthreads();
    if (start + threadIdx.x < n) piece[threadIdx.x] = x[(start + static_cast<int>(threadIdx.x)) * incx];
    __syncthreads();
    const int columns = n - start < threads ? n - start : threads;
    if (row < m)
      for (int j = 0; j < columns; ++j) sum = multiply_add(element_of(s, a, row, start + j), piece[j], sum);
  }
  if (row >= m) return;
  const T product = multiply(alpha, sum);
  y[row * incy] = is_real(beta, 0) ? product : multiply_add(beta, y[row * incy], product);
}

// Solves a x = b in place, by one block: an element is found, and taken out of those that follow. `upwards`: the
// last element comes first.
template <class T>
__global__ void solve_shape(shape s, int n, int upwards, const T* a, T* x, int incx) {
  __shared__ T found;
  for (int k = 0; k < n; ++k) {
    const int j = upwards ? n - 1 - k : k;
    if (threadIdx.x == 0) {
      T value = x[j * incx];
      if (!s.unit) value = divide(value, element_of(s, a, j, j));
      found = x[j * incx] = value;
    }
    __syncthreads();
    const T minus = multiply(number<T>(-1), found);
    for (int l = threadIdx.x; l < n - 1 - k; l += threads) {
      const int i = upwards ? l : j + 1 + l;
      x[i * incx] = multiply_add(element_of(s, a, i, j), minus, x[i * incx]);
    }
    __syncthreads();
  }
}

// a = alpha x y' + beta y x' + a, of one triangle; beta 0 leaves the second product out. The diagonal of what is
// hermitian is real.
template <class T>
__global__ void add_vectors_to_triangle(shape s, int n, T alpha, const T* x, int incx, T beta, const T* y, int incy,
                                        T* a) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= n) return;
  const int hermitian_one = s.is == hermitian;
  const T of_x = multiply(alpha, x[i * incx]);
  const T of_y = multiply(beta, y[i * incy]);
  for (int j = blockIdx.y; j < n; j += gridDim.y) {
    if (!s.has(i, j)) continue;
    T* const at = &a[s.place(i, j)];
    T value = multiply_add(of_x, conjugate(y[j * incy], hermitian_one), *at);
    if (!is_real(beta, 0)) value = multiply_add(of_y, conjugate(x[j * incx], hermitian_one), value);
    if (i == j && hermitian_one) value = real_part(value);
    *at = value;
  }
}

template <class T>
__global__ void copy_vector(int n, const T* x, int incx, T* y) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i < n) y[i] = x[i * incx];
}

// Arguments of all functions: the letters that the shape needs, sizes and distances.
inline bool is_triangle(char uplo) { return is_either(uplo, 'U', 'L'); }
inline int is_lower(char uplo) { return is_either(uplo, 'L', 'L'); }
inline bool fits(int ld, int rows) { return ld >= (rows > 1 ? rows : 1); }

// A square matrix of which a triangle is stored.
inline shape square(storage stored, meaning is, char uplo, int n, int k, int ld) {
  const int lower = is_lower(uplo);
  shape s = {stored, is, lower, 0, n, n, n, ld, 0, 0};
  if (stored == banded) {
    s.below = lower ? k : 0;
    s.above = lower ? 0 : k;
  }
  return s;
}
inline bool fits_storage(storage stored, int n, int k, int ld) {
  if (stored == packed) return true;
  return stored == banded ? k >= 0 && ld >= k + 1 : fits(ld, n);
}

// What is multiplied by 0 is not read: sums of no terms.
template <class T>
void times_vector(const shape& s, int m, int n, T alpha, const T* a, const T* x, int incx, T beta, T* y, int incy) {
  run(shape_times_vector<T>, blocks_for(m, threads), threads, s, m, is_real(alpha, 0) ? 0 : n, alpha, a,
      first(x, n, incx), incx, beta, first(y, m, incy), incy);
}

template <class T>
void gbmv(char trans, int m, int n, int kl, int ku, T alpha, const T* a, int lda, const T* x, int incx, T beta,
          T* y, int incy) {
  if (!in_use() || !valid(is_transposition(trans) && m >= 0 && n >= 0 && kl >= 0 && ku >= 0 && lda >= kl + ku + 1 &&
                          incx != 0 && incy != 0))
    return;
  if (m == 0 || n == 0 || (is_real(alpha, 0) && is_real(beta, 1))) return;
  const int turned = transposes(trans);
  const shape s = {banded, general, 0, 0, m, kl, ku, lda, turned, conjugates(trans)};
  times_vector(s, turned ? n : m, turned ? m : n, alpha, a, x, incx, beta, y, incy);
}

// Of a symmetric or hermitian matrix.
template <class T>
void symv(storage stored, meaning is, char uplo, int n, int k, T alpha, const T* a, int lda, const T* x, int incx,
          T beta, T* y, int incy) {
  if (!in_use() || !valid(is_triangle(uplo) && n >= 0 && fits_storage(stored, n, k, lda) && incx != 0 && incy != 0))
    return;
  if (n == 0 || (is_real(alpha, 0) && is_real(beta, 1))) return;
  times_vector(square(stored, is, uplo, n, k, lda), n, n, alpha, a, x, incx, beta, y, incy);
}

inline bool triangle_of(shape& s, storage stored, char uplo, char trans, char diag, int n, int k, int lda,
                        int incx) {
  if (!in_use() || !valid(is_triangle(uplo) && is_transposition(trans) && is_either(diag, 'U', 'N') && n >= 0 &&
                          fits_storage(stored, n, k, lda) && incx != 0))
    return false;
  s = square(stored, triangular, uplo, n, k, lda);
  s.unit = is_either(diag, 'U', 'U');
  s.transposed = transposes(trans);
  s.conjugated = conjugates(trans);
  return n > 0;
}

// In place: the vector is copied first.
template <class T>
void trmv(storage stored, char uplo, char trans, char diag, int n, int k, const T* a, int lda, T* x, int incx) {
  shape s;
  if (!triangle_of(s, stored, uplo, trans, diag, n, k, lda, incx)) return;
  const scratch<T> copy(n);
  if (copy.get() == nullptr) return;
  run(copy_vector<T>, blocks_for(n, threads), threads, n, first(x, n, incx), incx, copy.get());
  times_vector<T>(s, n, n, number<T>(1), a, copy.get(), 1, T(), x, incx);
}

template <class T>
void trsv(storage stored, char uplo, char trans, char diag, int n, int k, const T* a, int lda, T* x, int incx) {
  shape s;
  if (!triangle_of(s, stored, uplo, trans, diag, n, k, lda, incx)) return;
  run(solve_shape<T>, 1, threads, s, n, s.lower == s.transposed, a, first(x, n, incx), incx);
}

template <class T>
void add_products(storage stored, meaning is, char uplo, int n, T alpha, const T* x, int incx, T beta, const T* y,
                  int incy, T* a, int lda) {
  if (!in_use() || !valid(is_triangle(uplo) && n >= 0 && incx != 0 && incy != 0 && fits_storage(stored, n, 0, lda)))
    return;
  if (n == 0 || is_real(alpha, 0)) return;
  run(add_vectors_to_triangle<T>, dim3(blocks_for(n, threads), blocks_for(n, 8, 65535)), threads,
      square(stored, is, uplo, n, 0, lda), n, alpha, first(x, n, incx), incx, beta, first(y, n, incy), incy, a);
}

}  // namespace gt200_blas

using namespace gt200_blas;

// What all four types have: bands and triangles.
#define GT200_BLAS(T, L)                                                                                   \
  void cublas##L##gbmv(char trans, int m, int n, int kl, int ku, T alpha, const T* a, int lda, const T* x, \
                       int incx, T beta, T* y, int incy) {                                                 \
    gbmv(trans, m, n, kl, ku, alpha, a, lda, x, incx, beta, y, incy);                                      \
  }                                                                                                        \
  GT200_BLAS_TRIANGLE(T, L, mv)                                                                            \
  GT200_BLAS_TRIANGLE(T, L, sv)
#define GT200_BLAS_TRIANGLE(T, L, WHAT)                                                                           \
  void cublas##L##tr##WHAT(char uplo, char trans, char diag, int n, const T* a, int lda, T* x, int incx) {        \
    tr##WHAT(full, uplo, trans, diag, n, 0, a, lda, x, incx);                                                     \
  }                                                                                                               \
  void cublas##L##tb##WHAT(char uplo, char trans, char diag, int n, int k, const T* a, int lda, T* x, int incx) { \
    tr##WHAT(banded, uplo, trans, diag, n, k, a, lda, x, incx);                                                   \
  }                                                                                                               \
  void cublas##L##tp##WHAT(char uplo, char trans, char diag, int n, const T* ap, T* x, int incx) {                \
    tr##WHAT(packed, uplo, trans, diag, n, 0, ap, 0, x, incx);                                                    \
  }
// MEANING with its letters: of full matrices, of bands, of packed ones.
#define GT200_BLAS_SYMMETRIC(T, R, L, MEANING, FULL, BAND, PACKED, ONE, ONE_PACKED, TWO_FACTOR)                  \
  void cublas##L##FULL##mv(char uplo, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta, T* y,   \
                           int incy) {                                                                           \
    symv(full, MEANING, uplo, n, 0, alpha, a, lda, x, incx, beta, y, incy);                                      \
  }                                                                                                              \
  void cublas##L##BAND##mv(char uplo, int n, int k, T alpha, const T* a, int lda, const T* x, int incx, T beta,  \
                           T* y, int incy) {                                                                     \
    symv(banded, MEANING, uplo, n, k, alpha, a, lda, x, incx, beta, y, incy);                                    \
  }                                                                                                              \
  void cublas##L##PACKED##mv(char uplo, int n, T alpha, const T* ap, const T* x, int incx, T beta, T* y,         \
                             int incy) {                                                                         \
    symv(packed, MEANING, uplo, n, 0, alpha, ap, 0, x, incx, beta, y, incy);                                     \
  }                                                                                                              \
  void cublas##L##ONE(char uplo, int n, R alpha, const T* x, int incx, T* a, int lda) {                          \
    add_products(full, MEANING, uplo, n, from_real(alpha, T()), x, incx, T(), x, incx, a, lda);                  \
  }                                                                                                              \
  void cublas##L##ONE_PACKED(char uplo, int n, R alpha, const T* x, int incx, T* ap) {                           \
    add_products(packed, MEANING, uplo, n, from_real(alpha, T()), x, incx, T(), x, incx, ap, 0);                 \
  }                                                                                                              \
  void cublas##L##ONE##2(char uplo, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a, int lda) { \
    add_products(full, MEANING, uplo, n, alpha, x, incx, TWO_FACTOR, y, incy, a, lda);                           \
  }                                                                                                              \
  void cublas##L##ONE_PACKED##2(char uplo, int n, T alpha, const T* x, int incx, const T* y, int incy, T* ap) {  \
    add_products(packed, MEANING, uplo, n, alpha, x, incx, TWO_FACTOR, y, incy, ap, 0);                          \
  }

extern "C" {
#ifdef GT200_LIBRARY_DOUBLE
GT200_BLAS(double, D)
GT200_BLAS(cuDoubleComplex, Z)
GT200_BLAS_SYMMETRIC(double, double, D, symmetric, sy, sb, sp, syr, spr, alpha)
GT200_BLAS_SYMMETRIC(cuDoubleComplex, double, Z, hermitian, he, hb, hp, her, hpr, conjugate(alpha, 1))
#else
GT200_BLAS(float, S)
GT200_BLAS(cuComplex, C)
GT200_BLAS_SYMMETRIC(float, float, S, symmetric, sy, sb, sp, syr, spr, alpha)
GT200_BLAS_SYMMETRIC(cuComplex, float, C, hermitian, he, hb, hp, her, hpr, conjugate(alpha, 1))
#endif
}
