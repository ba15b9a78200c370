// The kernels of cuRAND, and the same on the host. Compiled twice, for one precision each (GT200_LIBRARY_DOUBLE);
// words are with single precision.
#include "cuda/libraries/random/distributions.h"
#include "cuda_runtime.h"

namespace gt200_random {

enum { threads = 128, directions = 32 };

__host__ __device__ inline xorwow_state loaded(const unsigned* states, unsigned j) {
  xorwow_state s;
  for (int w = 0; w < 5; ++w) s.v[w] = states[w * sequences + j];
  s.d = states[5 * sequences + j];
  return s;
}
__host__ __device__ inline void store(const xorwow_state& s, unsigned* states, unsigned j) {
  for (int w = 0; w < 5; ++w) states[w * sequences + j] = s.v[w];
  states[5 * sequences + j] = s.d;
}

// One sequence: every 4096th group.
template <class F>
__host__ __device__ inline void run_sequence(const F& numbers, unsigned j, unsigned* states, unsigned phase,
                                             typename F::type* out, unsigned groups) {
  xorwow_state s = loaded(states, j);
  for (unsigned g = (j - phase) % sequences; g < groups; g += sequences) {
    typename F::type made[F::count];
    numbers.make(s, made);
    for (int k = 0; k < F::count; ++k) out[g * F::count + k] = made[k];
  }
  store(s, states, j);
}

template <class F>
__global__ void xorwow(F numbers, unsigned* states, unsigned phase, typename F::type* out, unsigned groups) {
  run_sequence(numbers, blockIdx.x * threads + threadIdx.x, states, phase, out, groups);
}

// Groups j, j + 4096 and so on; a group has as many words as its numbers.
template <class F>
__host__ __device__ inline void run_philox_groups(const F& numbers, unsigned j, const philox_place& at,
                                                  typename F::type* out, unsigned groups) {
  for (unsigned g = j; g < groups; g += sequences) {
    typename F::type made[F::count];
    philox_state s = {at.seed, at.position + g * (sizeof(typename F::type) * F::count / 4), {}};
    fill_block(s);
    numbers.make(s, made);
    for (int k = 0; k < F::count; ++k) out[g * F::count + k] = made[k];
  }
}

template <class F>
__global__ void philox(F numbers, philox_place at, typename F::type* out, unsigned groups) {
  run_philox_groups(numbers, blockIdx.x * threads + threadIdx.x, at, out, groups);
}

__host__ __device__ inline unsigned point(const unsigned* v, unsigned number) {
  unsigned x = 0;
  for (unsigned gray = number ^ (number >> 1), b = 0; gray != 0; gray >>= 1, ++b)
    if (gray & 1) x ^= v[b];
  return x;
}

// A row of blocks has a dimension. Threads are a power of two, 2^log2_step, so the Gray code of a thread's next
// number differs in two bits.
template <class F>
__global__ void sobol(F numbers, const unsigned* all, unsigned offset, typename F::type* out, unsigned n,
                      int log2_step) {
  __shared__ unsigned v[directions];
  if (threadIdx.x < directions) v[threadIdx.x] = all[blockIdx.y * directions + threadIdx.x];
  __syncthreads();
  out += blockIdx.y * n;
  const unsigned t = blockIdx.x * threads + threadIdx.x;
  unsigned number = offset + t;
  unsigned x = point(v, number);
  for (unsigned k = t; k < n; k += 1u << log2_step) {
    out[k] = numbers.of(x);
    const int higher = log2_step + __ffs(~(number >> log2_step)) - 1;
    if (higher < directions) x ^= v[log2_step - 1] ^ v[higher];
    number += 1u << log2_step;
  }
}

template <class T>
struct as_declared {
  typedef T type;
};
template <class... P>
cudaError_t run(void (*kernel)(P...), dim3 grid, cudaStream_t stream, typename as_declared<P>::type... parameters) {
  void* places[] = {&parameters...};
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, threads, places, 0, stream);
}

// f(numbers) for what is wanted.
template <class T, class F>
auto with_numbers(const wanted_numbers& wanted, F f) {
  if (wanted.kind == uniform) return f(uniform_numbers<T>());
  return f(
      normal_numbers<T>{static_cast<T>(wanted.mean), static_cast<T>(wanted.deviation), wanted.kind == log_normal});
}
#ifndef GT200_LIBRARY_DOUBLE
template <class T, class F>
auto with_words(const wanted_numbers&, F f) {
  return f(words_themselves<T>());
}
#endif

#define GT200_RANDOM(T, WITH)                                                                                   \
  cudaError_t run_xorwow(const xorwow_place& at, const wanted_numbers& wanted, T* out, unsigned groups,         \
                         cudaStream_t stream) {                                                                 \
    return WITH<T>(wanted, [&](auto numbers) {                                                                  \
      return run(xorwow<decltype(numbers)>, sequences / threads, stream, numbers, at.states, at.phase, out,     \
                 groups);                                                                                       \
    });                                                                                                         \
  }                                                                                                             \
  cudaError_t run_sobol(const sobol_place& at, const wanted_numbers& wanted, T* out, unsigned n,                \
                        cudaStream_t stream) {                                                                  \
    return WITH<T>(wanted, [&](auto numbers) {                                                                  \
      int log2_step = 7;                                                                                        \
      while (log2_step < 12 && n > 1u << log2_step) ++log2_step;                                                \
      const dim3 grid((1u << log2_step) / threads, at.dimensions);                                              \
      return run(sobol<decltype(numbers)>, grid, stream, numbers, at.directions, at.offset, out, n, log2_step); \
    });                                                                                                         \
  }                                                                                                             \
  cudaError_t run_philox(const philox_place& at, const wanted_numbers& wanted, T* out, unsigned groups,         \
                         cudaStream_t stream) {                                                                 \
    return WITH<T>(wanted, [&](auto numbers) {                                                                  \
      return run(philox<decltype(numbers)>, sequences / threads, stream, numbers, at, out, groups);             \
    });                                                                                                         \
  }                                                                                                             \
  void make_philox(const philox_place& at, const wanted_numbers& wanted, T* out, unsigned groups) {             \
    WITH<T>(wanted, [&](auto numbers) {                                                                         \
      for (unsigned j = 0; j < sequences; ++j) run_philox_groups(numbers, j, at, out, groups);                  \
      return cudaSuccess;                                                                                       \
    });                                                                                                         \
  }                                                                                                             \
  void make_xorwow(const xorwow_place& at, const wanted_numbers& wanted, T* out, unsigned groups) {             \
    WITH<T>(wanted, [&](auto numbers) {                                                                         \
      for (unsigned j = 0; j < sequences; ++j) run_sequence(numbers, j, at.states, at.phase, out, groups);      \
      return cudaSuccess;                                                                                       \
    });                                                                                                         \
  }                                                                                                             \
  void make_sobol(const sobol_place& at, const wanted_numbers& wanted, T* out, unsigned n) {                    \
    WITH<T>(wanted, [&](auto numbers) {                                                                         \
      for (unsigned d = 0; d < at.dimensions; ++d)                                                              \
        for (unsigned k = 0; k < n; ++k)                                                                        \
          out[d * n + k] = numbers.of(point(at.directions + d * directions, at.offset + k));                    \
      return cudaSuccess;                                                                                       \
    });                                                                                                         \
  }
#ifdef GT200_LIBRARY_DOUBLE
GT200_RANDOM(double, with_numbers)
#else
GT200_RANDOM(unsigned, with_words)
GT200_RANDOM(float, with_numbers)
#endif

}  // namespace gt200_random
