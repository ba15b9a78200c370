// The runtime API for CUDA C: everything of cuda_runtime_api.h, forms of it for C++, and the device's functions.
#pragma once

// Headers of the SDKs look for this name.
#define __CUDA_RUNTIME_H__

#include "cuda_runtime_api.h"

#ifdef __cplusplus
#include "gt200_std.h"
// Headers that programs take for granted, because NVIDIA's compiler brings them.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __CUDA__
// clang's <new> calls them in kernels (gt200_kernel_library.h).
#if defined(GT200_CPU)
#elif !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 200
__device__ inline void* malloc(size_t bytes);
__device__ inline void free(void* pointer);
#else
__device__ __attribute__((error("malloc() in kernels needs compute capability 2.0"))) void* malloc(size_t bytes);
__device__ __attribute__((error("free() in kernels needs compute capability 2.0"))) void free(void* pointer);
#endif
#include <new>
#include <utility>
#include "gt200_cuda.h"
#include "gt200_host_math.h"
#ifndef __CUDA_ARCH__
// Where the managed variables of a program lie on the host, if it has any.
extern "C" {
extern char __start_gt200_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_gt200_managed[] __attribute__((weak, visibility("hidden")));
void __cudaRegisterManagedRange(const void* begin, const void* end);
}
__attribute__((constructor)) static void gt200_register_managed() {
  if (__start_gt200_managed != nullptr) __cudaRegisterManagedRange(__start_gt200_managed, __stop_gt200_managed);
}
#endif
#ifdef __CUDACC_RDC__
// The host registers the device code of a file for its kernels and variables: a file that has functions alone gets
// one.
__device__ __attribute__((weak)) char gt200_linked = 0;
#endif
#if __cplusplus >= 201103L && __cplusplus < 202002L
// The device has functions of the standard library that are constexpr. These are that only from C++20 on, and
// programs use them there.
namespace std {
template <class T>
__device__ inline void swap(T& a, T& b) {
  T former(static_cast<T&&>(a));
  a = static_cast<T&&>(b);
  b = static_cast<T&&>(former);
}
template <class T, size_t count>
__device__ inline void swap(T (&a)[count], T (&b)[count]) {
  for (size_t k = 0; k < count; ++k) swap(a[k], b[k]);
}
template <class T, class U = T>
__device__ inline T exchange(T& object, U&& value) {
  T former(static_cast<T&&>(object));
  object = static_cast<U&&>(value);
  return former;
}
}  // namespace std
#endif
#endif

inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) { return {width, height, depth}; }
inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width, size_t height) {
  return {pointer, pitch, width, height};
}

template <class T>
inline cudaError_t cudaMalloc(T** pointer, size_t bytes) {
  return cudaMalloc(static_cast<void**>(static_cast<void*>(pointer)), bytes);
}
template <class T>
inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch(static_cast<void**>(static_cast<void*>(pointer)), pitch, width, height);
}
template <class T>
inline cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned flags = cudaHostAllocDefault) {
  return cudaHostAlloc(static_cast<void**>(static_cast<void*>(pointer)), bytes, flags);
}
template <class T>
inline cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned flags) {
  return cudaHostAlloc(static_cast<void**>(static_cast<void*>(pointer)), bytes, flags);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned flags) {
  return cudaHostGetDevicePointer(static_cast<void**>(static_cast<void*>(device)), host, flags);
}

// A symbol is a variable, or until CUDA 4.x its name.
template <class T>
inline const void* gt200_symbol(const T& symbol) {
  return const_cast<const void*>(static_cast<const volatile void*>(&symbol));
}
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol(gt200_symbol(symbol), from, bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, gt200_symbol(symbol), bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync(gt200_symbol(symbol), from, bytes, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                             cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, gt200_symbol(symbol), bytes, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return cudaGetSymbolAddress(pointer, gt200_symbol(symbol));
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
  return cudaGetSymbolSize(bytes, gt200_symbol(symbol));
}
inline cudaError_t cudaMemcpyToSymbol(const char* symbol, const void* from, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol(static_cast<const void*>(symbol), from, bytes, offset, kind);
}
inline cudaError_t cudaMemcpyFromSymbol(void* to, const char* symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, static_cast<const void*>(symbol), bytes, offset, kind);
}
inline cudaError_t cudaGetSymbolAddress(void** pointer, const char* symbol) {
  return cudaGetSymbolAddress(pointer, static_cast<const void*>(symbol));
}
inline cudaError_t cudaGetSymbolSize(size_t* bytes, const char* symbol) {
  return cudaGetSymbolSize(bytes, static_cast<const void*>(symbol));
}

