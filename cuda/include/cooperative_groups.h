// Cooperative groups: blocks, tiles, groups of the active threads, grids. Source: CUDA C Programming Guide,
// "Cooperative Groups".
//
// Tiles of a warp use the functions with a mask of gt200_warp.h. Before compute capability 3.0 there are blocks
// alone.
#pragma once

#include "cuda_runtime.h"

#ifdef __CUDA__

namespace cooperative_groups {

#define GT200_GROUP __device__ __inline__ __attribute__((always_inline))

namespace gt200_details {
GT200_GROUP unsigned rank_in_block() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
GT200_GROUP unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
GT200_GROUP unsigned lane() { return rank_in_block() % 32; }
#if !defined(GT200_CPU)
// Values of any type are moved by words.
template <class T>
struct words_of {
  static constexpr unsigned count = (sizeof(T) + 3) / 4;
  unsigned word[count];
};
template <class T, class MOVE>
GT200_GROUP T moved(const T& v, MOVE move) {
  words_of<T> words;
  words.word[words_of<T>::count - 1] = 0;
  __builtin_memcpy(words.word, &v, sizeof v);
#pragma unroll
  for (unsigned k = 0; k < words_of<T>::count; ++k) words.word[k] = move(words.word[k]);
  T result;
  __builtin_memcpy(&result, words.word, sizeof v);
  return result;
}
#endif
}  // namespace gt200_details

class thread_block {
 public:
  GT200_GROUP static void sync() { __syncthreads(); }
  GT200_GROUP static unsigned thread_rank() { return gt200_details::rank_in_block(); }
  GT200_GROUP static unsigned size() { return gt200_details::threads_of_block(); }
  GT200_GROUP static unsigned num_threads() { return size(); }
  GT200_GROUP static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  GT200_GROUP static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  GT200_GROUP static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  GT200_GROUP static dim3 dim_threads() { return group_dim(); }
};
GT200_GROUP thread_block this_thread_block() { return thread_block(); }

#if !defined(GT200_CPU)

// The barrier of a grid: cudaLaunchCooperativeKernel sees to it that all blocks are on the chip at once. Every
// block counts up by one, but the first one by what makes the upper bit flip when all have come.
template <int>
struct gt200_barrier {
  static __device__ unsigned count;
};
template <int n>
__device__ unsigned gt200_barrier<n>::count = 0;

class grid_group {
 public:
  GT200_GROUP static bool is_valid() { return true; }
  GT200_GROUP static unsigned long long size() {
    return static_cast<unsigned long long>(blocks()) * gt200_details::threads_of_block();
  }
  GT200_GROUP static unsigned long long num_threads() { return size(); }
  GT200_GROUP static unsigned num_blocks() { return blocks(); }
  GT200_GROUP static unsigned block_rank() {
    return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  }
  GT200_GROUP static unsigned long long thread_rank() {
    return static_cast<unsigned long long>(block_rank()) * gt200_details::threads_of_block() +
           gt200_details::rank_in_block();
  }
  GT200_GROUP static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  GT200_GROUP static dim3 dim_blocks() { return group_dim(); }
  GT200_GROUP static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  GT200_GROUP static void sync() {
    __syncthreads();
    if (gt200_details::rank_in_block() == 0) {
      const unsigned top = 0x80000000u;
      const unsigned step = block_rank() == 0 ? top - (blocks() - 1) : 1;
      __threadfence();
      const unsigned before = atomicAdd(&gt200_barrier<0>::count, step);
      while (((before ^ *static_cast<volatile unsigned*>(&gt200_barrier<0>::count)) & top) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
  }

 private:
  GT200_GROUP static unsigned blocks() { return gridDim.x * gridDim.y * gridDim.z; }
};
GT200_GROUP grid_group this_grid() { return grid_group(); }

// Threads of one warp. `mask_` has their lanes.
class coalesced_group {
 public:
  GT200_GROUP explicit coalesced_group(unsigned mask) : mask_(mask) {}
  GT200_GROUP void sync() const { __syncwarp(mask_); }
  GT200_GROUP unsigned size() const { return __popc(mask_); }
  GT200_GROUP unsigned num_threads() const { return size(); }
  GT200_GROUP unsigned thread_rank() const { return __popc(mask_ & ((1u << gt200_details::lane()) - 1)); }
  GT200_GROUP unsigned meta_group_rank() const { return 0; }
  GT200_GROUP unsigned meta_group_size() const { return 1; }
  template <class T>
  GT200_GROUP T shfl(T v, int rank) const {
    const int lane = lane_of(rank);
    return gt200_details::moved(v, [&](unsigned w) { return __shfl_sync(mask_, w, lane); });
  }
  template <class T>
  GT200_GROUP T shfl_up(T v, int delta) const {
    const int rank = static_cast<int>(thread_rank()) - delta;
    const int lane = rank < 0 ? static_cast<int>(gt200_details::lane()) : lane_of(rank);
    return gt200_details::moved(v, [&](unsigned w) { return __shfl_sync(mask_, w, lane); });
  }
  template <class T>
  GT200_GROUP T shfl_down(T v, int delta) const {
    const int rank = static_cast<int>(thread_rank()) + delta;
    const int lane = rank >= static_cast<int>(size()) ? static_cast<int>(gt200_details::lane()) : lane_of(rank);
    return gt200_details::moved(v, [&](unsigned w) { return __shfl_sync(mask_, w, lane); });
  }
  GT200_GROUP int any(int p) const { return __any_sync(mask_, p); }
  GT200_GROUP int all(int p) const { return __all_sync(mask_, p); }
  GT200_GROUP unsigned ballot(int p) const { return packed(__ballot_sync(mask_, p)); }
  template <class T>
  GT200_GROUP unsigned match_any(T v) const {
    return packed(__match_any_sync(mask_, v));
  }
  template <class T>
  GT200_GROUP unsigned match_all(T v, int& agree) const {
    return packed(__match_all_sync(mask_, v, &agree));
  }
  GT200_GROUP unsigned gt200_mask() const { return mask_; }

 private:
  // The lane of a thread of this rank: that of the bit with so many set bits below it.
  GT200_GROUP int lane_of(int rank) const {
    unsigned left = mask_;
    for (int k = 0; k < rank; ++k) left &= left - 1;
    return __ffs(left) - 1;
  }
  // The bits at the lanes of the mask, moved together.
  GT200_GROUP unsigned packed(unsigned bits) const {
    unsigned result = 0;
    unsigned to = 1;
    for (unsigned left = mask_; left != 0; left &= left - 1, to <<= 1)
      if ((bits & left & (0u - left)) != 0) result |= to;
    return result;
  }
  unsigned mask_;
};
GT200_GROUP coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }

// Memory by which tiles of several warps wait and exchange values: a count and a place for every warp.
template <unsigned MAX_BLOCK = 1024>
struct block_tile_memory {
  static constexpr unsigned count_bytes = 16;
  static constexpr unsigned bytes_of_warp = count_bytes + 32;
  alignas(16) unsigned char words[(MAX_BLOCK + 31) / 32 * bytes_of_warp];
};
// A block with such memory.
class thread_block_with_memory : public thread_block {
 public:
  GT200_GROUP explicit thread_block_with_memory(unsigned char* words) : words_(words) {}
  GT200_GROUP unsigned char* gt200_words() const { return words_; }

