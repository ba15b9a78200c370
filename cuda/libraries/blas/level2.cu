// A matrix and vectors. Compiled twice: real and complex numbers of one precision each (GT200_LIBRARY_DOUBLE).
#include "cuda/libraries/blas/element.h"
#include "cuda/libraries/blas/state.h"

namespace gt200_blas {

enum { threads = 128, most_blocks = 65535 };

template <class T>
__device__ inline void scale_and_add(T* y, T beta, T sum) {
  *y = is_real(beta, 0) ? sum : multiply_add(beta, *y, sum);
}

// A thread has a row; the block shares a piece of x. Neighbours read neighbouring elements of a column.
template <class T>
__global__ void rows_times_vector(int m, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta, T* y,
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
      for (int j = 0; j < columns; ++j) sum = multiply_add(a[row + (start + j) * lda], piece[j], sum);
  }
  if (row < m) scale_and_add(&y[row * incy], beta, multiply(alpha, sum));
}

// A block has a column, several if there are more than blocks.
template <class T>
__global__ void columns_times_vector(int m, int n, int conjugated, T alpha, const T* a, int lda, const T* x,
                                     int incx, T beta, T* y, int incy) {
  __shared__ T s[threads];
  for (int column = blockIdx.x; column < n; column += gridDim.x) {
    T own = T();
    for (int i = threadIdx.x; i < m; i += threads)
      own = multiply_add(conjugate(a[i + column * lda], conjugated), x[i * incx], own);
    s[threadIdx.x] = own;
    for (int half = threads / 2; half > 0; half /= 2) {
      __syncthreads();
      if (threadIdx.x < half) s[threadIdx.x] = add(s[threadIdx.x], s[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) scale_and_add(&y[column * incy], beta, multiply(alpha, s[0]));
    __syncthreads();
  }
}

template <class T>
__global__ void add_outer_product(int m, int n, int conjugated, T alpha, const T* x, int incx, const T* y, int incy,
                                  T* a, int lda) {
  const int row = blockIdx.x * threads + threadIdx.x;
  if (row >= m) return;
  const T factor = multiply(alpha, x[row * incx]);
  for (int column = blockIdx.y; column < n; column += gridDim.y) {
    T* element = &a[row + column * lda];
    *element = multiply_add(factor, conjugate(y[column * incy], conjugated), *element);
  }
}

template <class T>
void gemv(char trans, int m, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta, T* y, int incy) {
  if (!in_use() ||
      !valid(is_transposition(trans) && m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1) && incx != 0 && incy != 0))
    return;
  if (m == 0 || n == 0 || (is_real(alpha, 0) && is_real(beta, 1))) return;
  const bool turned = transposes(trans);
  const T* from = first(x, turned ? m : n, incx);
  T* to = first(y, turned ? n : m, incy);
  // What is multiplied by 0 is not read: sums of no terms.
  const bool reads = !is_real(alpha, 0);
  if (turned)
    run(columns_times_vector<T>, blocks_for(n, 1, most_blocks), threads, reads ? m : 0, n, conjugates(trans), alpha,
        a, lda, from, incx, beta, to, incy);
  else
    run(rows_times_vector<T>, blocks_for(m, threads), threads, m, reads ? n : 0, alpha, a, lda, from, incx, beta,
        to, incy);
}

template <class T>
void ger(int m, int n, int conjugated, T alpha, const T* x, int incx, const T* y, int incy, T* a, int lda) {
  if (!in_use() || !valid(m >= 0 && n >= 0 && lda >= (m > 1 ? m : 1) && incx != 0 && incy != 0)) return;
  if (m == 0 || n == 0 || is_real(alpha, 0)) return;
  const dim3 grid(blocks_for(m, threads), blocks_for(n, 8, most_blocks));
  run(add_outer_product<T>, grid, threads, m, n, conjugated, alpha, first(x, m, incx), incx, first(y, n, incy),
      incy, a, lda);
}

}  // namespace gt200_blas

using namespace gt200_blas;

#define GT200_BLAS(T, L)                                                                                           \
  void cublas##L##gemv(char trans, int m, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta, T* y, \
                       int incy) {                                                                                 \
    gemv(trans, m, n, alpha, a, lda, x, incx, beta, y, incy);                                                      \
  }
#define GT200_BLAS_GER(T, NAME, CONJUGATED)                                                             \
  void cublas##NAME(int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* a, int lda) { \
    ger(m, n, CONJUGATED, alpha, x, incx, y, incy, a, lda);                                             \
  }

extern "C" {
#ifdef GT200_LIBRARY_DOUBLE
GT200_BLAS(double, D)
GT200_BLAS(cuDoubleComplex, Z)
GT200_BLAS_GER(double, Dger, 0)
GT200_BLAS_GER(cuDoubleComplex, Zgeru, 0)
GT200_BLAS_GER(cuDoubleComplex, Zgerc, 1)
#else
GT200_BLAS(float, S)
GT200_BLAS(cuComplex, C)
GT200_BLAS_GER(float, Sger, 0)
GT200_BLAS_GER(cuComplex, Cgeru, 0)
GT200_BLAS_GER(cuComplex, Cgerc, 1)
#endif
}
