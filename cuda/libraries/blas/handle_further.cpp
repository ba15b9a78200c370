// Functions that have a handle alone (cublas_v2.h): sums and diagonals of matrices, symmetric matrices and vectors,
// batches of factors, and products whose element types are arguments.
#include "cuda/libraries/blas/further.h"
#include "cuda/libraries/blas/handle.h"

namespace {

using namespace gt200_blas;

// CUBLAS_STATUS_NOT_SUPPORTED of cublas_v2.h, which the enumeration of cublas.h lacks.
constexpr auto not_supported = static_cast<cublasStatus_t>(15);

constexpr bool is_leading(int leading, int rows) { return leading >= (rows > 1 ? rows : 1); }

template <class T>
cublasStatus_t geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                    const T* alpha, const T* A, int lda, const T* beta, const T* B, int ldb, T* C, int ldc) {
  return with_scalars(handle, alpha, beta, [&](T a, T b) {
    const char ta = letter(transa), tb = letter(transb);
    if (!valid(is_transposition(ta) && is_transposition(tb) && m >= 0 && n >= 0 && is_leading(ldc, m) &&
               is_leading(lda, transposes(ta) ? n : m) && is_leading(ldb, transposes(tb) ? n : m)))
      return;
    // In place an operand has the place of its elements in C.
    if (!valid((A != C || (!transposes(ta) && lda == ldc)) && (B != C || (!transposes(tb) && ldb == ldc)))) return;
    if (m == 0 || n == 0) return;
    sum_of(m, n, taken<T>{a, A, lda, transposes(ta), conjugates(ta)},
           taken<T>{b, B, ldb, transposes(tb), conjugates(tb)}, C, ldc);
  });
}

template <class T>
cublasStatus_t dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T* A, int lda, const T* x,
                    int incx, T* C, int ldc) {
  return without_scalar(handle, [&] {
    if (!valid((side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT) && m >= 0 && n >= 0 && is_leading(lda, m) &&
               is_leading(ldc, m)) ||
        m == 0 || n == 0)
      return;
    product_with_diagonal(side == CUBLAS_SIDE_RIGHT, m, n, A, lda, x, incx, C, ldc);
  });
}

template <class T>
cublasStatus_t symv(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha, const T* A, int lda,
                    const T* x, int incx, const T* beta, T* y, int incy) {
  return with_scalars(handle, alpha, beta, [&](T a, T b) {
    if (!valid(letter(uplo) != '?' && n >= 0 && is_leading(lda, n) && incx != 0 && incy != 0) || n == 0) return;
    symmetric_times_vector(uplo == CUBLAS_FILL_MODE_LOWER, n, a, A, lda, x, incx, b, y, incy);
  });
}

template <class T>
cublasStatus_t syr(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha, const T* x, int incx, T* A,
                   int lda) {
  return with_scalar(handle, alpha, [&](T a) {
    if (!valid(letter(uplo) != '?' && n >= 0 && is_leading(lda, n) && incx != 0) || n == 0) return;
    add_square(uplo == CUBLAS_FILL_MODE_LOWER, n, a, x, incx, A, lda);
  });
}

template <class T>
cublasStatus_t rot(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy, const T* c, const T* s) {
  return with_scalars(handle, c, s, [&](T a, T b) {
    if (n > 0) rotate(n, x, incx, y, incy, a, b);
  });
}

template <class T>
batch<T> by_pointers(T* const* all, int leading) {
  return {all, nullptr, 0, leading};
}

template <class T>
cublasStatus_t getrf(cublasHandle_t handle, int n, T* const* A, int lda, int* pivots, int* info, int count) {
  return without_scalar(handle, [&] {
    if (!valid(n >= 0 && is_leading(lda, n) && count >= 0 && info != nullptr) || n == 0 || count == 0) return;
    factor(n, by_pointers(A, lda), pivots, info, count);
  });
}

// `info` is in memory of the host, as that of a function of LAPACK: the number of a wrong argument, negative.
template <class T>
cublasStatus_t getrs(cublasHandle_t handle, cublasOperation_t trans, int n, int columns, const T* const* A, int lda,
                     const int* pivots, T* const* B, int ldb, int* info, int count) {
  return without_scalar(handle, [&] {
    if (!valid(info != nullptr)) return;
    const char t = letter(trans);
    *info = !is_transposition(t)  ? -1
            : n < 0               ? -2
            : columns < 0         ? -3
            : !is_leading(lda, n) ? -5
            : !is_leading(ldb, n) ? -8
            : count < 0           ? -10
                                  : 0;
    if (!valid(*info == 0) || n == 0 || columns == 0 || count == 0) return;
    solve_by_factors(transposes(t), conjugates(t), n, columns, by_pointers(A, lda), pivots, by_pointers(B, ldb),
                     count);
  });
}

template <class T>
cublasStatus_t getri(cublasHandle_t handle, int n, const T* const* A, int lda, const int* pivots, T* const* C,
                     int ldc, int* info, int count) {
  return without_scalar(handle, [&] {
    if (!valid(n >= 0 && is_leading(lda, n) && is_leading(ldc, n) && count >= 0 && info != nullptr) || n == 0 ||
        count == 0)
      return;
    invert_factors(n, by_pointers(A, lda), pivots, by_pointers(C, ldc), info, count);
  });
}

