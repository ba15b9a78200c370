// Functions of cublas_v2.h; cublasStatus_t is declared.
#pragma once

#include "library_types.h"

typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef struct cublasContext* cublasHandle_t;
// Ways of calculating, which are one here.
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99
} cublasGemmAlgo_t;

#ifdef __cplusplus
extern "C" {
#endif

// The name of a status, and what it means.
const char* cublasGetStatusName(cublasStatus_t status);
const char* cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasCreate_v2(cublasHandle_t* handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version);
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream);
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode);
#ifdef CUBLAS_V2_H_
cublasStatus_t cublasSetVector(int n, int elemSize, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasGetVector(int n, int elemSize, const void* x, int incx, void* y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int elemSize, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int elemSize, const void* x, int incx, void* y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb,
                                    cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb,
                                    cudaStream_t stream);
#endif

// T: the element, R: the real type, L: the letter, M: the letter of maxima and minima, N: the letters of norms and
// sums.
#define GT200_BLAS(T, R, L, M, N)                                                                                  \
  cublasStatus_t cublas##L##axpy_v2(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y,      \
                                    int incy);                                                                     \
  cublasStatus_t cublas##L##copy_v2(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy);           \
  cublasStatus_t cublas##L##swap_v2(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy);                 \
  cublasStatus_t cublas##L##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x, int incx);                 \
  cublasStatus_t cublas##N##nrm2_v2(cublasHandle_t handle, int n, const T* x, int incx, R* result);                \
  cublasStatus_t cublas##N##asum_v2(cublasHandle_t handle, int n, const T* x, int incx, R* result);                \
  cublasStatus_t cublasI##M##amax_v2(cublasHandle_t handle, int n, const T* x, int incx, int* result);             \
  cublasStatus_t cublasI##M##amin_v2(cublasHandle_t handle, int n, const T* x, int incx, int* result);             \
  cublasStatus_t cublas##L##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T* alpha,  \
                                    const T* A, int lda, const T* x, int incx, const T* beta, T* y, int incy);     \
  cublasStatus_t cublas##L##trmv_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,         \
                                    cublasDiagType_t diag, int n, const T* A, int lda, T* x, int incx);            \
  cublasStatus_t cublas##L##trsv_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,         \
                                    cublasDiagType_t diag, int n, const T* A, int lda, T* x, int incx);            \
  cublasStatus_t cublas##L##gemm_v2(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,     \
                                    int m, int n, int k, const T* alpha, const T* A, int lda, const T* B, int ldb, \
                                    const T* beta, T* C, int ldc);                                                 \
  /* The arrays of pointers are in memory of the device. */                                                        \
  cublasStatus_t cublas##L##gemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, \
                                        int m, int n, int k, const T* alpha, const T* A[], int lda, const T* B[],  \
                                        int ldb, const T* beta, T* C[], int ldc, int count);                       \
  /* The matrices of a product are `stride` elements behind those of the product before; 0: the same ones. */      \
  cublasStatus_t cublas##L##gemmStridedBatched(                                                                    \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,              \
      const T* alpha, const T* A, int lda, long long int strideA, const T* B, int ldb, long long int strideB,      \
      const T* beta, T* C, int ldc, long long int strideC, int count);                                             \
  cublasStatus_t cublas##L##symm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m,    \
                                    int n, const T* alpha, const T* A, int lda, const T* B, int ldb,               \
                                    const T* beta, T* C, int ldc);                                                 \
  cublasStatus_t cublas##L##syrk_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,  \
                                    int k, const T* alpha, const T* A, int lda, const T* beta, T* C, int ldc);     \
  cublasStatus_t cublas##L##syr2k_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, \
                                     int k, const T* alpha, const T* A, int lda, const T* B, int ldb,              \
                                     const T* beta, T* C, int ldc);                                                \
  cublasStatus_t cublas##L##trmm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,           \
                                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha,  \
                                    const T* A, int lda, const T* B, int ldb, T* C, int ldc);                      \
  cublasStatus_t cublas##L##trsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,           \
                                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha,  \
                                    const T* A, int lda, T* B, int ldb);
