// The kernels of cuFFT. Compiled twice, for one precision each (GT200_LIBRARY_DOUBLE).
#include "cuda/libraries/fft/butterfly.h"
#include "cuda/libraries/fft/step.h"

namespace gt200_fft {

#ifdef GT200_LIBRARY_DOUBLE
typedef double real;
typedef double2 element;
#else
typedef float real;
typedef float2 element;
#endif

__device__ inline element exchanged(element x, int yes) {
  element y;
  y.x = yes ? x.y : x.x;
  y.y = yes ? x.x : x.y;
  return y;
}

// Quotients of numbers below 4096, with 1 / divisor rounded.
__device__ inline int quotient(int a, float reciprocal) {
  return static_cast<int>((static_cast<float>(a) + 0.5f) * reciprocal);
}

// Butterflies of one radix, in place: `radix` transforms of `apart` elements each, one behind the other, become
// one. Results are stored as they come, so that few of them are in registers.
template <int radix, int block>
__device__ inline void butterflies(const pass& p, int row, int apart, const element* twiddles, element* s) {
  const float reciprocal = 1.0f / static_cast<float>(apart);
  const int work = p.length / radix << p.columns_log2;
  const int twiddle_step = p.length / (apart * radix);
  const int step = apart * row;
  for (int u = threadIdx.x; u < work; u += block) {
    const int number = u >> p.columns_log2;
    // Number of the first element of the butterfly's group, divided by the radix. All of this is within 24 bits.
    const int before = __mul24(quotient(number, reciprocal), apart);
    const int j = number - before;
    element* at = s + __mul24(before * radix + j, row) + (u & (p.columns - 1));
    element v[radix];
#pragma unroll
    for (int q = 0; q < radix; ++q) v[q] = at[q * step];
    if (apart > 1) {
      const element one = twiddles[__mul24(j, twiddle_step)];
      element w = one;
#pragma unroll
      for (int q = 1; q < radix; ++q) {
        v[q] = product(v[q], w);
        if (q + 1 < radix) w = product(w, one);
      }
    }
    butterfly<radix>::apply(v, at, step);
  }
}

// With radices 2 and 4 alone, registers are fewer. `block`: threads.
template <bool is_power_of_two, int block>
__global__ void fft_pass(pass p, int inverse, const element* from, element* to, const element* twiddles,
                         const int* order, const element* factors) {
  extern __shared__ element s[];
  __shared__ int in[most_columns];
  __shared__ int out[most_columns];
  __shared__ int factor_first[most_columns];
  __shared__ int factor_step[most_columns];
  const int first = (blockIdx.x + blockIdx.y * gridDim.x) << p.columns_log2;
  if (first >= p.transforms) return;
  const int live = p.transforms - first < p.columns ? p.transforms - first : p.columns;
  if (threadIdx.x < live) {
    int t = first + threadIdx.x;
    int index[4];
#pragma unroll
    for (int i = 0; i < 3; ++i) {
      const int rest = t / p.counts[i];
      index[i] = t - rest * p.counts[i];
      t = rest;
    }
    index[3] = t;
    const int place = index[0] * p.out[0] + index[1] * p.out[1] + index[2] * p.out[2];
    in[threadIdx.x] = index[0] * p.in[0] + index[1] * p.in[1] + index[2] * p.in[2] + index[3] * p.in[3];
    out[threadIdx.x] = place + index[3] * p.out[3];
    factor_first[threadIdx.x] = p.factors_by_place ? place : 0;
    factor_step[threadIdx.x] = p.factors_by_place ? p.out_step : index[0] / p.inner;
  }
  __syncthreads();

  // Threads go along what is together in memory: along transforms, or along the elements of one.
  const int row = row_of(p.columns);
  const int total = p.length << p.columns_log2;
  const float reciprocal = 1.0f / static_cast<float>(p.length);
  const bool in_by_columns = p.in[0] < p.in_step;
  for (int e = threadIdx.x; e < total; e += block) {
    const int column = in_by_columns ? e & (p.columns - 1) : quotient(e, reciprocal);
    const int i = in_by_columns ? e >> p.columns_log2 : e - __mul24(column, p.length);
    if (column < live) s[__mul24(order[i], row) + column] = exchanged(from[in[column] + i * p.in_step], inverse);
  }

  int done = 1;
  for (unsigned left = p.radices; left != 0; left >>= 4) {
    const int radix = left & 15;
    __syncthreads();
    if (radix == 4)
      butterflies<4, block>(p, row, done, twiddles, s);
    else if (radix == 2)
      butterflies<2, block>(p, row, done, twiddles, s);
    else if (!is_power_of_two && radix == 3)
      butterflies<3, block>(p, row, done, twiddles, s);
    else if (!is_power_of_two && radix == 5)
      butterflies<5, block>(p, row, done, twiddles, s);
    else if (!is_power_of_two)
      butterflies<7, block>(p, row, done, twiddles, s);
    done *= radix;
  }
  __syncthreads();

  const bool out_by_columns = p.out[0] < p.out_step;
  for (int e = threadIdx.x; e < total; e += block) {
    const int column = out_by_columns ? e & (p.columns - 1) : quotient(e, reciprocal);
    const int k = out_by_columns ? e >> p.columns_log2 : e - __mul24(column, p.length);
    if (column >= live) continue;
    element x = s[__mul24(k, row) + column];
    if (factors != nullptr) x = product(x, factors[factor_first[column] + k * factor_step[column]]);
    to[out[column] + k * p.out_step] = exchanged(x, inverse);
  }
}

#define GT200_FFT_FOR(e, n) for (int e = blockIdx.x * threads + threadIdx.x; e < (n); e += gridDim.x * threads)

// Rows of `padded` elements, one per transform.
__global__ void fft_chirp_in(chirp c, int inverse, const element* from, element* to, const element* factors) {
  GT200_FFT_FOR(e, c.elements) {
    const int row = e / c.padded;
    const int j = e - row * c.padded;
    element x = element();
    if (j < c.length) {
      const int outer = row / c.inner;
      const int place = (outer * c.length + j) * c.inner + row - outer * c.inner;
      x = product(exchanged(from[place], inverse), factors[j]);
    }
    to[e] = x;
  }
}

__global__ void fft_chirp_out(chirp c, int inverse, const element* from, element* to, const element* factors) {
  GT200_FFT_FOR(e, c.elements) {
    const int column = e / c.inner;
    const int outer = column / c.length;
    const int k = column - outer * c.length;
    const int row = outer * c.inner + e - column * c.inner;
    to[e] = exchanged(product(from[row * c.padded + k], factors[k]), inverse);
  }
}

// Where an element of the program's array is, `i` counting those that are moved.
struct place {
  int x, y, z, number;
};
__device__ inline place place_of(const movement& m, int i) {
  place p;
  int rest = i / m.last;
  p.z = i - rest * m.last;
  i = rest / m.n[1];
  p.y = rest - i * m.n[1];
  p.number = i / m.n[0];
  p.x = i - p.number * m.n[0];
  return p;
}
__device__ inline int offset(const layout& l, const place& p) {
  return p.x * l.steps[0] + p.y * l.steps[1] + p.z * l.steps[2] + p.number * l.distance;
}

// Half a spectrum is completed: an element is the conjugate of the one at the opposite place.
__global__ void fft_gather(movement m, const real* from, element* to) {
  GT200_FFT_FOR(i, m.elements) {
    place p = place_of(m, i);
    element x;
    x.y = 0;
    if (m.kind == real_elements) {
      x.x = from[offset(m.program, p)];
    } else {
      const bool mirrored = m.kind == half_elements && p.z > m.n[2] / 2;
      if (mirrored) {
        p.x = p.x == 0 ? 0 : m.n[0] - p.x;
        p.y = p.y == 0 ? 0 : m.n[1] - p.y;
        p.z = m.n[2] - p.z;
      }
      x = reinterpret_cast<const element*>(from)[offset(m.program, p)];
      if (mirrored) x.y = -x.y;
    }
    to[i] = x;
  }
}

__global__ void fft_scatter(movement m, const element* from, real* to) {
  GT200_FFT_FOR(i, m.elements) {
    const place p = place_of(m, i);
    const element x = from[((p.number * m.n[0] + p.x) * m.n[1] + p.y) * m.n[2] + p.z];
    if (m.kind == real_elements)
      to[offset(m.program, p)] = x.x;
    else
      reinterpret_cast<element*>(to)[offset(m.program, p)] = x;
  }
}

template <class T>
struct as_declared {
  typedef T type;
};

template <class... P>
cudaError_t run(void (*kernel)(P...), dim3 grid, int block, size_t shared, cudaStream_t stream,
                typename as_declared<P>::type... parameters) {
  void* places[] = {&parameters...};
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, places, shared, stream);
}

