// Kernels of functions that have a handle alone (cublas_v2.h), for the four element types. Arguments are valid,
// scalars are in memory of the host.
#pragma once

#include "cuComplex.h"

namespace gt200_blas {

// A matrix as an operation takes it.
template <class T>
struct taken {
  T scale;
  const T* elements;
  int leading;
  int transposed;
  int conjugated;
};

// A matrix of a batch: by an array of pointers in memory of the device, or `stride` elements behind the one before.
template <class T>
struct batch {
  T* const* pointers;
  T* first;
  int stride;
  int leading;
};

#define GT200_BLAS_FURTHER(T)                                                                                      \
  /* C = a op(A) + b op(B), m x n. */                                                                              \
  void sum_of(int m, int n, const taken<T>& a, const taken<T>& b, T* c, int ldc);                                  \
  /* C = A diag(x), or diag(x) A. */                                                                               \
  void product_with_diagonal(bool right, int m, int n, const T* a, int lda, const T* x, int incx, T* c, int ldc);  \
  /* y = alpha A x + beta y of a symmetric A, of which one triangle is read. */                                    \
  void symmetric_times_vector(bool lower, int n, T alpha, const T* a, int lda, const T* x, int incx, T beta, T* y, \
                              int incy);                                                                           \
  /* A += alpha x x', one triangle of it. */                                                                       \
  void add_square(bool lower, int n, T alpha, const T* x, int incx, T* a, int lda);                                \
  /* A = P L U in place; pivots null: without exchanges. info: 0, or the number of the first pivot that is 0. */   \
  void factor(int n, const batch<T>& a, int* pivots, int* info, int count);                                        \
  /* op(A) X = B in place of B, by the factors of A. */                                                            \
  void solve_by_factors(bool transposed, bool conjugated, int n, int columns, const batch<const T>& a,             \
                        const int* pivots, const batch<T>& b, int count);                                          \
  /* C = inverse of A, by its factors; info as above. */                                                           \
  void invert_factors(int n, const batch<const T>& a, const int* pivots, const batch<T>& c, int* info, int count); \
  /* Copies n x n matrices. */                                                                                     \
  void copy_matrices(int n, const batch<const T>& from, const batch<T>& to, int count);
GT200_BLAS_FURTHER(float)
GT200_BLAS_FURTHER(double)
GT200_BLAS_FURTHER(cuComplex)
GT200_BLAS_FURTHER(cuDoubleComplex)
#undef GT200_BLAS_FURTHER

// (x, y) becomes (c x + s y, c y - s x).
void rotate(int n, float* x, int incx, float* y, int incy, float c, float s);
void rotate(int n, double* x, int incx, double* y, int incy, double c, double s);

}  // namespace gt200_blas