template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, dimensions, mode>& t, const void* pointer,
                                   const cudaChannelFormatDesc& description, size_t bytes = 0xffffffffu) {
  return cudaBindTexture(offset, static_cast<const textureReference*>(&t), pointer, &description, bytes);
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, dimensions, mode>& t, const void* pointer,
                                   size_t bytes = 0xffffffffu) {
  return cudaBindTexture(offset, static_cast<const textureReference*>(&t), pointer, &t.channelDesc, bytes);
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, dimensions, mode>& t, const void* pointer,
                                     const cudaChannelFormatDesc& description, size_t width, size_t height,
                                     size_t pitch) {
  return cudaBindTexture2D(offset, static_cast<const textureReference*>(&t), pointer, &description, width, height,
                           pitch);
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, dimensions, mode>& t, const void* pointer,
                                     size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, t, pointer, t.channelDesc, width, height, pitch);
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, dimensions, mode>& t, const cudaArray* array,
                                          const cudaChannelFormatDesc& description) {
  return cudaBindTextureToArray(static_cast<const textureReference*>(&t), array, &description);
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, dimensions, mode>& t, const cudaArray* array) {
  cudaChannelFormatDesc description;
  const cudaError_t error = cudaGetChannelDesc(&description, array);
  return error != cudaSuccess ? error : cudaBindTextureToArray(t, array, description);
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaUnbindTexture(const texture<T, dimensions, mode>& t) {
  return cudaUnbindTexture(static_cast<const textureReference*>(&t));
}

template <class T>
inline cudaError_t cudaLaunch(T* function) {
  return cudaLaunch(reinterpret_cast<const void*>(function));
}
template <class T>
inline cudaError_t cudaLaunchKernel(T* function, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                                    cudaStream_t stream = 0) {
  return cudaLaunchKernel(reinterpret_cast<const void*>(function), grid, block, arguments, shared, stream);
}
template <class T>
inline cudaError_t cudaSetupArgument(T argument, size_t offset) {
  return cudaSetupArgument(&argument, sizeof argument, offset);
}
template <class T>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* function) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(function));
}
template <class T>
inline cudaError_t cudaFuncSetCacheConfig(T* function, cudaFuncCache cache) {
  return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(function), cache);
}
template <class T>
inline cudaError_t cudaFuncSetAttribute(T* function, cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(function), attribute, value);
}
template <class T>
inline cudaError_t cudaLaunchCooperativeKernel(T* function, dim3 grid, dim3 block, void** arguments,
                                               size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(function), grid, block, arguments, shared,
                                     stream);
}
template <class T>
inline cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned flags = cudaMemAttachGlobal) {
  return cudaMallocManaged(static_cast<void**>(static_cast<void*>(pointer)), bytes, flags);
}
template <class T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(static_cast<void**>(static_cast<void*>(pointer)), bytes, stream);
}
template <class T>
inline cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(static_cast<void**>(static_cast<void*>(pointer)), bytes, pool, stream);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T function, int block_threads,
                                                                 size_t dynamic_shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(function),
                                                       block_threads, dynamic_shared);
}
template <class T>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T function,
                                                                          int block_threads, size_t dynamic_shared,
                                                                          unsigned flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, reinterpret_cast<const void*>(function),
                                                                block_threads, dynamic_shared, flags);
}
// The size of blocks, up to `limit` threads, with which an SM holds the most threads, and the blocks that fill the
// chip. `shared_of(threads)`: dynamic shared memory of a block of so many.
template <class F, class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, T function, F shared_of,
                                                                  int limit = 0) {
  if (grid == nullptr || block == nullptr) return cudaErrorInvalidValue;
  int device = 0;
  int multiprocessors = 0;
  int warp = 0;
  cudaFuncAttributes attributes;
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
  if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(function));
  if (error != cudaSuccess) return error;
  int most = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < most) most = limit;
  int best = 0;
  *grid = *block = 0;
  for (int threads = (most + warp - 1) / warp * warp; threads > 0; threads -= warp) {
    const int used = threads < most ? threads : most;
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, used, shared_of(used));
    if (error != cudaSuccess) return error;
    if (blocks * used <= best) continue;
    best = blocks * used;
    *block = used;
    *grid = blocks * multiprocessors;
  }
  return cudaSuccess;
}
struct gt200_same_shared {
  size_t bytes;
  size_t operator()(int) const { return bytes; }
};
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, T function, size_t shared = 0,
                                                      int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, function, gt200_same_shared{shared}, limit);
}
template <class T>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, T function, size_t shared = 0,
                                                               int limit = 0, unsigned = 0) {
  return cudaOccupancyMaxPotentialBlockSize(grid, block, function, shared, limit);
}
template <class... T, class... A>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* how, void (*function)(T...), A&&... given) {
  return [&](T... arguments) {
    void* pointers[] = {static_cast<void*>(&arguments)..., nullptr};
    return cudaLaunchKernelExC(how, reinterpret_cast<const void*>(function), pointers);
  }(static_cast<A&&>(given)...);
}
template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* needs, size_t count, const T& symbol,
                                                  const void* from, size_t bytes, size_t offset,
                                                  cudaMemcpyKind kind) {
  return cudaGraphAddMemcpyNodeToSymbol(node, graph, needs, count, gt200_symbol(symbol), from, bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* node, cudaGraph_t graph,
                                                    const cudaGraphNode_t* needs, size_t count, void* to,
                                                    const T& symbol, size_t bytes, size_t offset,
                                                    cudaMemcpyKind kind) {
  return cudaGraphAddMemcpyNodeFromSymbol(node, graph, needs, count, to, gt200_symbol(symbol), bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return cudaMallocFromPoolAsync(static_cast<void**>(static_cast<void*>(pointer)), bytes, pool, stream);
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}
#endif