GT200_BLAS(float, float, S, s, S)
GT200_BLAS(double, double, D, d, D)
GT200_BLAS(cuComplex, float, C, c, Sc)
GT200_BLAS(cuDoubleComplex, double, Z, z, Dz)
#undef GT200_BLAS

#define GT200_BLAS(T, L)                                                                                           \
  /* C = alpha op(A) + beta op(B). */                                                                              \
  cublasStatus_t cublas##L##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, \
                                 int n, const T* alpha, const T* A, int lda, const T* beta, const T* B, int ldb,   \
                                 T* C, int ldc);                                                                   \
  /* C = A diag(x), or on the left diag(x) A. */                                                                   \
  cublasStatus_t cublas##L##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T* A, int lda,  \
                                 const T* x, int incx, T* C, int ldc);                                             \
  cublasStatus_t cublas##L##symv_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,           \
                                    const T* A, int lda, const T* x, int incx, const T* beta, T* y, int incy);     \
  cublasStatus_t cublas##L##syr_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,            \
                                   const T* x, int incx, T* A, int lda);                                           \
  /* Batches: arrays of pointers, pivots and info are in memory of the device; info of getrs is the host's. */     \
  cublasStatus_t cublas##L##getrfBatched(cublasHandle_t handle, int n, T* const A[], int lda, int* P, int* info,   \
                                         int count);                                                               \
  cublasStatus_t cublas##L##getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,          \
                                         const T* const A[], int lda, const int* P, T* const B[], int ldb,         \
                                         int* info, int count);                                                    \
  cublasStatus_t cublas##L##getriBatched(cublasHandle_t handle, int n, const T* const A[], int lda, const int* P,  \
                                         T* const C[], int ldc, int* info, int count);                             \
  cublasStatus_t cublas##L##matinvBatched(cublasHandle_t handle, int n, const T* const A[], int lda,               \
                                          T* const Ainv[], int lda_inv, int* info, int count);
GT200_BLAS(float, S)
GT200_BLAS(double, D)
GT200_BLAS(cuComplex, C)
GT200_BLAS(cuDoubleComplex, Z)
#undef GT200_BLAS

cublasStatus_t cublasSrot_v2(cublasHandle_t handle, int n, float* x, int incx, float* y, int incy, const float* c,
                             const float* s);
cublasStatus_t cublasDrot_v2(cublasHandle_t handle, int n, double* x, int incx, double* y, int incy,
                             const double* c, const double* s);
// One element type for all three matrices, of single or double precision; else CUBLAS_STATUS_NOT_SUPPORTED.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                            int k, const void* alpha, const void* A, cudaDataType Atype, int lda, const void* B,
                            cudaDataType Btype, int ldb, const void* beta, void* C, cudaDataType Ctype, int ldc,
                            cublasComputeType_t computeType, cublasGemmAlgo_t algo);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode);

#define GT200_BLAS_DOT(T, NAME)                                                                              \
  cublasStatus_t cublas##NAME##_v2(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy, \
                                   T* result);
GT200_BLAS_DOT(float, Sdot)
GT200_BLAS_DOT(double, Ddot)
GT200_BLAS_DOT(cuComplex, Cdotu)
GT200_BLAS_DOT(cuComplex, Cdotc)
GT200_BLAS_DOT(cuDoubleComplex, Zdotu)
GT200_BLAS_DOT(cuDoubleComplex, Zdotc)
#undef GT200_BLAS_DOT

#define GT200_BLAS_GER(T, NAME)                                                                               \
  cublasStatus_t cublas##NAME##_v2(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx, \
                                   const T* y, int incy, T* A, int lda);
GT200_BLAS_GER(float, Sger)
GT200_BLAS_GER(double, Dger)
GT200_BLAS_GER(cuComplex, Cgeru)
GT200_BLAS_GER(cuComplex, Cgerc)
GT200_BLAS_GER(cuDoubleComplex, Zgeru)
GT200_BLAS_GER(cuDoubleComplex, Zgerc)
#undef GT200_BLAS_GER

#ifdef __cplusplus
}
#endif

