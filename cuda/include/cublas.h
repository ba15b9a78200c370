// Linear algebra (libcublas), the interface of CUDA 2.x and 3.x without handles. C and C++.
//
// Matrices are stored by columns, lda elements apart. Increments of vectors may be negative, as in BLAS. Functions
// that return nothing and those that return numbers leave their error for cublasGetError(), which returns the first
// since it was called last: NOT_INITIALIZED before cublasInit(), INVALID_VALUE of arguments, ARCH_MISMATCH of
// double precision on devices before compute capability 1.3, EXECUTION_FAILED of a launch. A result of a failed
// function is 0.
#pragma once

// Headers of the SDKs look for this name.
#define CUBLAS_H_

#include "cuComplex.h"
#include "cuda_runtime_api.h"

#define CUBLAS_VERSION 4020
#ifndef CUBLASAPI
#define CUBLASAPI
#endif

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14
} cublasStatus_t;
typedef cublasStatus_t cublasStatus;

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus cublasInit(void);
cublasStatus cublasShutdown(void);
cublasStatus cublasGetError(void);
cublasStatus cublasGetVersion(int* version);
// Of the kernels that follow; functions that return numbers wait for them.
cublasStatus cublasSetKernelStream(cudaStream_t stream);
// elemSize in bytes, as everywhere.
cublasStatus cublasAlloc(int n, int elemSize, void** devicePtr);
cublasStatus cublasFree(void* devicePtr);
cublasStatus cublasSetVector(int n, int elemSize, const void* x, int incx, void* y, int incy);
cublasStatus cublasGetVector(int n, int elemSize, const void* x, int incx, void* y, int incy);
cublasStatus cublasSetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb);
cublasStatus cublasGetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb);
cublasStatus cublasSetVectorAsync(int n, int elemSize, const void* x, int incx, void* y, int incy,
                                  cudaStream_t stream);
cublasStatus cublasGetVectorAsync(int n, int elemSize, const void* x, int incx, void* y, int incy,
                                  cudaStream_t stream);
cublasStatus cublasSetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb,
                                  cudaStream_t stream);
cublasStatus cublasGetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb,
                                  cudaStream_t stream);

// What all four types have. T: the element, R: the real type, L: the letter, M: the letter of maxima and minima,
// N and A: the letters of norms and sums.
#define GT200_BLAS(T, R, L, M, N)                                                                                  \
  void cublas##L##axpy(int n, T alpha, const T* x, int incx, T* y, int incy);                                      \
  void cublas##L##copy(int n, const T* x, int incx, T* y, int incy);                                               \
  void cublas##L##swap(int n, T* x, int incx, T* y, int incy);                                                     \
  void cublas##L##scal(int n, T alpha, T* x, int incx);                                                            \
  R cublas##N##nrm2(int n, const T* x, int incx);                                                                  \
  R cublas##N##asum(int n, const T* x, int incx);                                                                  \
  /* From 1; 0 of no elements. The first of equal ones. */                                                         \
  int cublasI##M##amax(int n, const T* x, int incx);                                                               \
  int cublasI##M##amin(int n, const T* x, int incx);                                                               \
  void cublas##L##gemv(char trans, int m, int n, T alpha, const T* A, int lda, const T* x, int incx, T beta, T* y, \
                       int incy);                                                                                  \
  void cublas##L##gemm(char transa, char transb, int m, int n, int k, T alpha, const T* A, int lda, const T* B,    \
                       int ldb, T beta, T* C, int ldc);                                                            \
  void cublas##L##syrk(char uplo, char trans, int n, int k, T alpha, const T* A, int lda, T beta, T* C, int ldc);  \
  void cublas##L##trsm(char side, char uplo, char transa, char diag, int m, int n, T alpha, const T* A, int lda,   \
                       T* B, int ldb);                                                                             \
  void cublas##L##trmm(char side, char uplo, char transa, char diag, int m, int n, T alpha, const T* A, int lda,   \
                       T* B, int ldb);                                                                             \
  void cublas##L##symm(char side, char uplo, int m, int n, T alpha, const T* A, int lda, const T* B, int ldb,      \
                       T beta, T* C, int ldc);                                                                     \
  void cublas##L##syr2k(char uplo, char trans, int n, int k, T alpha, const T* A, int lda, const T* B, int ldb,    \
                        T beta, T* C, int ldc);                                                                    \
  void cublas##L##gbmv(char trans, int m, int n, int kl, int ku, T alpha, const T* A, int lda, const T* x,         \
                       int incx, T beta, T* y, int incy);                                                          \
  /* Products with triangles and solutions, in place: full, of a band with k diagonals beside the main one, and    \
     packed by columns. */                                                                                         \
  void cublas##L##trmv(char uplo, char trans, char diag, int n, const T* A, int lda, T* x, int incx);              \
  void cublas##L##trsv(char uplo, char trans, char diag, int n, const T* A, int lda, T* x, int incx);              \
  void cublas##L##tbmv(char uplo, char trans, char diag, int n, int k, const T* A, int lda, T* x, int incx);       \
  void cublas##L##tbsv(char uplo, char trans, char diag, int n, int k, const T* A, int lda, T* x, int incx);       \
  void cublas##L##tpmv(char uplo, char trans, char diag, int n, const T* AP, T* x, int incx);                      \
  void cublas##L##tpsv(char uplo, char trans, char diag, int n, const T* AP, T* x, int incx);