 private:
  unsigned char* words_;
};
template <unsigned MAX_BLOCK>
GT200_GROUP thread_block_with_memory this_thread_block(block_tile_memory<MAX_BLOCK>& memory) {
  for (unsigned k = gt200_details::rank_in_block(); k < (MAX_BLOCK + 31) / 32;
       k += gt200_details::threads_of_block())
    *reinterpret_cast<unsigned*>(memory.words + k * block_tile_memory<>::bytes_of_warp) = 0;
  __syncthreads();
  return thread_block_with_memory(memory.words);
}

// `SIZE` neighbouring threads of a block, a power of two: up to 32 of one warp, or whole warps.
template <unsigned SIZE, class PARENT = thread_block, bool IS_OF_WARP = (SIZE <= 32)>
class thread_block_tile;

// The warps of a tile count how many have come.
template <unsigned SIZE, class PARENT>
class thread_block_tile<SIZE, PARENT, false> {
  static_assert(SIZE <= 1024 && (SIZE & (SIZE - 1)) == 0, "a tile has a power of two of threads, up to 1,024");

 public:
  GT200_GROUP explicit thread_block_tile(unsigned char* words) : words_(words) {}
  GT200_GROUP void sync() const {
    constexpr unsigned warps = SIZE / 32;
    __syncwarp();
    if (gt200_details::lane() == 0) {
      unsigned* const count = reinterpret_cast<unsigned*>(of_warp(0));
      __threadfence_block();
      const unsigned wanted = atomicAdd(count, 1) / warps * warps + warps;
      while (static_cast<int>(*static_cast<volatile unsigned*>(count) - wanted) < 0) {
      }
      __threadfence_block();
    }
    __syncwarp();
  }
  GT200_GROUP static constexpr unsigned size() { return SIZE; }
  GT200_GROUP static constexpr unsigned num_threads() { return SIZE; }
  GT200_GROUP static unsigned thread_rank() { return gt200_details::rank_in_block() % SIZE; }
  GT200_GROUP static unsigned meta_group_rank() { return gt200_details::rank_in_block() / SIZE; }
  GT200_GROUP static unsigned meta_group_size() { return (gt200_details::threads_of_block() + SIZE - 1) / SIZE; }
  template <class T>
  GT200_GROUP T shfl(T v, unsigned rank) const {
    static_assert(sizeof(T) <= 32, "a value has up to 32 bytes");
    sync();
    if (thread_rank() == rank) __builtin_memcpy(place(0), &v, sizeof v);
    sync();
    T result;
    __builtin_memcpy(&result, place(0), sizeof result);
    return result;
  }
  GT200_GROUP int any(int p) const {
    return gt200_of_warps(__any_sync(0xffffffffu, p), [](int a, int b) { return a | b; });
  }
  GT200_GROUP int all(int p) const {
    return gt200_of_warps(__all_sync(0xffffffffu, p), [](int a, int b) { return a & b; });
  }
  // `v`: the value of a warp, in all its threads. The result is that of all warps.
  template <class T, class OPERATION>
  GT200_GROUP T gt200_of_warps(T v, OPERATION combine) const {
    static_assert(sizeof(T) <= 32, "a value has up to 32 bytes");
    sync();
    if (gt200_details::lane() == 0) __builtin_memcpy(place(thread_rank() / 32), &v, sizeof v);
    sync();
    T result;
    __builtin_memcpy(&result, place(0), sizeof result);
    for (unsigned w = 1; w < SIZE / 32; ++w) {
      T other;
      __builtin_memcpy(&other, place(w), sizeof other);
      result = combine(result, other);
    }
    return result;
  }