#ifdef CUBLAS_V2_H_
#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasScopy cublasScopy_v2
#define cublasSswap cublasSswap_v2
#define cublasSscal cublasSscal_v2
#define cublasSgemv cublasSgemv_v2
#define cublasStrmv cublasStrmv_v2
#define cublasStrsv cublasStrsv_v2
#define cublasSgemm cublasSgemm_v2
#define cublasSsymm cublasSsymm_v2
#define cublasSsyrk cublasSsyrk_v2
#define cublasSsyr2k cublasSsyr2k_v2
#define cublasStrmm cublasStrmm_v2
#define cublasStrsm cublasStrsm_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasSasum cublasSasum_v2
#define cublasIsamax cublasIsamax_v2
#define cublasIsamin cublasIsamin_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasDcopy cublasDcopy_v2
#define cublasDswap cublasDswap_v2
#define cublasDscal cublasDscal_v2
#define cublasDgemv cublasDgemv_v2
#define cublasDtrmv cublasDtrmv_v2
#define cublasDtrsv cublasDtrsv_v2
#define cublasDgemm cublasDgemm_v2
#define cublasDsymm cublasDsymm_v2
#define cublasDsyrk cublasDsyrk_v2
#define cublasDsyr2k cublasDsyr2k_v2
#define cublasDtrmm cublasDtrmm_v2
#define cublasDtrsm cublasDtrsm_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasDasum cublasDasum_v2
#define cublasIdamax cublasIdamax_v2
#define cublasIdamin cublasIdamin_v2
#define cublasCaxpy cublasCaxpy_v2
#define cublasCcopy cublasCcopy_v2
#define cublasCswap cublasCswap_v2
#define cublasCscal cublasCscal_v2
#define cublasCgemv cublasCgemv_v2
#define cublasCtrmv cublasCtrmv_v2
#define cublasCtrsv cublasCtrsv_v2
#define cublasCgemm cublasCgemm_v2
#define cublasCsymm cublasCsymm_v2
#define cublasCsyrk cublasCsyrk_v2
#define cublasCsyr2k cublasCsyr2k_v2
#define cublasCtrmm cublasCtrmm_v2
#define cublasCtrsm cublasCtrsm_v2
#define cublasScnrm2 cublasScnrm2_v2
#define cublasScasum cublasScasum_v2
#define cublasIcamax cublasIcamax_v2
#define cublasIcamin cublasIcamin_v2
#define cublasZaxpy cublasZaxpy_v2
#define cublasZcopy cublasZcopy_v2
#define cublasZswap cublasZswap_v2
#define cublasZscal cublasZscal_v2
#define cublasZgemv cublasZgemv_v2
#define cublasZtrmv cublasZtrmv_v2
#define cublasZtrsv cublasZtrsv_v2
#define cublasZgemm cublasZgemm_v2
#define cublasZsymm cublasZsymm_v2
#define cublasZsyrk cublasZsyrk_v2
#define cublasZsyr2k cublasZsyr2k_v2
#define cublasZtrmm cublasZtrmm_v2
#define cublasZtrsm cublasZtrsm_v2
#define cublasDznrm2 cublasDznrm2_v2
#define cublasDzasum cublasDzasum_v2
#define cublasIzamax cublasIzamax_v2
#define cublasIzamin cublasIzamin_v2
#define cublasSdot cublasSdot_v2
#define cublasDdot cublasDdot_v2
#define cublasCdotu cublasCdotu_v2
#define cublasCdotc cublasCdotc_v2
#define cublasZdotu cublasZdotu_v2
#define cublasZdotc cublasZdotc_v2
#define cublasSsymv cublasSsymv_v2
#define cublasDsymv cublasDsymv_v2
#define cublasCsymv cublasCsymv_v2
#define cublasZsymv cublasZsymv_v2
#define cublasSsyr cublasSsyr_v2
#define cublasDsyr cublasDsyr_v2
#define cublasCsyr cublasCsyr_v2
#define cublasZsyr cublasZsyr_v2
#define cublasSrot cublasSrot_v2
#define cublasDrot cublasDrot_v2
#define cublasSger cublasSger_v2
#define cublasDger cublasDger_v2
#define cublasCgeru cublasCgeru_v2
#define cublasCgerc cublasCgerc_v2
#define cublasZgeru cublasZgeru_v2
#define cublasZgerc cublasZgerc_v2
#endif
