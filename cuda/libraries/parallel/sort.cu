// Radix sort, from the lowest digit of four bits to the highest.
//
// A pass counts the digits of each tile, scans the counts of all tiles digit by digit, and moves the elements of a
// tile, first to their order within it, then to their places. A thread has neighbouring elements, so order is kept.
#include "cuda/libraries/parallel/operation.h"

namespace gt200_parallel {

// So that the order of the keys is that of unsigned numbers.
template <class T>
struct as_unsigned;
template <>
struct as_unsigned<int> {
  __device__ static unsigned to(unsigned key) { return key ^ 0x80000000u; }
  __device__ static unsigned from(unsigned key) { return key ^ 0x80000000u; }
};
template <>
struct as_unsigned<float> {
  __device__ static unsigned to(unsigned key) { return key ^ (key >> 31 ? 0xffffffffu : 0x80000000u); }
  __device__ static unsigned from(unsigned key) { return key ^ (key >> 31 ? 0x80000000u : 0xffffffffu); }
};

template <class T>
__global__ void to_order(unsigned* keys, int n) {
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    keys[i] = as_unsigned<T>::to(keys[i]);
}
template <class T>
__global__ void from_order(unsigned* keys, int n) {
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    keys[i] = as_unsigned<T>::from(keys[i]);
}

// How often each thread has each digit among its elements.
typedef unsigned short counters[digits][threads];
static_assert(sizeof(counters) >= tile * sizeof(unsigned), "values have room where the counters were");

__device__ inline void load_tile(const unsigned* from, int first, int n, unsigned* s) {
  for (int e = threadIdx.x; e < tile; e += threads) s[place(e)] = first + e < n ? from[first + e] : 0;
}

__device__ inline int elements_of_thread(int first, int n) {
  const int left = n - first - static_cast<int>(threadIdx.x) * per_thread;
  return left < 0 ? 0 : left < per_thread ? left : int(per_thread);
}

__device__ inline void count_digits(const unsigned* s, int elements, int shift, int mask, counters& count) {
#pragma unroll
  for (int d = 0; d < digits; ++d) count[d][threadIdx.x] = 0;
  const unsigned* own = s + place(threadIdx.x * per_thread);
  for (int k = 0; k < elements; ++k) ++count[own[k] >> shift & mask][threadIdx.x];
}

__global__ void count_tiles(const unsigned* keys, int n, int shift, int mask, unsigned* counts, int tiles) {
  __shared__ unsigned s[places_of_tile];
  __shared__ counters count;
  __shared__ unsigned parts[threads];
  const int threads_of_digit = threads / digits;
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    load_tile(keys, t * tile, n, s);
    __syncthreads();
    count_digits(s, elements_of_thread(t * tile, n), shift, mask, count);
    __syncthreads();
    const int digit = threadIdx.x / threads_of_digit;
    unsigned sum = 0;
    for (int k = threadIdx.x % threads_of_digit; k < threads; k += threads_of_digit) sum += count[digit][k];
    parts[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x < digits) {
      unsigned total = 0;
#pragma unroll
      for (int k = 0; k < threads_of_digit; ++k) total += parts[threadIdx.x * threads_of_digit + k];
      counts[threadIdx.x * tiles + t] = total;
    }
    __syncthreads();
  }
}