 private:
  GT200_GROUP unsigned char* of_warp(unsigned warp) const {
    return words_ + (meta_group_rank() * (SIZE / 32) + warp) * block_tile_memory<>::bytes_of_warp;
  }
  GT200_GROUP unsigned char* place(unsigned warp) const { return of_warp(warp) + block_tile_memory<>::count_bytes; }
  unsigned char* words_;
};

template <unsigned SIZE, class PARENT>
class thread_block_tile<SIZE, PARENT, true> {
  static_assert(SIZE >= 1 && (SIZE & (SIZE - 1)) == 0, "a tile has a power of two of threads");

 public:
  GT200_GROUP static void sync() { __syncwarp(mask()); }
  GT200_GROUP static constexpr unsigned size() { return SIZE; }
  GT200_GROUP static constexpr unsigned num_threads() { return SIZE; }
  GT200_GROUP static unsigned thread_rank() { return gt200_details::rank_in_block() % SIZE; }
  GT200_GROUP static unsigned meta_group_rank() { return gt200_details::rank_in_block() / SIZE; }
  GT200_GROUP static unsigned meta_group_size() { return (gt200_details::threads_of_block() + SIZE - 1) / SIZE; }
  template <class T>
  GT200_GROUP static T shfl(T v, int rank) {
    return gt200_details::moved(v, [&](unsigned w) { return __shfl_sync(mask(), w, rank, SIZE); });
  }
  template <class T>
  GT200_GROUP static T shfl_up(T v, int delta) {
    return gt200_details::moved(v, [&](unsigned w) { return __shfl_up_sync(mask(), w, delta, SIZE); });
  }
  template <class T>
  GT200_GROUP static T shfl_down(T v, int delta) {
    return gt200_details::moved(v, [&](unsigned w) { return __shfl_down_sync(mask(), w, delta, SIZE); });
  }
  template <class T>
  GT200_GROUP static T shfl_xor(T v, int lanes) {
    return gt200_details::moved(v, [&](unsigned w) { return __shfl_xor_sync(mask(), w, lanes, SIZE); });
  }
  GT200_GROUP static int any(int p) { return __any_sync(mask(), p); }
  GT200_GROUP static int all(int p) { return __all_sync(mask(), p); }
  GT200_GROUP static unsigned ballot(int p) { return __ballot_sync(mask(), p) >> first_lane() & low_lanes(); }
  template <class T>
  GT200_GROUP static unsigned match_any(T v) {
    return __match_any_sync(mask(), v) >> first_lane() & low_lanes();
  }
  template <class T>
  GT200_GROUP static unsigned match_all(T v, int& agree) {
    return __match_all_sync(mask(), v, &agree) >> first_lane() & low_lanes();
  }
  GT200_GROUP static unsigned gt200_mask() { return mask(); }

