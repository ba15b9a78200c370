// The interface with handles (cublas_v2.h), by the functions without.
#include "cuda/libraries/blas/handle.h"

namespace {

using namespace gt200_blas;

// By number: this file has the enumeration of cublas.h, which lacks the last two of cublas_v2.h.
struct status_text {
  int status;
  const char *name, *meaning;
};
const status_text& text_of(cublasStatus_t status) {
  static constexpr status_text texts[] = {{0, "CUBLAS_STATUS_SUCCESS", "success"},
                                          {1, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialised"},
                                          {3, "CUBLAS_STATUS_ALLOC_FAILED", "out of memory"},
                                          {7, "CUBLAS_STATUS_INVALID_VALUE", "a wrong argument"},
                                          {8, "CUBLAS_STATUS_ARCH_MISMATCH", "the device lacks a feature"},
                                          {11, "CUBLAS_STATUS_MAPPING_ERROR", "no access to memory of the device"},
                                          {13, "CUBLAS_STATUS_EXECUTION_FAILED", "a kernel failed"},
                                          {14, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
                                          {15, "CUBLAS_STATUS_NOT_SUPPORTED", "not supported"},
                                          {16, "CUBLAS_STATUS_LICENSE_ERROR", "a wrong licence"},
                                          {-1, "unknown status", "unknown status"}};
  const status_text* text = texts;
  while (text->status != -1 && text->status != static_cast<int>(status)) ++text;
  return *text;
}

}  // namespace

extern "C" {

const char* cublasGetStatusName(cublasStatus_t status) { return text_of(status).name; }
const char* cublasGetStatusString(cublasStatus_t status) { return text_of(status).meaning; }

cublasStatus_t cublasCreate_v2(cublasHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  std::uint64_t context = 0;
  if (const cublasStatus error = acquire(context); error != CUBLAS_STATUS_SUCCESS) return error;
  *handle = new cublasContext;
  (*handle)->context = context;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool was_usable = gt200_libraries::is_alive(handle->context);
  release(handle->context);
  delete handle;
  return was_usable ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int* version) {
  return is_usable(handle) ? cublasGetVersion(version) : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream) {
  if (!is_usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t handle, cudaStream_t* stream) {
  if (!is_usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (stream == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *stream = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode) {
  if (!is_usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (mode != CUBLAS_POINTER_MODE_HOST && mode != CUBLAS_POINTER_MODE_DEVICE) return CUBLAS_STATUS_INVALID_VALUE;
  handle->mode = mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t* mode) {
  if (!is_usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (mode == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *mode = handle->mode;
  return CUBLAS_STATUS_SUCCESS;
}

#define GT200_BLAS(T, R, L, M, N)                                                                                  \
  cublasStatus_t cublas##L##axpy_v2(cublasHandle_t handle, int n, const T* alpha, const T* x, int incx, T* y,      \
                                    int incy) {                                                                    \
    return with_scalar(handle, alpha, [&](T a) { cublas##L##axpy(n, a, x, incx, y, incy); });                      \
  }                                                                                                                \
  cublasStatus_t cublas##L##copy_v2(cublasHandle_t handle, int n, const T* x, int incx, T* y, int incy) {          \
    return without_scalar(handle, [&] { cublas##L##copy(n, x, incx, y, incy); });                                  \
  }                                                                                                                \
  cublasStatus_t cublas##L##swap_v2(cublasHandle_t handle, int n, T* x, int incx, T* y, int incy) {                \
    return without_scalar(handle, [&] { cublas##L##swap(n, x, incx, y, incy); });                                  \
  }                                                                                                                \
  cublasStatus_t cublas##L##scal_v2(cublasHandle_t handle, int n, const T* alpha, T* x, int incx) {                \
    return with_scalar(handle, alpha, [&](T a) { cublas##L##scal(n, a, x, incx); });                               \
  }                                                                                                                \
  cublasStatus_t cublas##N##nrm2_v2(cublasHandle_t handle, int n, const T* x, int incx, R* result) {               \
    return with_result(handle, result, [&] { return cublas##N##nrm2(n, x, incx); });                               \
  }                                                                                                                \
  cublasStatus_t cublas##N##asum_v2(cublasHandle_t handle, int n, const T* x, int incx, R* result) {               \
    return with_result(handle, result, [&] { return cublas##N##asum(n, x, incx); });                               \
  }                                                                                                                \
  cublasStatus_t cublasI##M##amax_v2(cublasHandle_t handle, int n, const T* x, int incx, int* result) {            \
    return with_result(handle, result, [&] { return cublasI##M##amax(n, x, incx); });                              \
  }                                                                                                                \
  cublasStatus_t cublasI##M##amin_v2(cublasHandle_t handle, int n, const T* x, int incx, int* result) {            \
    return with_result(handle, result, [&] { return cublasI##M##amin(n, x, incx); });                              \
  }                                                                                                                \
  cublasStatus_t cublas##L##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T* alpha,  \
                                    const T* A, int lda, const T* x, int incx, const T* beta, T* y, int incy) {    \
    return with_scalars(handle, alpha, beta,                                                                       \
                        [&](T a, T b) { cublas##L##gemv(letter(trans), m, n, a, A, lda, x, incx, b, y, incy); });  \
  }                                                                                                                \
  cublasStatus_t cublas##L##trmv_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,         \
                                    cublasDiagType_t diag, int n, const T* A, int lda, T* x, int incx) {           \
    return without_scalar(                                                                                         \
        handle, [&] { cublas##L##trmv(letter(uplo), letter(trans), letter(diag), n, A, lda, x, incx); });          \
  }                                                                                                                \
  cublasStatus_t cublas##L##trsv_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans,         \
                                    cublasDiagType_t diag, int n, const T* A, int lda, T* x, int incx) {           \
    return without_scalar(                                                                                         \
        handle, [&] { cublas##L##trsv(letter(uplo), letter(trans), letter(diag), n, A, lda, x, incx); });          \
  }                                                                                                                \
  cublasStatus_t cublas##L##gemm_v2(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,     \
                                    int m, int n, int k, const T* alpha, const T* A, int lda, const T* B, int ldb, \
                                    const T* beta, T* C, int ldc) {                                                \
    return with_scalars(handle, alpha, beta, [&](T a, T b) {                                                       \
      cublas##L##gemm(letter(transa), letter(transb), m, n, k, a, A, lda, B, ldb, b, C, ldc);                      \
    });                                                                                                            \
  }                                                                                                                \
  cublasStatus_t cublas##L##gemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, \
                                        int m, int n, int k, const T* alpha, const T* A[], int lda, const T* B[],  \
                                        int ldb, const T* beta, T* C[], int ldc, int count) {                      \
    return with_scalars(handle, alpha, beta, [&](T a, T b) {                                                       \
      if (!valid(count >= 0)) return;                                                                              \
      std::vector<const T*> as, bs;                                                                                \
      std::vector<T*> cs;                                                                                          \
      if (!read_pointers(A, count, as) || !read_pointers(B, count, bs) || !read_pointers(C, count, cs)) return;    \
      for (size_t j = 0; j < cs.size(); ++j)                                                                       \
        cublas##L##gemm(letter(transa), letter(transb), m, n, k, a, as[j], lda, bs[j], ldb, b, cs[j], ldc);        \
    });                                                                                                            \
  }                                                                                                                \
  cublasStatus_t cublas##L##gemmStridedBatched(                                                                    \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,              \
      const T* alpha, const T* A, int lda, long long int strideA, const T* B, int ldb, long long int strideB,      \
      const T* beta, T* C, int ldc, long long int strideC, int count) {                                            \
    return with_scalars(handle, alpha, beta, [&](T a, T b) {                                                       \
      if (!valid(count >= 0)) return;                                                                              \
      for (int j = 0; j < count; ++j)                                                                              \
        cublas##L##gemm(letter(transa), letter(transb), m, n, k, a, A + strideA * j, lda, B + strideB * j, ldb, b, \
                        C + strideC * j, ldc);                                                                     \
    });                                                                                                            \
  }                                                                                                                \
  cublasStatus_t cublas##L##symm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, int m,    \
                                    int n, const T* alpha, const T* A, int lda, const T* B, int ldb,               \
                                    const T* beta, T* C, int ldc) {                                                \
    return with_scalars(handle, alpha, beta, [&](T a, T b) {                                                       \
      cublas##L##symm(letter(side), letter(uplo), m, n, a, A, lda, B, ldb, b, C, ldc);                             \
    });                                                                                                            \
  }                                                                                                                \
  cublasStatus_t cublas##L##syrk_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n,  \
                                    int k, const T* alpha, const T* A, int lda, const T* beta, T* C, int ldc) {    \
    return with_scalars(handle, alpha, beta, [&](T a, T b) {                                                       \
      cublas##L##syrk(letter(uplo), letter(trans), n, k, a, A, lda, b, C, ldc);                                    \
    });                                                                                                            \
  }                                                                                                                \
  cublasStatus_t cublas##L##syr2k_v2(cublasHandle_t handle, cublasFillMode_t uplo, cublasOperation_t trans, int n, \
                                     int k, const T* alpha, const T* A, int lda, const T* B, int ldb,              \
                                     const T* beta, T* C, int ldc) {                                               \
    return with_scalars(handle, alpha, beta, [&](T a, T b) {                                                       \
      cublas##L##syr2k(letter(uplo), letter(trans), n, k, a, A, lda, B, ldb, b, C, ldc);                           \
    });                                                                                                            \
  }                                                                                                                \
  /* The product of the old interface is in place. */                                                              \
  cublasStatus_t cublas##L##trmm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,           \
                                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha,  \
                                    const T* A, int lda, const T* B, int ldb, T* C, int ldc) {                     \
    return with_scalar(handle, alpha, [&](T a) {                                                                   \
      if (!valid(m >= 0 && n >= 0 && ldb >= m && ldc >= m)) return;                                                \
      if (B != C && m != 0 && n != 0)                                                                              \
        check(cudaMemcpy2D(C, sizeof(T) * static_cast<size_t>(ldc), B, sizeof(T) * static_cast<size_t>(ldb),       \
                           sizeof(T) * static_cast<size_t>(m), static_cast<size_t>(n), cudaMemcpyDeviceToDevice)); \
      cublas##L##trmm(letter(side), letter(uplo), letter(trans), letter(diag), m, n, a, A, lda, C, ldc);           \
    });                                                                                                            \
  }                                                                                                                \
  cublasStatus_t cublas##L##trsm_v2(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,           \
                                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T* alpha,  \
                                    const T* A, int lda, T* B, int ldb) {                                          \
    return with_scalar(handle, alpha, [&](T a) {                                                                   \
      cublas##L##trsm(letter(side), letter(uplo), letter(trans), letter(diag), m, n, a, A, lda, B, ldb);           \
    });                                                                                                            \
  }
GT200_BLAS(float, float, S, s, S)
GT200_BLAS(double, double, D, d, D)
GT200_BLAS(cuComplex, float, C, c, Sc)
GT200_BLAS(cuDoubleComplex, double, Z, z, Dz)
#undef GT200_BLAS

#define GT200_BLAS_DOT(T, NAME)                                                                              \
  cublasStatus_t cublas##NAME##_v2(cublasHandle_t handle, int n, const T* x, int incx, const T* y, int incy, \
                                   T* result) {                                                              \
    return with_result(handle, result, [&] { return cublas##NAME(n, x, incx, y, incy); });                   \
  }
GT200_BLAS_DOT(float, Sdot)
GT200_BLAS_DOT(double, Ddot)
GT200_BLAS_DOT(cuComplex, Cdotu)
GT200_BLAS_DOT(cuComplex, Cdotc)
GT200_BLAS_DOT(cuDoubleComplex, Zdotu)
GT200_BLAS_DOT(cuDoubleComplex, Zdotc)
#undef GT200_BLAS_DOT

#define GT200_BLAS_GER(T, NAME)                                                                               \
  cublasStatus_t cublas##NAME##_v2(cublasHandle_t handle, int m, int n, const T* alpha, const T* x, int incx, \
                                   const T* y, int incy, T* A, int lda) {                                     \
    return with_scalar(handle, alpha, [&](T a) { cublas##NAME(m, n, a, x, incx, y, incy, A, lda); });         \
  }
GT200_BLAS_GER(float, Sger)
GT200_BLAS_GER(double, Dger)
GT200_BLAS_GER(cuComplex, Cgeru)
GT200_BLAS_GER(cuComplex, Cgerc)
GT200_BLAS_GER(cuDoubleComplex, Zgeru)
GT200_BLAS_GER(cuDoubleComplex, Zgerc)
#undef GT200_BLAS_GER

}  // extern "C"
