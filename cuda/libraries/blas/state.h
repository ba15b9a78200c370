// What the functions of cuBLAS share in a process: whether the library is in use in a context, the last error, a
// buffer for partial results, and the stream of the kernels.
#pragma once

#include <cstdint>
#include <functional>

#include "cublas.h"
#include "cuda_runtime.h"

namespace gt200_blas {

// Partial results of a reduction: at most so many blocks, at most so many bytes each.
enum { most_partials = 64, bytes_of_partial = 16 };

// False, with the error CUBLAS_STATUS_NOT_INITIALIZED, before cublasInit() and without handles in the current
// context.
bool in_use();
// One user of a context more or less: cublasInit() and every handle is one. `context`: the current one, as
// gt200_libraries::current_context() has it.
cublasStatus acquire(std::uint64_t& context);
void release(std::uint64_t context);
// Calls f with a stream and an error of its own, and returns that error. Calls are taken one after the other.
cublasStatus apart(cudaStream_t stream, const std::function<void()>& f);
void* partials();
// Compute capability 1.0 and 1.1: 8,192 registers instead of 16,384.
bool has_few_registers();
cudaStream_t stream();

// Keeps the first error since cublasGetError().
void fail(cublasStatus status);
// Of a launch or a copy.
void check(cudaError_t error);

// False, with the error CUBLAS_STATUS_INVALID_VALUE, if the arguments are not.
inline bool valid(bool arguments) {
  if (!arguments) fail(CUBLAS_STATUS_INVALID_VALUE);
  return arguments;
}

template <class T>
struct as_declared {
  typedef T type;
};

template <class... P>
void run(void (*kernel)(P...), dim3 grid, dim3 block, typename as_declared<P>::type... parameters) {
  void* places[] = {&parameters...};
  check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, places, 0, stream()));
}

// Device memory for one call. Null, with the error CUBLAS_STATUS_ALLOC_FAILED, if it is short.
template <class T>
class scratch {
 public:
  explicit scratch(int elements) {
    if (cudaMalloc(reinterpret_cast<void**>(&memory_), sizeof(T) * static_cast<size_t>(elements)) == cudaSuccess)
      return;
    memory_ = nullptr;
    fail(CUBLAS_STATUS_ALLOC_FAILED);
  }
  scratch(const scratch&) = delete;
  ~scratch() { cudaFree(memory_); }
  T* get() const { return memory_; }

 private:
  T* memory_;
};

// The first element in memory order of a vector whose elements are passed through downwards.
template <class T>
T* first(T* vector, int n, int increment) {
  return increment < 0 ? vector - static_cast<long>(n - 1) * increment : vector;
}

// Without `most`, a launch of more blocks than a grid can have fails.
inline int blocks_for(int n, int per_block, int most = 0x7fffffff) {
  const int blocks = n / per_block + (n % per_block != 0);
  return blocks < most ? blocks : most;
}

// Of a letter that says how a matrix is taken.
inline bool is_transposition(char c) {
  return c == 'N' || c == 'n' || c == 'T' || c == 't' || c == 'C' || c == 'c';
}
inline bool transposes(char c) { return c != 'N' && c != 'n'; }
inline bool conjugates(char c) { return c == 'C' || c == 'c'; }
inline bool is_either(char c, char a, char b) { return (c & ~32) == a || (c & ~32) == b; }

}  // namespace gt200_blas
