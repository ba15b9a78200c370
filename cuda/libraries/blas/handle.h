// A handle of cuBLAS, and what functions with one have in common.
#pragma once

#include <cstdint>
#include <vector>

#include "cublas.h"
#include "cublas_handle.h"
#include "cuda/libraries/blas/state.h"
#include "cuda/libraries/context.h"

struct cublasContext {
  std::uint64_t context = 0;
  cudaStream_t stream = nullptr;
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
};

namespace gt200_blas {

inline char letter(cublasOperation_t o) {
  return o == CUBLAS_OP_N ? 'N' : o == CUBLAS_OP_T ? 'T' : o == CUBLAS_OP_C ? 'C' : '?';
}
inline char letter(cublasFillMode_t f) {
  return f == CUBLAS_FILL_MODE_LOWER ? 'L' : f == CUBLAS_FILL_MODE_UPPER ? 'U' : '?';
}
inline char letter(cublasDiagType_t d) {
  return d == CUBLAS_DIAG_NON_UNIT ? 'N' : d == CUBLAS_DIAG_UNIT ? 'U' : '?';
}
inline char letter(cublasSideMode_t s) { return s == CUBLAS_SIDE_LEFT ? 'L' : s == CUBLAS_SIDE_RIGHT ? 'R' : '?'; }

// Not in another context than its own, which may have ended.
inline bool is_usable(cublasHandle_t handle) {
  return handle != nullptr && handle->context == gt200_libraries::current_context();
}

// Its value, of a scalar that the host or the device has.
template <class T>
bool read(cublasHandle_t handle, const T* from, T& to) {
  if (!valid(from != nullptr)) return false;
  if (handle->mode == CUBLAS_POINTER_MODE_HOST) {
    to = *from;
    return true;
  }
  const cudaError_t error = cudaMemcpy(&to, from, sizeof to, cudaMemcpyDeviceToHost);
  if (error != cudaSuccess) fail(CUBLAS_STATUS_MAPPING_ERROR);
  return error == cudaSuccess;
}

template <class T>
void write(cublasHandle_t handle, const T& from, T* to) {
  if (handle->mode == CUBLAS_POINTER_MODE_HOST)
    *to = from;
  else if (cudaMemcpy(to, &from, sizeof from, cudaMemcpyHostToDevice) != cudaSuccess)
    fail(CUBLAS_STATUS_MAPPING_ERROR);
}

// Calls f(alpha).
template <class T, class F>
cublasStatus_t with_scalar(cublasHandle_t handle, const T* alpha, F f) {
  if (!is_usable(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  return apart(handle->stream, [&] {
    T a;
    if (read(handle, alpha, a)) f(a);
  });
}
template <class T, class F>
cublasStatus_t with_scalars(cublasHandle_t handle, const T* alpha, const T* beta, F f) {
  return with_scalar(handle, alpha, [&](T a) {
    T b;
    if (read(handle, beta, b)) f(a, b);
  });
}
template <class F>
cublasStatus_t without_scalar(cublasHandle_t handle, F f) {
  return is_usable(handle) ? apart(handle->stream, f) : CUBLAS_STATUS_NOT_INITIALIZED;
}
template <class T, class F>
cublasStatus_t with_result(cublasHandle_t handle, T* result, F f) {
  return without_scalar(handle, [&] {
    if (valid(result != nullptr)) write(handle, static_cast<T>(f()), result);
  });
}

// The pointers of a batch, in memory of the host.
template <class T>
bool read_pointers(T* const* from, int count, std::vector<T*>& to) {
  to.resize(static_cast<size_t>(count));
  if (cudaMemcpy(to.data(), from, sizeof(T*) * to.size(), cudaMemcpyDeviceToHost) == cudaSuccess) return true;
  fail(CUBLAS_STATUS_MAPPING_ERROR);
  return false;
}

}  // namespace gt200_blas
