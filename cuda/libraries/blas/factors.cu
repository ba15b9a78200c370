// Batches of factors of small matrices: a block has a matrix, a thread a row, an element, or a column of a result.
// Compiled twice, as level2.cu.
#include "cuda/libraries/blas/element.h"
#include "cuda/libraries/blas/further.h"
#include "cuda/libraries/blas/state.h"

namespace gt200_blas {

enum { threads = 64, most_blocks = 65535 };

template <class T>
__device__ inline T* matrix_of(const batch<T>& all, int number) {
  return all.pointers != nullptr ? all.pointers[number] : all.first + static_cast<long>(number) * all.stride;
}

template <class T>
__device__ inline T negated(T x) {
  return multiply(number<T>(-1), x);
}

template <class T>
__device__ void exchange(T& a, T& b) {
  const T kept = a;
  a = b;
  b = kept;
}

template <class T>
__device__ int row_of_pivot(const T* column, int k, int n) {
  int found = k;
  for (int row = k + 1; row < n; ++row)
    if (magnitude(column[row]) > magnitude(column[found])) found = row;
  return found;
}

template <class T>
__global__ void factor_matrices(int n, batch<T> all, int* pivots, int* info, int count) {
  __shared__ int pivot;
  for (int m = blockIdx.x; m < count; m += gridDim.x) {
    T* const a = matrix_of(all, m);
    const int lda = all.leading;
    int first_zero = 0;
    for (int k = 0; k < n; ++k) {
      if (pivots != nullptr) {
        if (threadIdx.x == 0) {
          pivot = row_of_pivot(a + k * lda, k, n);
          pivots[m * n + k] = pivot + 1;
        }
        __syncthreads();
        if (pivot != k)
          for (int column = threadIdx.x; column < n; column += threads)
            exchange(a[k + column * lda], a[pivot + column * lda]);
        __syncthreads();
      }
      const T divisor = a[k + k * lda];
      if (is_real(divisor, 0)) {
        if (first_zero == 0) first_zero = k + 1;
        continue;
      }
      for (int row = k + 1 + threadIdx.x; row < n; row += threads)
        a[row + k * lda] = divide(a[row + k * lda], divisor);
      __syncthreads();
      const int rest = n - k - 1;
      for (int e = threadIdx.x; e < rest * rest; e += threads) {
        const int row = k + 1 + e % rest, column = k + 1 + e / rest;
        T* const to = &a[row + column * lda];
        *to = multiply_add(negated(a[row + k * lda]), a[k + column * lda], *to);
      }
      __syncthreads();
    }
    if (threadIdx.x == 0) info[m] = first_zero;
  }
}

// L U x = x, without exchanges.
template <class T>
__device__ void solve(int n, const T* a, int lda, T* x) {
  for (int row = 1; row < n; ++row) {
    T sum = x[row];
    for (int k = 0; k < row; ++k) sum = multiply_add(negated(a[row + k * lda]), x[k], sum);
    x[row] = sum;
  }
  for (int row = n - 1; row >= 0; --row) {
    T sum = x[row];
    for (int k = row + 1; k < n; ++k) sum = multiply_add(negated(a[row + k * lda]), x[k], sum);
    x[row] = divide(sum, a[row + row * lda]);
  }
}
// U' L' x = x.
template <class T>
__device__ void solve_transposed(int n, int conjugated, const T* a, int lda, T* x) {
  for (int row = 0; row < n; ++row) {
    T sum = x[row];
    for (int k = 0; k < row; ++k) sum = multiply_add(negated(conjugate(a[k + row * lda], conjugated)), x[k], sum);
    x[row] = divide(sum, conjugate(a[row + row * lda], conjugated));
  }
  for (int row = n - 2; row >= 0; --row) {
    T sum = x[row];
    for (int k = row + 1; k < n; ++k) sum = multiply_add(negated(conjugate(a[k + row * lda], conjugated)), x[k], sum);
    x[row] = sum;
  }
}

template <class T>
__global__ void solve_systems(int transposed, int conjugated, int n, int columns, batch<const T> factors,
                              const int* pivots, batch<T> results, int count) {
  for (int m = blockIdx.x; m < count; m += gridDim.x) {
    const T* const a = matrix_of(factors, m);
    for (int column = threadIdx.x; column < columns; column += threads) {
      T* const x = matrix_of(results, m) + column * results.leading;
      if (!transposed) {
        if (pivots != nullptr)
          for (int k = 0; k < n; ++k) exchange(x[k], x[pivots[m * n + k] - 1]);
        solve(n, a, factors.leading, x);
      } else {
        solve_transposed(n, conjugated, a, factors.leading, x);
        if (pivots != nullptr)
          for (int k = n - 1; k >= 0; --k) exchange(x[k], x[pivots[m * n + k] - 1]);
      }
    }
  }
}

template <class T>
__global__ void invert_matrices(int n, batch<const T> factors, const int* pivots, batch<T> results, int* info,
                                int count) {
  for (int m = blockIdx.x; m < count; m += gridDim.x) {
    const T* const a = matrix_of(factors, m);
    int first_zero = 0;
    for (int k = n - 1; k >= 0; --k)
      if (is_real(a[k + k * factors.leading], 0)) first_zero = k + 1;
    if (threadIdx.x == 0) info[m] = first_zero;
    if (first_zero != 0) continue;
    for (int column = threadIdx.x; column < n; column += threads) {
      T* const x = matrix_of(results, m) + column * results.leading;
      for (int row = 0; row < n; ++row) x[row] = number<T>(row == column ? 1 : 0);
      if (pivots != nullptr)
        for (int k = 0; k < n; ++k) exchange(x[k], x[pivots[m * n + k] - 1]);
      solve(n, a, factors.leading, x);
    }
  }
}

template <class T>
__global__ void copy_all(int n, batch<const T> from, batch<T> to, int count) {
  for (int m = blockIdx.x; m < count; m += gridDim.x)
    for (int e = threadIdx.x; e < n * n; e += threads)
      matrix_of(to, m)[e % n + e / n * to.leading] = matrix_of(from, m)[e % n + e / n * from.leading];
}

#define GT200_BLAS_FACTORS(T)                                                                                        \
  void factor(int n, const batch<T>& a, int* pivots, int* info, int count) {                                         \
    run(factor_matrices<T>, blocks_for(count, 1, most_blocks), threads, n, a, pivots, info, count);                  \
  }                                                                                                                  \
  void solve_by_factors(bool transposed, bool conjugated, int n, int columns, const batch<const T>& a,               \
                        const int* pivots, const batch<T>& b, int count) {                                           \
    run(solve_systems<T>, blocks_for(count, 1, most_blocks), threads, transposed, conjugated, n, columns, a, pivots, \
        b, count);                                                                                                   \
  }                                                                                                                  \
  void invert_factors(int n, const batch<const T>& a, const int* pivots, const batch<T>& c, int* info, int count) {  \
    run(invert_matrices<T>, blocks_for(count, 1, most_blocks), threads, n, a, pivots, c, info, count);               \
  }                                                                                                                  \
  void copy_matrices(int n, const batch<const T>& from, const batch<T>& to, int count) {                             \
    run(copy_all<T>, blocks_for(count, 1, most_blocks), threads, n, from, to, count);                                \
  }
#ifdef GT200_LIBRARY_DOUBLE
GT200_BLAS_FACTORS(double)
GT200_BLAS_FACTORS(cuDoubleComplex)
#else
GT200_BLAS_FACTORS(float)
GT200_BLAS_FACTORS(cuComplex)
#endif

}  // namespace gt200_blas
