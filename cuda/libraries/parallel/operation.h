// The operations of scans, on the types of elements.
#pragma once

#include <float.h>

#include "cuda/libraries/parallel/primitives.h"
#include "cuda_runtime.h"

namespace gt200_parallel {

template <class T>
struct limits;
template <>
struct limits<int> {
  __device__ static int least() { return -0x7fffffff - 1; }
  __device__ static int largest() { return 0x7fffffff; }
};
template <>
struct limits<unsigned> {
  __device__ static unsigned least() { return 0; }
  __device__ static unsigned largest() { return 0xffffffff; }
};
template <>
struct limits<float> {
  __device__ static float least() { return -FLT_MAX; }
  __device__ static float largest() { return FLT_MAX; }
};

template <class T>
struct adding {
  typedef T type;
  __device__ static T identity() { return 0; }
  __device__ static T apply(T a, T b) { return a + b; }
};
template <class T>
struct multiplying {
  typedef T type;
  __device__ static T identity() { return 1; }
  __device__ static T apply(T a, T b) { return a * b; }
};
template <class T>
struct least_of {
  typedef T type;
  __device__ static T identity() { return limits<T>::largest(); }
  __device__ static T apply(T a, T b) { return b < a ? b : a; }
};
template <class T>
struct largest_of {
  typedef T type;
  __device__ static T identity() { return limits<T>::least(); }
  __device__ static T apply(T a, T b) { return a < b ? b : a; }
};

// f(operation) for the operation of a type. Sums and products of int are those of unsigned.
template <class F>
cudaError_t with_operation(CUDPPOperator op, CUDPPDatatype type, F f) {
  if (op == CUDPP_ADD) return type == CUDPP_FLOAT ? f(adding<float>()) : f(adding<unsigned>());
  if (op == CUDPP_MULTIPLY) return type == CUDPP_FLOAT ? f(multiplying<float>()) : f(multiplying<unsigned>());
  if (op == CUDPP_MIN)
    return type == CUDPP_FLOAT ? f(least_of<float>())
           : type == CUDPP_INT ? f(least_of<int>())
                               : f(least_of<unsigned>());
  return type == CUDPP_FLOAT ? f(largest_of<float>())
         : type == CUDPP_INT ? f(largest_of<int>())
                             : f(largest_of<unsigned>());
}

template <class T>
struct as_declared {
  typedef T type;
};

template <class... P>
cudaError_t run(void (*kernel)(P...), dim3 grid, typename as_declared<P>::type... parameters) {
  void* places[] = {&parameters...};
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, threads, places, 0, nullptr);
}

inline int blocks_of(int tiles) { return tiles < most_blocks ? tiles : most_blocks; }

// A tile in shared memory has a gap behind the elements of each thread, so that threads use different banks.
__device__ inline int place(int e) { return e + e / per_thread; }
enum { places_of_tile = tile + threads };

}  // namespace gt200_parallel
