// Scans of segments.
//
// As scans, of pairs: a value, and whether a segment has begun since. The value of a tile's elements in front of
// its first segment goes on from the tile before.
#include "cuda/libraries/parallel/operation.h"

namespace gt200_parallel {

// Whether a segment begins at element i, counted in the direction of the scan. Backward, one begins behind the
// element that is marked.
__device__ inline unsigned begins(const unsigned* flags, int i, int n, int backward) {
  if (backward) return i > 0 && flags[n - i] != 0;
  return flags[i] != 0;
}

// Of every tile: its value, whether a segment begins in it, and the first element of the first one.
template <class O>
__global__ void scan_segments(int backward, int inclusive, typename O::type* out, const typename O::type* in,
                              const unsigned* flags, int n, typename O::type* totals, unsigned* marks,
                              unsigned* first_begin, int tiles) {
  typedef typename O::type T;
  __shared__ T s[places_of_tile];
  __shared__ unsigned char begin[places_of_tile];
  __shared__ T sums[threads];
  __shared__ int begun[threads];
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    const int first = t * tile;
    for (int e = threadIdx.x; e < tile; e += threads) {
      const int i = first + e;
      s[place(e)] = i < n ? in[backward ? n - 1 - i : i] : O::identity();
      begin[place(e)] = i < n ? begins(flags, i, n, backward) : 0;
    }
    __syncthreads();
    const int own = place(threadIdx.x * per_thread);
    T sum = O::identity();
    int own_begin = per_thread;
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
      if (begin[own + k]) {
        sum = O::identity();
        if (own_begin == per_thread) own_begin = k;
      }
      const T next = O::apply(sum, s[own + k]);
      s[own + k] = inclusive ? next : sum;
      sum = next;
    }
    sums[threadIdx.x] = sum;
    // The first element of a segment in this thread or, as the scan goes on, in one before.
    int earliest = own_begin < per_thread ? threadIdx.x * per_thread + own_begin : int(tile);
    begun[threadIdx.x] = earliest;
    for (int distance = 1; distance < threads; distance *= 2) {
      __syncthreads();
      const bool has = threadIdx.x >= distance;
      const T before = has ? sums[threadIdx.x - distance] : O::identity();
      const int begun_before = has ? begun[threadIdx.x - distance] : int(tile);
      __syncthreads();
      if (has) {
        if (earliest == tile) sums[threadIdx.x] = O::apply(before, sums[threadIdx.x]);
        if (begun_before < earliest) earliest = begun_before;
        begun[threadIdx.x] = earliest;
      }
    }
    __syncthreads();
    if (threadIdx.x > 0) {
      const T before = sums[threadIdx.x - 1];
#pragma unroll
      for (int k = 0; k < per_thread; ++k)
        if (k < own_begin) s[own + k] = O::apply(before, s[own + k]);
    }
    if (totals != nullptr && threadIdx.x == 0) {
      totals[t] = sums[threads - 1];
      marks[t] = begun[threads - 1] < tile;
      first_begin[t] = begun[threads - 1];
    }
    __syncthreads();
    for (int e = threadIdx.x; e < tile; e += threads) {
      const int i = first + e;
      if (i < n) out[backward ? n - 1 - i : i] = s[place(e)];
    }
    __syncthreads();
  }
}

// `totals`: inclusive ones, of the tiles.
template <class O>
__global__ void add_totals_of_segments(int backward, typename O::type* out, int n, const typename O::type* totals,
                                       const unsigned* first_begin, int tiles) {
  for (int t = blockIdx.x + 1; t < tiles; t += gridDim.x) {
    const typename O::type before = totals[t - 1];
    const int end = t * tile + first_begin[t];
    for (int i = t * tile + threadIdx.x; i < end && i < n; i += threads) {
      typename O::type* at = &out[backward ? n - 1 - i : i];
      *at = O::apply(before, *at);
    }
  }
}

template <class O>
cudaError_t scan_all(int backward, int inclusive, typename O::type* out, const typename O::type* in,
                     const unsigned* flags, int n, unsigned* room) {
  const int tiles = tiles_of(n);
  const bool is_one = tiles == 1;
  typename O::type* totals = is_one ? nullptr : reinterpret_cast<typename O::type*>(room);
  unsigned* marks = room + tiles;
  unsigned* first_begin = marks + tiles;
  const int blocks = blocks_of(tiles);
  cudaError_t error = run(scan_segments<O>, blocks, backward, inclusive, out, in, flags, n, totals,
                          is_one ? nullptr : marks, is_one ? nullptr : first_begin, tiles);
  if (is_one || error != cudaSuccess) return error;
  error = scan_all<O>(0, 1, totals, totals, marks, tiles, first_begin + tiles);
  if (error != cudaSuccess) return error;
  return run(add_totals_of_segments<O>, blocks, backward, out, n, totals, first_begin, tiles);
}

cudaError_t segmented_scan(const scan_way& way, unsigned* out, const unsigned* in, const unsigned* flags, int n,
                           unsigned* totals) {
  return with_operation(way.op, way.type, [&](auto operation) {
    typedef decltype(operation) O;
    typedef typename O::type T;
    return scan_all<O>(way.backward, way.inclusive, reinterpret_cast<T*>(out), reinterpret_cast<const T*>(in),
                       flags, n, totals);
  });
}

}  // namespace gt200_parallel