template <class T>
cublasStatus_t matinv(cublasHandle_t handle, int n, const T* const* A, int lda, T* const* inverse, int ldc,
                      int* info, int count) {
  constexpr int largest = 32;
  return without_scalar(handle, [&] {
    if (!valid(n >= 0 && n <= largest && is_leading(lda, n) && is_leading(ldc, n) && count >= 0 &&
               info != nullptr) ||
        n == 0 || count == 0)
      return;
    const scratch<T> factors(n * n * count);
    const scratch<int> pivots(n * count), singular(count);
    if (factors.get() == nullptr || pivots.get() == nullptr || singular.get() == nullptr) return;
    const batch<T> own{nullptr, factors.get(), n * n, n};
    copy_matrices(n, by_pointers(A, lda), own, count);
    factor(n, own, pivots.get(), singular.get(), count);
    invert_factors(n, batch<const T>{nullptr, factors.get(), n * n, n}, pivots.get(), by_pointers(inverse, ldc),
                   info, count);
    check(cudaStreamSynchronize(stream()));  // before the scratch memory goes
  });
}

// Sums of products of single and of double precision; there are no tensor cores, and no products of halves.
cublasStatus_t gemm_of(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                       int k, const void* alpha, const void* A, cudaDataType type_a, int lda, const void* B,
                       cudaDataType type_b, int ldb, const void* beta, void* C, cudaDataType type_c, int ldc) {
  if (type_a != type_b || type_b != type_c) return not_supported;
#define GT200_BLAS_OF(TYPE, T, L)                                                            \
  if (type_c == TYPE)                                                                        \
    return cublas##L##gemm_v2(handle, transa, transb, m, n, k, static_cast<const T*>(alpha), \
                              static_cast<const T*>(A), lda, static_cast<const T*>(B), ldb,  \
                              static_cast<const T*>(beta), static_cast<T*>(C), ldc);
  GT200_BLAS_OF(CUDA_R_32F, float, S)
  GT200_BLAS_OF(CUDA_R_64F, double, D)
  GT200_BLAS_OF(CUDA_C_32F, cuComplex, C)
  GT200_BLAS_OF(CUDA_C_64F, cuDoubleComplex, Z)
#undef GT200_BLAS_OF
  return not_supported;
}

}  // namespace

extern "C" {

#define GT200_BLAS(T, L)                                                                                           \
  cublasStatus_t cublas##L##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, \
                                 int n, const T* alpha, const T* A, int lda, const T* beta, const T* B, int ldb,   \
                                 T* C, int ldc) {                                                                  \
    return geam(handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc);                                \
  }                                                                                                                \
  cublasStatus_t cublas##L##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T* A, int lda,  \
                                 const T* x, int incx, T* C, int ldc) {                                            \
    return dgmm(handle, side, m, n, A, lda, x, incx, C, ldc);                                                      \
  }                                                                                                                \
  cublasStatus_t cublas##L##symv_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,           \
                                    const T* A, int lda, const T* x, int incx, const T* beta, T* y, int incy) {    \
    return symv(handle, uplo, n, alpha, A, lda, x, incx, beta, y, incy);                                           \
  }                                                                                                                \
  cublasStatus_t cublas##L##syr_v2(cublasHandle_t handle, cublasFillMode_t uplo, int n, const T* alpha,            \
                                   const T* x, int incx, T* A, int lda) {                                          \
    return syr(handle, uplo, n, alpha, x, incx, A, lda);                                                           \
  }                                                                                                                \
  cublasStatus_t cublas##L##getrfBatched(cublasHandle_t handle, int n, T* const A[], int lda, int* P, int* info,   \
                                         int count) {                                                              \
    return getrf(handle, n, A, lda, P, info, count);                                                               \
  }                                                                                                                \
  cublasStatus_t cublas##L##getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,          \
                                         const T* const A[], int lda, const int* P, T* const B[], int ldb,         \
                                         int* info, int count) {                                                   \
    return getrs(handle, trans, n, nrhs, A, lda, P, B, ldb, info, count);                                          \
  }                                                                                                                \
  cublasStatus_t cublas##L##getriBatched(cublasHandle_t handle, int n, const T* const A[], int lda, const int* P,  \
                                         T* const C[], int ldc, int* info, int count) {                            \
    return getri(handle, n, A, lda, P, C, ldc, info, count);                                                       \
  }                                                                                                                \
  cublasStatus_t cublas##L##matinvBatched(cublasHandle_t handle, int n, const T* const A[], int lda,               \
                                          T* const Ainv[], int lda_inv, int* info, int count) {                    \
    return matinv(handle, n, A, lda, Ainv, lda_inv, info, count);                                                  \
  }
GT200_BLAS(float, S)
GT200_BLAS(double, D)
GT200_BLAS(cuComplex, C)
GT200_BLAS(cuDoubleComplex, Z)
#undef GT200_BLAS

cublasStatus_t cublasSrot_v2(cublasHandle_t handle, int n, float* x, int incx, float* y, int incy, const float* c,
                             const float* s) {
  return rot(handle, n, x, incx, y, incy, c, s);
}
cublasStatus_t cublasDrot_v2(cublasHandle_t handle, int n, double* x, int incx, double* y, int incy,
                             const double* c, const double* s) {
  return rot(handle, n, x, incx, y, incy, c, s);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                            int k, const void* alpha, const void* A, cudaDataType Atype, int lda, const void* B,
                            cudaDataType Btype, int ldb, const void* beta, void* C, cudaDataType Ctype, int ldc,
                            cublasComputeType_t, cublasGemmAlgo_t) {
  return gemm_of(handle, transa, transb, m, n, k, alpha, A, Atype, lda, B, Btype, ldb, beta, C, Ctype, ldc);
}

// One way of calculating; the others promise no other results.
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode) {
  if (!is_usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->math = mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t* mode) {
  if (!is_usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (mode == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *mode = handle->math;
  return CUBLAS_STATUS_SUCCESS;
}

}  // extern "C"