GT200_BLAS(float, float, S, s, S)
GT200_BLAS(double, double, D, d, D)
GT200_BLAS(cuComplex, float, C, c, Sc)
GT200_BLAS(cuDoubleComplex, double, Z, z, Dz)
#undef GT200_BLAS

#define GT200_BLAS_REAL(T, L)                                                                    \
  T cublas##L##dot(int n, const T* x, int incx, const T* y, int incy);                           \
  void cublas##L##rot(int n, T* x, int incx, T* y, int incy, T sc, T ss);                        \
  /* All four in host memory: a becomes r, b the number from which c and s can be made again. */ \
  void cublas##L##rotg(T* sa, T* sb, T* sc, T* ss);                                              \
  /* sparam, in host memory: which elements are given, then h11, h21, h12, h22. */               \
  void cublas##L##rotm(int n, T* x, int incx, T* y, int incy, const T* sparam);                  \
  void cublas##L##rotmg(T* sd1, T* sd2, T* sx1, const T* sy1, T* sparam);                        \
  void cublas##L##ger(int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* A, int lda);
GT200_BLAS_REAL(float, S)
GT200_BLAS_REAL(double, D)
#undef GT200_BLAS_REAL

#define GT200_BLAS_COMPLEX(T, R, L, MIXED)                                                                \
  T cublas##L##dotu(int n, const T* x, int incx, const T* y, int incy);                                   \
  T cublas##L##dotc(int n, const T* x, int incx, const T* y, int incy);                                   \
  void cublas##MIXED##scal(int n, R alpha, T* x, int incx);                                               \
  void cublas##MIXED##rot(int n, T* x, int incx, T* y, int incy, R c, R s);                               \
  void cublas##L##rot(int n, T* x, int incx, T* y, int incy, R sc, T cs);                                 \
  void cublas##L##rotg(T* ca, T cb, R* sc, T* cs);                                                        \
  void cublas##L##geru(int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* A, int lda); \
  void cublas##L##gerc(int m, int n, T alpha, const T* x, int incx, const T* y, int incy, T* A, int lda);
GT200_BLAS_COMPLEX(cuComplex, float, C, Cs)
GT200_BLAS_COMPLEX(cuDoubleComplex, double, Z, Zd)
#undef GT200_BLAS_COMPLEX

// Symmetric matrices of real numbers and hermitian ones of complex numbers: full, of a band, packed by columns.
#define GT200_BLAS_SYMMETRIC(T, R, L, FULL, BAND, PACKED, ONE, ONE_PACKED)                                      \
  void cublas##L##FULL##mv(char uplo, int n, T alpha, const T* A, int lda, const T* x, int incx, T beta, T* y,  \
                           int incy);                                                                           \
  void cublas##L##BAND##mv(char uplo, int n, int k, T alpha, const T* A, int lda, const T* x, int incx, T beta, \
                           T* y, int incy);                                                                     \
  void cublas##L##PACKED##mv(char uplo, int n, T alpha, const T* AP, const T* x, int incx, T beta, T* y,        \
                             int incy);                                                                         \
  void cublas##L##ONE(char uplo, int n, R alpha, const T* x, int incx, T* A, int lda);                          \
  void cublas##L##ONE_PACKED(char uplo, int n, R alpha, const T* x, int incx, T* AP);                           \
  void cublas##L##ONE##2(char uplo, int n, T alpha, const T* x, int incx, const T* y, int incy, T* A, int lda); \
  void cublas##L##ONE_PACKED##2(char uplo, int n, T alpha, const T* x, int incx, const T* y, int incy, T* AP);
GT200_BLAS_SYMMETRIC(float, float, S, sy, sb, sp, syr, spr)
GT200_BLAS_SYMMETRIC(double, double, D, sy, sb, sp, syr, spr)
GT200_BLAS_SYMMETRIC(cuComplex, float, C, he, hb, hp, her, hpr)
GT200_BLAS_SYMMETRIC(cuDoubleComplex, double, Z, he, hb, hp, her, hpr)
#undef GT200_BLAS_SYMMETRIC

#define GT200_BLAS_HERMITIAN(T, R, L)                                                                             \
  void cublas##L##hemm(char side, char uplo, int m, int n, T alpha, const T* A, int lda, const T* B, int ldb,     \
                       T beta, T* C, int ldc);                                                                    \
  void cublas##L##herk(char uplo, char trans, int n, int k, R alpha, const T* A, int lda, R beta, T* C, int ldc); \
  void cublas##L##her2k(char uplo, char trans, int n, int k, T alpha, const T* A, int lda, const T* B, int ldb,   \
                        R beta, T* C, int ldc);
GT200_BLAS_HERMITIAN(cuComplex, float, C)
GT200_BLAS_HERMITIAN(cuDoubleComplex, double, Z)
#undef GT200_BLAS_HERMITIAN

#ifdef __cplusplus
}
#endif