 private:
  GT200_GROUP static unsigned first_lane() { return gt200_details::lane() & ~(SIZE - 1); }
  GT200_GROUP static unsigned low_lanes() { return SIZE == 32 ? 0xffffffffu : (1u << SIZE % 32) - 1; }
  GT200_GROUP static unsigned mask() { return low_lanes() << first_lane(); }
};

namespace gt200_details {
template <unsigned SIZE, class PARENT, bool IS_OF_WARP>
struct tiles {
  GT200_GROUP static thread_block_tile<SIZE, PARENT> of(const PARENT&) { return thread_block_tile<SIZE, PARENT>(); }
};
template <unsigned SIZE, class PARENT>
struct tiles<SIZE, PARENT, false> {
  GT200_GROUP static thread_block_tile<SIZE, PARENT> of(const PARENT& parent) {
    return thread_block_tile<SIZE, PARENT>(parent.gt200_words());
  }
};
}  // namespace gt200_details
template <unsigned SIZE, class PARENT>
GT200_GROUP thread_block_tile<SIZE, PARENT> tiled_partition(const PARENT& parent) {
  return gt200_details::tiles<SIZE, PARENT, (SIZE <= 32)>::of(parent);
}
// Of a number of threads that is known when the kernel runs.
GT200_GROUP coalesced_group tiled_partition(const thread_block&, unsigned size) {
  const unsigned low = size == 32 ? 0xffffffffu : (1u << size) - 1;
  return coalesced_group((low << (gt200_details::lane() & ~(size - 1))) & __activemask());
}
GT200_GROUP coalesced_group tiled_partition(const coalesced_group& parent, unsigned size) {
  const unsigned first = parent.thread_rank() / size * size;
  unsigned mask = 0;
  unsigned rank = 0;
  for (unsigned left = parent.gt200_mask(); left != 0; left &= left - 1, ++rank)
    if (rank >= first && rank < first + size) mask |= left & (0u - left);
  return coalesced_group(mask);
}
// The threads of the group whose predicate, or label, is that of this one.
template <class GROUP>
GT200_GROUP coalesced_group binary_partition(const GROUP& group, bool p) {
  const unsigned votes = __ballot_sync(group.gt200_mask(), p);
  return coalesced_group((p ? votes : ~votes) & group.gt200_mask());
}
template <class T, class GROUP>
GT200_GROUP coalesced_group labeled_partition(const GROUP& group, T label) {
  return coalesced_group(__match_any_sync(group.gt200_mask(), label));
}

// Any group, behind one type.
class thread_group {
 public:
  GT200_GROUP thread_group(const thread_block&) : mask_(0) {}
  GT200_GROUP thread_group(const coalesced_group& group) : mask_(group.gt200_mask()) {}
  template <unsigned SIZE, class PARENT>
  GT200_GROUP thread_group(const thread_block_tile<SIZE, PARENT, true>&)
      : mask_(thread_block_tile<SIZE, PARENT, true>::gt200_mask()) {}
  GT200_GROUP void sync() const {
    if (mask_ == 0)
      __syncthreads();
    else
      __syncwarp(mask_);
  }
  GT200_GROUP unsigned size() const { return mask_ == 0 ? gt200_details::threads_of_block() : __popc(mask_); }
  GT200_GROUP unsigned num_threads() const { return size(); }
  GT200_GROUP unsigned thread_rank() const {
    return mask_ == 0 ? gt200_details::rank_in_block() : __popc(mask_ & ((1u << gt200_details::lane()) - 1));
  }
  GT200_GROUP unsigned gt200_mask() const { return mask_; }