inline int blocks_for(int n, int per_block, int most) {
  const int blocks = n / per_block + (n % per_block != 0);
  return blocks < most ? blocks : most;
}

cudaError_t run_pass(const pass& p, bool inverse, const element* from, element* to, const element* twiddles,
                     const int* order, const element* factors, cudaStream_t stream) {
  const int blocks = blocks_for(p.transforms, p.columns, p.transforms);
  const int widest = 32768;
  const dim3 grid(blocks < widest ? blocks : widest, blocks_for(blocks, widest, 65535));
  const size_t shared = sizeof(element) * static_cast<size_t>(p.length * row_of(p.columns));
  const bool is_power_of_two = (p.length & (p.length - 1)) == 0;
  const auto with = [&](auto kernel, int block) {
    return run(kernel, grid, block, shared, stream, p, inverse, from, to, twiddles, order, factors);
  };
  if (!is_power_of_two) return with(fft_pass<false, threads>, threads);
#ifndef GT200_LIBRARY_DOUBLE
  // One block fills the shared memory of an SM; more threads have room in the registers from capability 1.2 on.
  const auto larger = fft_pass<true, 2 * threads>;
  cudaFuncAttributes attributes;
  if (p.length > most_elements(false) / 2 && cudaFuncGetAttributes(&attributes, larger) == cudaSuccess &&
      attributes.maxThreadsPerBlock >= 2 * threads)
    return with(larger, 2 * threads);
#endif
  return with(fft_pass<true, threads>, threads);
}

cudaError_t run_chirp_in(const chirp& c, bool inverse, const element* from, element* to, const element* factors,
                         cudaStream_t stream) {
  return run(fft_chirp_in, blocks_for(c.elements, threads, 4096), threads, 0, stream, c, inverse, from, to,
             factors);
}

cudaError_t run_chirp_out(const chirp& c, bool inverse, const element* from, element* to, const element* factors,
                          cudaStream_t stream) {
  return run(fft_chirp_out, blocks_for(c.elements, threads, 4096), threads, 0, stream, c, inverse, from, to,
             factors);
}

cudaError_t run_gather(const movement& m, const void* from, element* to, cudaStream_t stream) {
  return run(fft_gather, blocks_for(m.elements, threads, 4096), threads, 0, stream, m,
             static_cast<const real*>(from), to);
}

cudaError_t run_scatter(const movement& m, const element* from, void* to, cudaStream_t stream) {
  return run(fft_scatter, blocks_for(m.elements, threads, 4096), threads, 0, stream, m, from,
             static_cast<real*>(to));
}

}  // namespace gt200_fft