// `places`: where the elements of each digit of each tile go.
__global__ void move_tiles(const unsigned* keys, const unsigned* values, int n, int shift, int mask,
                           const unsigned* places, int tiles, unsigned* to_keys, unsigned* to_values) {
  __shared__ unsigned s[places_of_tile];
  __shared__ unsigned in_order[places_of_tile];
  __shared__ __align__(4) counters count;
  __shared__ unsigned short sums[threads];
  __shared__ int to_place[digits];
  unsigned short* const all = &count[0][0];
  for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
    const int first = t * tile;
    const int elements = n - first < tile ? n - first : int(tile);
    const int own_elements = elements_of_thread(first, n);
    load_tile(keys, first, n, s);
    __syncthreads();
    count_digits(s, own_elements, shift, mask, count);
    __syncthreads();
    // Counters become numbers of elements in front: of lower digits, and of the digit in the threads before.
    unsigned sum = 0;
#pragma unroll 1
    for (int k = 0; k < digits; ++k) {
      const unsigned here = all[threadIdx.x * digits + k];
      all[threadIdx.x * digits + k] = static_cast<unsigned short>(sum);
      sum += here;
    }
    sums[threadIdx.x] = static_cast<unsigned short>(sum);
    for (int distance = 1; distance < threads; distance *= 2) {
      __syncthreads();
      const unsigned before = threadIdx.x >= distance ? sums[threadIdx.x - distance] : 0;
      __syncthreads();
      sums[threadIdx.x] = static_cast<unsigned short>(sums[threadIdx.x] + before);
    }
    __syncthreads();
    const unsigned before = threadIdx.x > 0 ? sums[threadIdx.x - 1] : 0;
#pragma unroll 1
    for (int k = 0; k < digits; ++k)
      all[threadIdx.x * digits + k] = static_cast<unsigned short>(all[threadIdx.x * digits + k] + before);
    __syncthreads();
    if (threadIdx.x < digits)
      to_place[threadIdx.x] = static_cast<int>(places[threadIdx.x * tiles + t]) - count[threadIdx.x][0];
    __syncthreads();
    // Keys go to their order in the tile; where they were, their rank remains.
    unsigned* own = s + place(threadIdx.x * per_thread);
    for (int k = 0; k < own_elements; ++k) {
      const unsigned key = own[k];
      const unsigned short rank = count[key >> shift & mask][threadIdx.x]++;
      in_order[place(rank)] = key;
      own[k] = rank;
    }
    __syncthreads();
    for (int e = threadIdx.x; e < elements; e += threads) {
      const unsigned key = in_order[place(e)];
      to_keys[to_place[key >> shift & mask] + e] = key;
    }
    if (values != nullptr) {
      // The values take the same way, through the memory of the counters.
      unsigned* const values_in_order = reinterpret_cast<unsigned*>(all);
      for (int e = threadIdx.x; e < elements; e += threads) values_in_order[s[place(e)]] = values[first + e];
      __syncthreads();
      for (int e = threadIdx.x; e < elements; e += threads)
        to_values[to_place[in_order[place(e)] >> shift & mask] + e] = values_in_order[e];
    }
    __syncthreads();
  }
}

cudaError_t change_order(CUDPPDatatype type, bool to, unsigned* keys, int n) {
  const int blocks = blocks_of(tiles_of(n));
  if (type == CUDPP_FLOAT) return run(to ? to_order<float> : from_order<float>, blocks, keys, n);
  if (type == CUDPP_INT) return run(to ? to_order<int> : from_order<int>, blocks, keys, n);
  return cudaSuccess;
}

cudaError_t sort(CUDPPDatatype type, int bits, unsigned* keys, unsigned* values, int n, unsigned* other_keys,
                 unsigned* other_values, unsigned* counts, unsigned* totals) {
  const int tiles = tiles_of(n);
  const int blocks = blocks_of(tiles);
  const scan_way adds = {CUDPP_ADD, CUDPP_UINT, 0, 0};
  cudaError_t error = change_order(type, true, keys, n);
  unsigned* from = keys;
  unsigned* from_values = values;
  unsigned* to = other_keys;
  unsigned* to_values = other_values;
  for (int shift = 0; shift < bits && error == cudaSuccess; shift += digit_bits) {
    const int mask = (bits - shift < digit_bits ? 1 << (bits - shift) : int(digits)) - 1;
    error = run(count_tiles, blocks, from, n, shift, mask, counts, tiles);
    if (error == cudaSuccess) error = scan(adds, counts, counts, digits * tiles, 1, digits * tiles, totals);
    if (error == cudaSuccess)
      error = run(move_tiles, blocks, from, from_values, n, shift, mask, counts, tiles, to, to_values);
    unsigned* const old = from;
    from = to;
    to = old;
    if (values == nullptr) continue;
    unsigned* const old_values = from_values;
    from_values = to_values;
    to_values = old_values;
  }
  const size_t bytes = sizeof(unsigned) * static_cast<size_t>(n);
  if (error == cudaSuccess && from != keys) {
    error = cudaMemcpy(keys, from, bytes, cudaMemcpyDeviceToDevice);
    if (error == cudaSuccess && values != nullptr)
      error = cudaMemcpy(values, from_values, bytes, cudaMemcpyDeviceToDevice);
  }
  return error == cudaSuccess ? change_order(type, false, keys, n) : error;
}

}  // namespace gt200_parallel