 private:
  unsigned mask_;  // 0: the block
};
GT200_GROUP thread_group tiled_partition(const thread_group& parent, unsigned size) {
  if (parent.gt200_mask() == 0) return thread_group(tiled_partition(thread_block(), size));
  return thread_group(tiled_partition(coalesced_group(parent.gt200_mask()), size));
}

// Operations of cooperative_groups::reduce.
template <class T>
struct plus {
  GT200_GROUP T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  GT200_GROUP T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  GT200_GROUP T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  GT200_GROUP T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  GT200_GROUP T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  GT200_GROUP T operator()(T a, T b) const { return a ^ b; }
};
// The value of all threads, in all of them.
template <unsigned SIZE, class PARENT, class T, class OPERATION>
GT200_GROUP T reduce(const thread_block_tile<SIZE, PARENT, true>& tile, T v, OPERATION combine) {
#pragma unroll
  for (unsigned lanes = SIZE / 2; lanes > 0; lanes /= 2) v = combine(v, tile.shfl_xor(v, lanes));
  return v;
}
template <unsigned SIZE, class PARENT, class T, class OPERATION>
GT200_GROUP T reduce(const thread_block_tile<SIZE, PARENT, false>& tile, T v, OPERATION combine) {
  return tile.gt200_of_warps(reduce(thread_block_tile<32, PARENT>(), v, combine), combine);
}
// In one thread of the group, which of them is not said.
template <class GROUP, class F>
GT200_GROUP void invoke_one(const GROUP& group, F f) {
  if (group.thread_rank() == 0) f();
}
// Copies of a group. They are done when the group has waited for them; here, when they return.
template <class GROUP, class T>
GT200_GROUP void memcpy_async(const GROUP& group, T* to, const T* from, __SIZE_TYPE__ bytes) {
  char* const target = reinterpret_cast<char*>(to);
  const char* const source = reinterpret_cast<const char*>(from);
  const bool by_words =
      (reinterpret_cast<__SIZE_TYPE__>(target) % 4 | reinterpret_cast<__SIZE_TYPE__>(source) % 4 | bytes % 4) == 0;
  if (by_words)
    for (__SIZE_TYPE__ k = group.thread_rank(); k < bytes / 4; k += group.size())
      reinterpret_cast<unsigned*>(target)[k] = reinterpret_cast<const unsigned*>(source)[k];
  else
    for (__SIZE_TYPE__ k = group.thread_rank(); k < bytes; k += group.size()) target[k] = source[k];
}
template <class GROUP>
GT200_GROUP void wait(const GROUP& group) {
  group.sync();
}
template <unsigned STAGES, class GROUP>
GT200_GROUP void wait_prior(const GROUP& group) {
  group.sync();
}
template <class T, class OPERATION>
GT200_GROUP T reduce(const coalesced_group& group, T v, OPERATION combine) {
  T sum = group.shfl(v, 0);
  for (unsigned k = 1; k < group.size(); ++k) sum = combine(sum, group.shfl(v, k));
  return sum;
}
// The values of the threads up to this one, or before it.
template <class GROUP, class T, class OPERATION>
GT200_GROUP T inclusive_scan(const GROUP& group, T v, OPERATION combine) {
  for (unsigned delta = 1; delta < group.size(); delta *= 2) {
    const T other = group.shfl_up(v, delta);
    if (group.thread_rank() >= delta) v = combine(other, v);
  }
  return v;
}
template <class GROUP, class T>
GT200_GROUP T inclusive_scan(const GROUP& group, T v) {
  return inclusive_scan(group, v, plus<T>());
}
template <class GROUP, class T, class OPERATION>
GT200_GROUP T exclusive_scan(const GROUP& group, T v, OPERATION combine) {
  const T sums = inclusive_scan(group, v, combine);
  const T before = group.shfl_up(sums, 1);
  return group.thread_rank() == 0 ? T() : before;
}
template <class GROUP, class T>
GT200_GROUP T exclusive_scan(const GROUP& group, T v) {
  return exclusive_scan(group, v, plus<T>());
}
#endif

template <class GROUP>
GT200_GROUP void sync(const GROUP& group) {
  group.sync();
}
template <class GROUP>
GT200_GROUP unsigned thread_rank(const GROUP& group) {
  return group.thread_rank();
}
template <class GROUP>
GT200_GROUP unsigned group_size(const GROUP& group) {
  return group.size();
}
#undef GT200_GROUP

}  // namespace cooperative_groups

#endif
