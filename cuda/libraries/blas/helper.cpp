// Start and end, errors, and the copies of vectors and matrices.
#include <map>
#include <mutex>
#include <utility>

#include "cuda/libraries/blas/state.h"
#include "cuda/libraries/context.h"

namespace gt200_blas {
namespace {

struct context_state {
  unsigned users = 0;
  bool begun = false;  // by cublasInit()
  bool few_registers = false;
  void* partials = nullptr;
};

struct library_state {
  std::mutex mutex;
  std::map<std::uint64_t, context_state> contexts;  // those with users
  cublasStatus error = CUBLAS_STATUS_SUCCESS;
  cudaStream_t stream = nullptr;

  // Null without users.
  context_state* current() {
    const auto found = contexts.find(gt200_libraries::current_context());
    return found == contexts.end() ? nullptr : &found->second;
  }
};

library_state& library() {
  static library_state one;
  return one;
}

cublasStatus status_of_copy(cudaError_t error) {
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

// Columns of `width` bytes, `from_pitch` and `to_pitch` bytes apart.
cublasStatus copy(void* to, int to_pitch, const void* from, int from_pitch, int width, int columns, int unit,
                  cudaMemcpyKind kind, bool waits, cudaStream_t stream) {
  if (!in_use()) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (unit <= 0 || width < 0 || columns < 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (width == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  if (to_pitch < width || from_pitch < width) return CUBLAS_STATUS_INVALID_VALUE;
  const auto bytes = [&](int elements) { return static_cast<size_t>(elements) * static_cast<size_t>(unit); };
  const size_t height = static_cast<size_t>(columns);
  if (waits)
    return status_of_copy(cudaMemcpy2D(to, bytes(to_pitch), from, bytes(from_pitch), bytes(width), height, kind));
  return status_of_copy(
      cudaMemcpy2DAsync(to, bytes(to_pitch), from, bytes(from_pitch), bytes(width), height, kind, stream));
}

// Vectors without gaps are one column; others are columns of one element.
cublasStatus copy_vector(int n, int unit, void* to, int to_increment, const void* from, int from_increment,
                         cudaMemcpyKind kind, bool waits, cudaStream_t stream) {
  if (to_increment <= 0 || from_increment <= 0)
    return in_use() ? CUBLAS_STATUS_INVALID_VALUE : CUBLAS_STATUS_NOT_INITIALIZED;
  if (to_increment == 1 && from_increment == 1) return copy(to, n, from, n, n, 1, unit, kind, waits, stream);
  return copy(to, to_increment, from, from_increment, 1, n, unit, kind, waits, stream);
}

}  // namespace

bool in_use() {
  library_state& all = library();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  const bool is_used = all.current() != nullptr;
  if (!is_used && all.error == CUBLAS_STATUS_SUCCESS) all.error = CUBLAS_STATUS_NOT_INITIALIZED;
  return is_used;
}

cublasStatus acquire(std::uint64_t& context) {
  library_state& all = library();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  context = gt200_libraries::begun_context();
  if (all.contexts.count(context) == 0) {
    for (auto c = all.contexts.begin(); c != all.contexts.end();)
      c = gt200_libraries::is_alive(c->first) ? std::next(c) : all.contexts.erase(c);
    context_state made;
    int device = 0;
    cudaDeviceProp properties;
    if (cudaGetDevice(&device) != cudaSuccess || cudaGetDeviceProperties(&properties, device) != cudaSuccess)
      return CUBLAS_STATUS_NOT_INITIALIZED;
    made.few_registers = properties.regsPerBlock < 16384;
    if (cudaMalloc(&made.partials, most_partials * bytes_of_partial) != cudaSuccess)
      return CUBLAS_STATUS_ALLOC_FAILED;
    all.contexts[context] = made;
    all.error = CUBLAS_STATUS_SUCCESS;
    all.stream = nullptr;
  }
  ++all.contexts[context].users;
  return CUBLAS_STATUS_SUCCESS;
}

void release(std::uint64_t context) {
  library_state& all = library();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  const auto found = all.contexts.find(context);
  if (found == all.contexts.end() || --found->second.users != 0) return;
  gt200_libraries::free_in(context, found->second.partials);
  all.contexts.erase(found);
}

cublasStatus apart(cudaStream_t stream, const std::function<void()>& f) {
  static std::mutex calls;
  const std::lock_guard<std::mutex> one_call(calls);
  library_state& all = library();
  const cudaStream_t other_stream = all.stream;
  const cublasStatus other_error = all.error;
  all.stream = stream;
  all.error = CUBLAS_STATUS_SUCCESS;
  f();
  const cublasStatus error = all.error;
  all.stream = other_stream;
  all.error = other_error;
  return error;
}

void* partials() {
  library_state& all = library();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  const context_state* current = all.current();
  return current == nullptr ? nullptr : current->partials;
}
bool has_few_registers() {
  library_state& all = library();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  const context_state* current = all.current();
  return current != nullptr && current->few_registers;
}
cudaStream_t stream() { return library().stream; }

void fail(cublasStatus status) {
  library_state& all = library();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  if (all.error == CUBLAS_STATUS_SUCCESS) all.error = status;
}

// A kernel that the device has no code for is one of double precision before compute capability 1.3.
void check(cudaError_t error) {
  if (error == cudaErrorInvalidDeviceFunction) return fail(CUBLAS_STATUS_ARCH_MISMATCH);
  if (error != cudaSuccess) fail(CUBLAS_STATUS_EXECUTION_FAILED);
}

}  // namespace gt200_blas

using namespace gt200_blas;

extern "C" {

cublasStatus cublasInit(void) {
  const auto set_begun = [] {
    library_state& all = library();
    const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
    context_state* const current = all.current();
    return current != nullptr && std::exchange(current->begun, true);
  };
  if (set_begun()) return CUBLAS_STATUS_SUCCESS;
  std::uint64_t context = 0;
  const cublasStatus error = acquire(context);
  if (error == CUBLAS_STATUS_SUCCESS) set_begun();
  return error;
}

cublasStatus cublasShutdown(void) {
  library_state& all = library();
  {
    const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
    context_state* const current = all.current();
    if (current == nullptr || !std::exchange(current->begun, false)) return CUBLAS_STATUS_NOT_INITIALIZED;
  }
  release(gt200_libraries::current_context());
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus cublasGetError(void) {
  library_state& all = library();
  const std::lock_guard<std::mutex> one_at_a_time(all.mutex);
  const cublasStatus error = all.error;
  all.error = CUBLAS_STATUS_SUCCESS;
  return error;
}

cublasStatus cublasGetVersion(int* version) {
  if (version == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus cublasSetKernelStream(cudaStream_t stream) {
  if (!in_use()) return CUBLAS_STATUS_NOT_INITIALIZED;
  library().stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus cublasAlloc(int n, int elemSize, void** devicePtr) {
  if (!in_use()) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (n <= 0 || elemSize <= 0 || devicePtr == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  const cudaError_t error = cudaMalloc(devicePtr, static_cast<size_t>(n) * static_cast<size_t>(elemSize));
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}

cublasStatus cublasFree(void* devicePtr) {
  if (!in_use()) return CUBLAS_STATUS_NOT_INITIALIZED;
  return cudaFree(devicePtr) == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INTERNAL_ERROR;
}

cublasStatus cublasSetVector(int n, int elemSize, const void* x, int incx, void* y, int incy) {
  return copy_vector(n, elemSize, y, incy, x, incx, cudaMemcpyHostToDevice, true, nullptr);
}
cublasStatus cublasGetVector(int n, int elemSize, const void* x, int incx, void* y, int incy) {
  return copy_vector(n, elemSize, y, incy, x, incx, cudaMemcpyDeviceToHost, true, nullptr);
}
cublasStatus cublasSetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb) {
  return copy(B, ldb, A, lda, rows, cols, elemSize, cudaMemcpyHostToDevice, true, nullptr);
}
cublasStatus cublasGetMatrix(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb) {
  return copy(B, ldb, A, lda, rows, cols, elemSize, cudaMemcpyDeviceToHost, true, nullptr);
}
cublasStatus cublasSetVectorAsync(int n, int elemSize, const void* x, int incx, void* y, int incy,
                                  cudaStream_t stream) {
  return copy_vector(n, elemSize, y, incy, x, incx, cudaMemcpyHostToDevice, false, stream);
}
cublasStatus cublasGetVectorAsync(int n, int elemSize, const void* x, int incx, void* y, int incy,
                                  cudaStream_t stream) {
  return copy_vector(n, elemSize, y, incy, x, incx, cudaMemcpyDeviceToHost, false, stream);
}
cublasStatus cublasSetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb,
                                  cudaStream_t stream) {
  return copy(B, ldb, A, lda, rows, cols, elemSize, cudaMemcpyHostToDevice, false, stream);
}
cublasStatus cublasGetMatrixAsync(int rows, int cols, int elemSize, const void* A, int lda, void* B, int ldb,
                                  cudaStream_t stream) {
  return copy(B, ldb, A, lda, rows, cols, elemSize, cudaMemcpyDeviceToHost, false, stream);
}

}  // extern "C"
