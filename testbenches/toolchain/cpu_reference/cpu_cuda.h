// CUDA C as a C++ compiler for the CPU accepts it: the contents of gt200_cuda.h, except textures. One thread of a
// block runs at a time, until its next barrier; blocks run one after the other, so static variables can serve as
// shared memory.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstring>
#include <tuple>
#include <type_traits>

#define __global__
#define __device__
#define __host__
#define __shared__ static
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define warpSize 32

struct alignas(8) int2 {
  int x, y;
};
struct alignas(16) int4 {
  int x, y, z, w;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(8) float2 {
  float x, y;
};
struct float3 {
  float x, y, z;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline int2 make_int2(int x, int y) { return {x, y}; }

struct gt200_index {
  unsigned x, y, z;
};
extern "C" {
// Set by the caller, before every thread and block.
gt200_index threadIdx, blockIdx, blockDim, gridDim;
void (*gt200_barrier)();
}

inline void __syncthreads() { gt200_barrier(); }
inline void __threadfence() {}
inline void __threadfence_block() {}

template <class T, class V>
T atomicAdd(T* p, V v) {
  const T old = *p;
  *p = old + static_cast<T>(v);
  return old;
}
template <class T, class V>
T atomicExch(T* p, V v) {
  const T old = *p;
  *p = static_cast<T>(v);
  return old;
}
template <class T, class V>
T atomicMax(T* p, V v) {
  const T old = *p;
  if (static_cast<T>(v) > old) *p = static_cast<T>(v);
  return old;
}
template <class T, class V>
T atomicMin(T* p, V v) {
  const T old = *p;
  if (static_cast<T>(v) < old) *p = static_cast<T>(v);
  return old;
}

inline int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
inline unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned long long>(a) * b >> 32; }
inline float __fdividef(float a, float b) { return a / b; }
inline float __sinf(float x) { return sinf(x); }
inline float __cosf(float x) { return cosf(x); }
inline float __log2f(float x) { return log2f(x); }
inline float __expf(float x) { return expf(x); }
inline float __logf(float x) { return logf(x); }
inline float __powf(float x, float y) { return powf(x, y); }
inline float rsqrtf(float x) { return 1 / sqrtf(x); }
inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a > b ? a : b; }

// Calls a kernel with consecutive parameters, each aligned to its size.
template <class T>
T gt200_take(const unsigned char* bytes, std::size_t& at) {
  at = (at + alignof(T) - 1) / alignof(T) * alignof(T);
  T value;
  std::memcpy(&value, bytes + at, sizeof value);
  at += sizeof value;
  return value;
}
template <class... T>
void gt200_call(void (*kernel)(T...), const unsigned char* bytes) {
  std::size_t at = 0;
  std::apply(kernel, std::tuple<std::remove_cv_t<T>...>{gt200_take<std::remove_cv_t<T>>(bytes, at)...});
}
