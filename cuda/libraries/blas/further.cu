// Sums of matrices, products with a diagonal, symmetric matrices and vectors, rotations. Compiled twice, as level2.cu.
#include "cuda/libraries/blas/further.h"

#include "cuda/libraries/blas/element.h"
#include "cuda/libraries/blas/state.h"

namespace gt200_blas {

enum { threads = 128, most_blocks = 65535 };

template <class T>
__device__ inline T element_of(const taken<T>& a, int row, int column) {
  if (is_real(a.scale, 0)) return T();  // what is multiplied by 0 is not read
  const T x = a.transposed ? a.elements[column + row * a.leading] : a.elements[row + column * a.leading];
  return multiply(a.scale, conjugate(x, a.conjugated));
}

template <class T>
__global__ void add_matrices(int m, int n, taken<T> a, taken<T> b, T* c, int ldc) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= m) return;
  for (int column = blockIdx.y; column < n; column += gridDim.y)
    c[row + column * ldc] = add(element_of(a, row, column), element_of(b, row, column));
}

template <class T>
__global__ void scale_by_diagonal(int right, int m, int n, const T* a, int lda, const T* x, int incx, T* c, int ldc) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= m) return;
  for (int column = blockIdx.y; column < n; column += gridDim.y)
    c[row + column * ldc] = multiply(a[row + column * lda], x[(right ? column : row) * incx]);
}

// A thread has a row.
template <class T>
__global__ void symmetric_rows_times_vector(int lower, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta,
                                            T* y, int incy) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= n) return;
  T sum = T();
  if (!is_real(alpha, 0))
    for (int column = 0; column < n; ++column) {
      const bool stored = lower ? row >= column : row <= column;
      sum = multiply_add(stored ? a[row + column * lda] : a[column + row * lda], x[column * incx], sum);
    }
  sum = multiply(alpha, sum);
  y[row * incy] = is_real(beta, 0) ? sum : multiply_add(beta, y[row * incy], sum);
}

template <class T>
__global__ void add_square_of_vector(int lower, int n, T alpha, const T* x, int incx, T* a, int lda) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= n) return;
  for (int column = blockIdx.y; column < n; column += gridDim.y)
    if (lower ? row >= column : row <= column) {
      T* const to = &a[row + column * lda];
      *to = multiply_add(multiply(alpha, x[row * incx]), x[column * incx], *to);
    }
}

template <class T>
__global__ void rotate_vectors(int n, T* x, int incx, T* y, int incy, T c, T s) {
  const int k = blockIdx.x * threads + threadIdx.x;
  if (k >= n) return;
  const T a = x[k * incx], b = y[k * incy];
  x[k * incx] = c * a + s * b;
  y[k * incy] = c * b - s * a;
}

#define GT200_BLAS_FURTHER(T)                                                                                        \
  void sum_of(int m, int n, const taken<T>& a, const taken<T>& b, T* c, int ldc) {                                   \
    run(add_matrices<T>, dim3(blocks_for(m, threads), blocks_for(n, 1, most_blocks)), threads, m, n, a, b, c, ldc);  \
  }                                                                                                                  \
  void product_with_diagonal(bool right, int m, int n, const T* a, int lda, const T* x, int incx, T* c, int ldc) {   \
    run(scale_by_diagonal<T>, dim3(blocks_for(m, threads), blocks_for(n, 1, most_blocks)), threads, right, m, n, a,  \
        lda, first(x, right ? n : m, incx), incx, c, ldc);                                                           \
  }                                                                                                                  \
  void symmetric_times_vector(bool lower, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta, T* y,   \
                              int incy) {                                                                            \
    run(symmetric_rows_times_vector<T>, blocks_for(n, threads), threads, lower, n, alpha, a, lda, first(x, n, incx), \
        incx, beta, first(y, n, incy), incy);                                                                        \
  }                                                                                                                  \
  void add_square(bool lower, int n, T alpha, const T* x, int incx, T* a, int lda) {                                 \
    run(add_square_of_vector<T>, dim3(blocks_for(n, threads), blocks_for(n, 1, most_blocks)), threads, lower, n,     \
        alpha, first(x, n, incx), incx, a, lda);                                                                     \
  }
#define GT200_BLAS_ROTATE(T)                                                      \
  void rotate(int n, T* x, int incx, T* y, int incy, T c, T s) {                  \
    run(rotate_vectors<T>, blocks_for(n, threads), threads, n, first(x, n, incx), \
        incx, first(y, n, incy), incy, c, s);                                     \
  }
#ifdef GT200_LIBRARY_DOUBLE
GT200_BLAS_FURTHER(double)
GT200_BLAS_FURTHER(cuDoubleComplex)
GT200_BLAS_ROTATE(double)
#else
GT200_BLAS_FURTHER(float)
GT200_BLAS_FURTHER(cuComplex)
GT200_BLAS_ROTATE(float)
#endif

}  // namespace gt200_blas
