// Scans, reductions and compaction.
//
// A block scans a tile: each thread its own elements, one after the other, and all threads the threads' totals. The
// totals of the tiles are scanned in the same way, and added in front of each tile.
#include "cuda/libraries/parallel/operation.h"

namespace gt200_parallel {

// Row by row. `totals`, of every tile, may be null.
template <class O>
__global__ void scan_tiles(int backward, int inclusive, typename O::type* out, const typename O::type* in, int n,
                           int pitch, typename O::type* totals, int tiles) {
  typedef typename O::type T;
  __shared__ T s[places_of_tile];
  __shared__ T sums[threads];
  in += blockIdx.y * pitch;
  out += blockIdx.y * pitch;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    const int first = t * tile;
    for (int e = threadIdx.x; e < tile; e += threads) {
      const int i = first + e;
      s[place(e)] = i < n ? in[backward ? n - 1 - i : i] : O::identity();
    }
    __syncthreads();
    T* own = s + place(threadIdx.x * per_thread);
    T sum = O::identity();
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
      const T next = O::apply(sum, own[k]);
      own[k] = inclusive ? next : sum;
      sum = next;
    }
    sums[threadIdx.x] = sum;
    for (int distance = 1; distance < threads; distance *= 2) {
      __syncthreads();
      const T before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : O::identity();
      __syncthreads();
      if (threadIdx.x >= distance) sums[threadIdx.x] = O::apply(before, sums[threadIdx.x]);
    }
    __syncthreads();
    if (threadIdx.x > 0) {
      const T before = sums[threadIdx.x - 1];
#pragma unroll
      for (int k = 0; k < per_thread; ++k) own[k] = O::apply(before, own[k]);
    }
    if (totals != nullptr && threadIdx.x == 0) totals[blockIdx.y * tiles + t] = sums[threads - 1];
    __syncthreads();
    for (int e = threadIdx.x; e < tile; e += threads) {
      const int i = first + e;
      if (i < n) out[backward ? n - 1 - i : i] = s[place(e)];
    }
    __syncthreads();
  }
}

template <class O>
__global__ void add_totals(int backward, typename O::type* out, int n, int pitch, const typename O::type* totals,
                           int tiles) {
  out += blockIdx.y * pitch;
  for (int t = blockIdx.x + 1; t < tiles; t += gridDim.x) {
    const typename O::type before = totals[blockIdx.y * tiles + t];
    for (int i = t * tile + threadIdx.x; i < (t + 1) * tile && i < n; i += threads) {
      typename O::type* at = &out[backward ? n - 1 - i : i];
      *at = O::apply(before, *at);
    }
  }
}

template <class O>
__global__ void reduce_elements(const typename O::type* in, int n, typename O::type* out) {
  typedef typename O::type T;
  __shared__ T s[threads];
  T own = O::identity();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) own = O::apply(own, in[i]);
  s[threadIdx.x] = own;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) s[threadIdx.x] = O::apply(s[threadIdx.x], s[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

__global__ void mark_valid(const unsigned* is_valid, int n, unsigned* marks) {
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) marks[i] = is_valid[i] != 0;
}

// `places`: how many valid elements are in front of each, in the direction of the compaction.
__global__ void move_valid(int backward, const unsigned* in, const unsigned* is_valid, const unsigned* places,
                           int n, unsigned* out, size_t* valid) {
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads) {
    const unsigned place = places[i];
    const bool is = is_valid[i] != 0;
    if (is) out[place] = in[i];
    if (i == (backward ? 0 : n - 1)) *valid = place + (is ? 1 : 0);
  }
}

template <class O>
cudaError_t scan_rows(int backward, int inclusive, typename O::type* out, const typename O::type* in, int n,
                      int rows, int pitch, typename O::type* totals) {
  const int tiles = tiles_of(n);
  const dim3 grid(blocks_of(tiles), rows);
  cudaError_t error =
      run(scan_tiles<O>, grid, backward, inclusive, out, in, n, pitch, tiles > 1 ? totals : nullptr, tiles);
  if (tiles == 1 || error != cudaSuccess) return error;
  error = scan_rows<O>(0, 0, totals, totals, tiles, rows, tiles, totals + rows * tiles);
  if (error != cudaSuccess) return error;
  return run(add_totals<O>, grid, backward, out, n, pitch, totals, tiles);
}

size_t totals_of(int n, int rows) {
  size_t words = 0;
  for (int tiles = tiles_of(n); tiles > 1; tiles = tiles_of(tiles))
    words += static_cast<size_t>(tiles) * static_cast<size_t>(rows);
  return words;
}

cudaError_t scan(const scan_way& way, unsigned* out, const unsigned* in, int n, int rows, int pitch,
                 unsigned* totals) {
  return with_operation(way.op, way.type, [&](auto operation) {
    typedef decltype(operation) O;
    typedef typename O::type T;
    return scan_rows<O>(way.backward, way.inclusive, reinterpret_cast<T*>(out), reinterpret_cast<const T*>(in), n,
                        rows, pitch, reinterpret_cast<T*>(totals));
  });
}

cudaError_t reduce(CUDPPOperator op, CUDPPDatatype type, unsigned* out, const unsigned* in, int n,
                   unsigned* partials) {
  return with_operation(op, type, [&](auto operation) {
    typedef decltype(operation) O;
    typedef typename O::type T;
    const int blocks = n / threads < 1 ? 1 : n / threads < most_partials ? n / threads : int(most_partials);
    T* const parts = reinterpret_cast<T*>(partials);
    const cudaError_t error = run(reduce_elements<O>, blocks, reinterpret_cast<const T*>(in), n, parts);
    return error != cudaSuccess ? error : run(reduce_elements<O>, 1, parts, blocks, reinterpret_cast<T*>(out));
  });
}

cudaError_t compact(bool backward, unsigned* out, size_t* valid, const unsigned* in, const unsigned* is_valid,
                    int n, unsigned* places, unsigned* totals) {
  const int blocks = blocks_of(tiles_of(n));
  cudaError_t error = run(mark_valid, blocks, is_valid, n, places);
  if (error != cudaSuccess) return error;
  error = scan_rows<adding<unsigned>>(backward, 0, places, places, n, 1, n, totals);
  if (error != cudaSuccess) return error;
  return run(move_valid, blocks, backward, in, is_valid, places, n, out, valid);
}

}  // namespace gt200_parallel
